import t from 'tap';
import { items, mintKey, register, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

/** A first-party key: not pinned to networks. */
const firstParty = { unrestricted: true, networkIds: [] };

const url = '/cpms/v1/networks';
const east = { slug: 'east', name: 'East', currency: 'SEK', timeZone: 'Europe/Stockholm', countryCode: 'SE' };

function change(api: TestApi, key: string | null, uuid: string, payload: object, etag?: string) {
  const headers = etag === undefined ? {} : { 'if-match': etag };
  return api.call(key, { method: 'PATCH', url: `${url}/${uuid}`, payload, headers });
}

void t.test('creates, reads, changes and removes a network, with audit entries', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, firstParty);
  const made = await api.call(key, { method: 'POST', url, payload: east });
  t.equal(made.status, 201, made.text);
  const network = made.json['data']!;
  t.match(network, { ...east, partyId: 'CWY', language: 'en', logoUrl: null, version: 1 });
  const id = network['id'] as unknown as string;

  const read = await api.call(key, { url: `${url}/${id}` });
  t.strictSame(read.json['data'], network);
  t.equal(read.headers['etag'], '"1"');

  const changed = await change(api, key, id, { primaryColor: '#00aa88', legalName: 'East AB' }, '"1"');
  t.equal(changed.headers['etag'], '"2"');
  t.match(changed.json['data'], { ...east, primaryColor: '#00aa88', legalName: 'East AB', version: 2 });
  const late = await change(api, key, id, { name: 'Late' }, '"1"');
  t.match(late, { status: 412, json: { error: { code: 'PRECONDITION_FAILED', details: { version: 2 } } } });
  t.equal((await change(api, key, id, { name: 'Late' }, 'W/"x"')).status, 412);
  t.equal((await change(api, key, id, { name: 'Late' }, 'W/"1"')).status, 412);

  t.match(await api.call(key, { method: 'DELETE', url: `${url}/${id}` }), {
    status: 200,
    json: { data: { id, deleted: true } },
  });
  t.equal((await api.call(key, { url: `${url}/${id}` })).status, 404);
  t.match(
    await api.stores.sql`select action, resource_id, details from audit_log
      where category = 'network' order by id`,
    [
      { action: 'create', resource_id: id, details: { before: null, after: { slug: 'east' } } },
      {
        action: 'update',
        details: { before: { primaryColor: null }, after: { primaryColor: '#00aa88', legalName: 'East AB' } },
      },
      { action: 'delete', details: { before: { name: 'East' }, after: null } },
    ],
  );
});

void t.test('a refused change leaves neither a change nor an entry', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, firstParty);
  await register(api, key, { serial: 'CP-1', networkUuid: api.network.uuid });
  for (const [request, status, code] of [
    [{ method: 'DELETE', url: `${url}/${api.network.uuid}` }, 409, 'NETWORK_IN_USE'],
    [{ method: 'POST', url, payload: { ...east, slug: 'north' } }, 409, 'NETWORK_EXISTS'],
    [{ method: 'POST', url, payload: { ...east, timeZone: 'Mars/Base' } }, 400, 'VALIDATION_FAILED'],
    [{ method: 'POST', url, payload: { ...east, currency: 'kr' } }, 400, 'VALIDATION_FAILED'],
    [{ method: 'PATCH', url: `${url}/${api.network.uuid}`, payload: {} }, 400, 'VALIDATION_FAILED'],
    [
      { method: 'PATCH', url: `${url}/${api.network.uuid}`, payload: { currency: 'USD' } },
      400,
      'VALIDATION_FAILED',
    ],
    [{ url: `${url}?cursor=nonsense` }, 400, 'VALIDATION_FAILED'],
  ] as const) {
    t.match(await api.call(key, request), { status, json: { error: { code } } }, JSON.stringify(request));
  }
  t.same(await api.stores.sql`select 1 from audit_log where category = 'network'`, []);
});

void t.test('continues a list after a page', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, firstParty);
  const first = await api.call(key, { url: `${url}?pageSize=1` });
  t.match(items(first.json['data']), [{ slug: 'north' }]);
  await api.call(key, { method: 'POST', url, payload: east });
  const cursor = first.json['nextCursor'] as unknown as string;
  const rest = await api.call(key, { url: `${url}?cursor=${cursor}` });
  t.strictSame(
    items(rest.json['data']).map(({ slug }) => slug as unknown),
    ['south', 'east'],
  );
  t.equal(rest.json['nextCursor'], null);
});

void t.test('hides networks from callers of other networks', async (t) => {
  const api = await startTestApi(t);
  const pinned = await mintKey(api);
  const { uuid } = api.otherNetwork;
  t.match(items((await api.call(pinned, { url })).json['data']), [{ slug: 'north' }]);
  t.equal((await api.call(pinned, { url: `${url}/${uuid}` })).status, 404);
  t.equal((await change(api, pinned, uuid, { name: 'Mine' })).status, 404);
  t.equal((await api.call(pinned, { method: 'DELETE', url: `${url}/${uuid}` })).status, 404);
  t.match(await api.call(pinned, { method: 'POST', url, payload: east }), {
    status: 403,
    json: { error: { code: 'NETWORK_NOT_ALLOWED' } },
  });
  const reader = await mintKey(api, { ...firstParty, scopes: ['cpms:read:chargers'] });
  for (const request of [
    { url },
    { url: `${url}/${uuid}` },
    { method: 'POST', url, payload: east },
    { method: 'PATCH', url: `${url}/${uuid}`, payload: { name: 'x' } },
    { method: 'DELETE', url: `${url}/${uuid}` },
  ] as const) {
    t.match(await api.call(reader, request), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
    t.equal((await api.call(null, request)).status, 401);
  }
});
