import t from 'tap';
import { pullHubClients } from '#api/services/roaming/pulled-lists.ts';
import { items, type Json, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { testSettings } from '#api/test/support/deps.ts';
import { readDocument } from '#api/test/support/openapi-document.ts';
import { ocpiVersions } from '#shared/domain/roaming/ocpi.ts';
import { enveloped, startEmsp } from './support/emsp.ts';
import { french, from, hubParty, italian, patchPartner, registerHub, reportClient } from './support/hub.ts';
import { makePartner, ocpi, registerEmsp } from './support/partner.ts';

const text = (json: Json | undefined) => json as unknown as string;

const url = '/ocpi/cpo/2.2.1/hubclientinfo/FR/EMP';
const done = { json: { status_code: 1000 } };
const client = (party: object, status: string) => ({
  ...party,
  role: 'EMSP',
  status,
  last_updated: '2025-01-01T00:00:00.000Z',
});

void t.test('the clients of a hub', async (t) => {
  const api = await startTestApi(t);
  const { id, token } = await registerHub(t, api);
  const stored = async () => (await ocpi(api, token, { url })).json['data'];

  await t.test('are reported and read back', async (t) => {
    t.match(await ocpi(api, token, { url }), { status: 404, json: { status_code: 2000 } });
    t.match(await reportClient(api, token, french, 'PLANNED'), done);
    t.match(await stored(), { ...french, role: 'EMSP', status: 'PLANNED' });
    t.match(await reportClient(api, token, french, 'CONNECTED'), done);
    t.match(await stored(), { status: 'CONNECTED' });
    t.match(
      await reportClient(api, token, french, 'OFFLINE', { last_updated: '2020-01-01T00:00:00Z' }),
      done,
    );
    t.match(await stored(), { status: 'CONNECTED' }, 'an older report changes nothing');
  });

  await t.test('are refused in another form', async (t) => {
    const wrong = { json: { status_code: 2001 } };
    t.match(await reportClient(api, token, french, 'GONE'), wrong);
    t.match(await reportClient(api, token, french, 'OFFLINE', { party_id: 'XXX' }), wrong);
    t.match(await reportClient(api, token, french, 'OFFLINE', { last_updated: undefined }), wrong);
  });

  await t.test('need no routing headers', async (t) => {
    const headers = from({ country_code: 'XX', party_id: 'NOT' });
    t.match(await ocpi(api, token, { url, headers }), done);
  });

  await t.test('are listed for the operator with what the hub may carry', async (t) => {
    await makePartner(api, { parties: [{ countryCode: 'IT', partyId: 'EMP' }] });
    await reportClient(api, token, italian, 'SUSPENDED');
    const list = `/cpms/v1/ocpi-partners/${id}/hub-clients`;
    const key = await mintKey(api);
    const first = await api.call(key, { url: `${list}?pageSize=1` });
    t.match(first.json['data'], [
      { countryCode: 'FR', partyId: 'EMP', status: 'CONNECTED', isGranted: true },
    ]);
    const nextCursor = first.json['nextCursor'] as unknown as string;
    const second = await api.call(key, { url: `${list}?pageSize=1&cursor=${nextCursor}` });
    t.match(second.json['data'], [
      { countryCode: 'IT', role: 'EMSP', status: 'SUSPENDED', isGranted: false },
    ]);
    const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
    t.match(await api.call(foreign, { url: list }), {
      status: 404,
      json: { error: { code: 'PARTNER_NOT_FOUND' } },
    });
    t.equal((await api.call(null, { url: list })).status, 401);
  });

  await t.test('end when the operator no longer marks the partner as a hub', async (t) => {
    t.match(await patchPartner(api, id, { hubParties: null }), { status: 200 });
    t.equal((await ocpi(api, token, { url })).status, 404);
    t.match(await reportClient(api, token, french, 'CONNECTED'), {
      status: 403,
      json: { status_message: /OCPI_WRITE_NOT_GRANTED/ },
    });
  });
});

void t.test('the clients of a hub are closed to other partners and the public', async (t) => {
  const api = await startTestApi(t);
  const { token } = await registerHub(t, api);
  await reportClient(api, token, french, 'CONNECTED');
  const { token: direct } = await registerEmsp(api, await startEmsp(t));
  t.match(await ocpi(api, direct, { url }), { status: 404 });
  t.match(await reportClient(api, direct, french, 'SUSPENDED'), { status: 403 });
  t.match(await ocpi(api, null, { url }), { status: 401 });
  t.match((await ocpi(api, token, { url })).json['data'], { status: 'CONNECTED' });
});

void t.test('the module is listed since 2.2.1', async (t) => {
  const api = await startTestApi(t);
  const { token } = await registerHub(t, api);
  const module = async (version: string) => {
    const { json } = await ocpi(api, token, { url: `/ocpi/${version}` });
    return items(json['data']?.['endpoints']).filter(
      ({ identifier }) => text(identifier) === 'hubclientinfo',
    );
  };
  t.match(await module('2.2.1'), [{ role: 'RECEIVER', url: /\/ocpi\/cpo\/2\.2\.1\/hubclientinfo$/ }]);
  t.match(await module('2.3.0'), [{ role: 'RECEIVER', url: /\/ocpi\/cpo\/2\.3\.0\/hubclientinfo$/ }]);
  t.strictSame([...(await module('2.2')), ...(await module('2.1.1'))], []);
  const plain = await startTestApi(t, { settings: { ...testSettings, ocpiStrict: false } });
  t.equal((await ocpi(plain, token, { url })).status, 401);
});

void t.test('serves every endpoint that the details of a version list', async (t) => {
  const api = await startTestApi(t);
  const { token } = await registerHub(t, api);
  const paths = Object.keys((await readDocument(api))['paths'] ?? {});
  for (const version of ocpiVersions) {
    const { json } = await ocpi(api, token, { url: `/ocpi/${version}` });
    for (const { url } of items(json['data']?.['endpoints'])) {
      const { pathname } = new URL(text(url));
      const isServed = (path: string) => `${path.replace('{version}', version)}/`.startsWith(`${pathname}/`);
      t.ok(paths.some(isServed), pathname);
    }
  }
  for (const version of ['2.2.1', '2.3.0']) {
    const answer = await ocpi(api, token, { url: url.replace('2.2.1', version) });
    t.match(answer.text, /OCPI_CLIENT_NOT_FOUND/);
  }
});

void t.test('reads the clients of a hub after the handshake, then changes', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { id, hub } = await registerHub(t, api);
  const { id: direct } = await registerEmsp(api, await startEmsp(t));
  const list = '/ocpi/emsp/2.2.1/hubclientinfo';
  hub.react(`${list}?limit`, {
    body: enveloped([client(french, 'CONNECTED'), client(italian, 'OFFLINE'), { party_id: 'BROKEN' }]),
  });
  hub.react(`${list}?date_from`, {
    body: enveloped([{ ...client(italian, 'CONNECTED'), last_updated: '2025-02-01T00:00:00Z' }]),
  });
  const clients = async () => {
    const { json } = await api.call(await mintKey(api), { url: `/cpms/v1/ocpi-partners/${id}/hub-clients` });
    return items(json['data']).map(({ countryCode, status }) => `${text(countryCode)} ${text(status)}`);
  };
  await pullHubClients(api.deps);
  t.strictSame(await clients(), ['FR CONNECTED', 'IT OFFLINE']);
  t.match((await hub.next('GET', list)).headers, {
    'ocpi-to-party-id': undefined,
    'ocpi-from-party-id': undefined,
  });
  await sql`update ocpi_hub_client_pulls set next_at = now()`;
  await pullHubClients(api.deps);
  t.strictSame(await clients(), ['FR CONNECTED', 'IT CONNECTED']);
  t.match(await patchPartner(api, id, { hubParties: null }), { status: 200 });
  t.match(await patchPartner(api, id, { hubParties: 'ANY' }), { status: 200 });
  await pullHubClients(api.deps);
  t.strictSame(await clients(), ['FR CONNECTED', 'IT OFFLINE'], 'all of them when it is a hub again');
  const [read] = await sql`
    select count(*)::integer as count from ocpi_hub_client_pulls l join ocpi_partners p on p.id = l.partner_id
    where p.uuid = ${direct}`;
  t.match(read, { count: 0 }, 'of hubs only');
  const url = `/cpms/v1/ocpi-partners/${id}/registration-token`;
  await api.call(await mintKey(api), { method: 'POST', url });
  t.strictSame(await clients(), [], 'nothing is left of a registration that ended');
});

void t.test('an operator that may not give a partner its rights cannot mark or unmark a hub', async (t) => {
  const api = await startTestApi(t);
  const { id } = await registerHub(t, api, { parties: [hubParty], hubParties: null });
  const scopes = ['cpms:write:ocpi-partners', 'cpms:read:ocpi-partners'] as never;
  const key = await mintKey(api, { scopes });
  const patch = (payload: object) =>
    api.call(key, { method: 'PATCH', url: `/cpms/v1/ocpi-partners/${id}`, payload });
  const refused = { status: 403, json: { error: { code: 'SCOPE_MISSING' } } };
  t.match(await patch({ hubParties: 'ANY' }), refused);
  t.match(await patch({ hubParties: null }), refused);
});
