import t from 'tap';
import { items, type Json, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { until } from '#shared/testing/until.ts';
import { enveloped, startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { inNetwork, owed, pushed, seedPlace, settled, startPusher } from './support/pushing.ts';

const shared = await startTestApi(t);
const log = '/cpms/v1/ocpi-exchanges';
const idOf = (entry: Json | undefined) => entry?.['id'] as unknown as string;

/** Reads the exchange log until it satisfies a condition: entries are stored in batches. */
async function entries(
  api: TestApi,
  key: string,
  query: string,
  isComplete: (found: Json[]) => boolean,
): Promise<Json[]> {
  return until(`the exchanges ${query}`, async () => {
    const answer = await api.call(key, { url: `${log}?${query}` });
    if (answer.status !== 200) throw new Error(answer.text);
    const found = items(answer.json['data']);
    return isComplete(found) && found;
  });
}

void t.test('lists the exchanges of all partners by filter, newest first', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const [first, second] = [await startEmsp(t), await startEmsp(t)];
  const one = await registerEmsp(api, first);
  const two = await registerEmsp(api, second, {
    party: { countryCode: 'FR', partyId: 'OTH' },
    partner: { name: 'Other' },
  });
  await ocpi(api, one.token, { url: '/ocpi/cpo/2.2.1/locations' });
  await ocpi(api, two.token, { url: '/ocpi/cpo/2.2.1/locations?limit=wrong' });
  const all = await entries(api, key, 'pageSize=50', (found) => found.length === 8);
  const times = all.map(({ time }) => time as unknown as string);
  t.same(
    times,
    times.toSorted((a, b) => b.localeCompare(a)),
  );
  const names = new Set(all.map(({ partnerName }) => partnerName as unknown as string));
  t.same([...names].toSorted(), ['Other', 'eMSP']);
  const counts = async (query: string) =>
    items((await api.call(key, { url: `${log}?${query}` })).json['data']).length;
  t.equal(await counts(`partnerId=${two.id}`), 4);
  t.equal(await counts('direction=out'), 4, 'versions and details of both');
  t.equal(await counts('module=locations'), 2);
  t.equal(await counts('failedOnly=true'), 1);
  t.equal(await counts(`to=${new Date(Date.now() - 3_600_000).toISOString()}`), 0);
  t.match(items((await api.call(key, { url: `${log}?failedOnly=true` })).json['data']), [
    {
      module: 'locations',
      direction: 'in',
      httpStatus: 200,
      ocpiStatus: 2001,
      isRepeatable: false,
      object: null,
    },
  ]);

  const page = await api.call(key, { url: `${log}?pageSize=5` });
  const cursor = page.json['nextCursor'] as unknown as string;
  const rest = await api.call(key, { url: `${log}?pageSize=5&cursor=${cursor}` });
  const ids = [...items(page.json['data']), ...items(rest.json['data'])].map(({ id }) => id);
  t.same(ids, all.map(({ id }) => id) as never, 'pages hold every exchange once');
  t.equal(rest.json['nextCursor'], null);

  const [entry] = all;
  const whole = await api.call(key, { url: `${log}/${idOf(entry)}` });
  t.match(whole.json['data'], { id: entry?.['id'], response: String, request: String });

  const other = await mintKey(await inNetwork(shared));
  t.same((await api.call(other, { url: log })).json['data'], []);
  for (const url of [`${log}?partnerId=${one.id}`, `${log}/${idOf(entry)}`]) {
    t.equal((await api.call(other, { url })).status, 404, url);
    t.equal((await api.call(null, { url })).status, 401, url);
    t.equal(
      (await api.call(await mintKey(api, { scopes: ['cpms:read:tariffs'] }), { url })).status,
      403,
      url,
    );
  }
  for (const id of ['1-x', '99999999999999-123e4567-e89b-42d3-a456-426614174000', 'x']) {
    t.equal((await api.call(key, { url: `${log}/${id}` })).status, 404, id);
  }
  const unknown = `${log}/1764000000000-123e4567-e89b-42d3-a456-426614174000`;
  t.match(await api.call(key, { url: unknown }), {
    status: 404,
    json: { error: { code: 'EXCHANGE_NOT_FOUND' } },
  });
});

void t.test('queues the object of a failed push again', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const emsp = await startEmsp(t);
  const { location } = await seedPlace(api);
  const { id } = await registerEmsp(api, emsp);
  emsp.react('/ocpi/emsp/2.2.1/locations', { status: 400, body: enveloped(undefined, 2001) }, 1);
  startPusher(t, api, { retry: { firstMs: 600_000, longestMs: 600_000 } });
  await api.stores
    .sql`update locations set is_published = true, name = 'New harbour' where id = ${location.id}`;
  await emsp.next('PUT', '/ocpi/emsp/2.2.1/locations');
  const [failed] = await entries(
    api,
    key,
    'direction=out&module=locations&failedOnly=true',
    (found) => found.length === 1,
  );
  t.match(failed, { isRepeatable: true, object: 'location', method: 'PUT', httpStatus: 400, partnerId: id });
  const detail = await api.call(key, { url: `/cpms/v1/ocpi-partners/${id}` });
  const modules = items(detail.json['data']?.['push']?.['modules']);
  t.match(
    modules.find(({ module }) => (module as unknown) === 'locations'),
    { waiting: 1, failing: 1, lastError: /HTTP 400/ },
  );
  t.equal(await owed(api), 1);

  const retry = { method: 'POST', url: `${log}/${idOf(failed)}/retry` } as const;
  t.match(await api.call(key, retry), { status: 202, json: { data: { queued: true } } });
  t.match(await emsp.next('PUT', '/ocpi/emsp/2.2.1/locations'), { body: { name: 'New harbour' } });
  await settled(api);
  t.equal(pushed(emsp, 'locations').length, 2);
  const audit = await api.call(key, { url: '/cpms/v1/audit-log?category=ocpi-partner' });
  t.match(items(audit.json['data'])[0], { action: 'retry-exchange' });

  const other = await mintKey(await inNetwork(shared));
  const reader = await mintKey(api, { scopes: ['cpms:read:ocpi-partners'] });
  t.equal((await api.call(other, retry)).status, 404);
  t.equal((await api.call(null, retry)).status, 401);
  t.equal((await api.call(reader, retry)).status, 403);
  const [incoming] = await entries(api, key, 'module=versions', (found) => found.length > 0);
  const versions = { method: 'POST', url: `${log}/${idOf(incoming)}/retry` } as const;
  t.match(await api.call(key, versions), {
    status: 409,
    json: { error: { code: 'OCPI_EXCHANGE_NOT_REPEATABLE' } },
  });
  const suspend = {
    method: 'PATCH',
    url: `/cpms/v1/ocpi-partners/${id}`,
    payload: { isSuspended: true },
  } as const;
  await api.call(key, suspend);
  t.match((await api.call(key, retry)).json, { error: { code: 'PARTNER_NOT_REGISTERED' } });
});

void t.test('shows the latest requests with a partner each way, and lists its pushes', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const { id, token } = await registerEmsp(api, await startEmsp(t));
  await ocpi(api, token, { url: '/ocpi/cpo/2.2.1/locations?limit=wrong' });
  const url = `/cpms/v1/ocpi-partners/${id}/health`;
  const health = await until('the health of the partner', async () => {
    const { json } = await api.call(key, { url });
    const data = json['data'];
    return (
      (data?.['in']?.['failures'] as unknown) === 1 && (data?.['out']?.['requests'] as unknown) === 2 && data
    );
  });
  t.match(health, {
    in: { lastSuccessAt: String, lastFailureAt: String, requests: 2, failures: 1 },
    out: { lastSuccessAt: String, lastFailureAt: null, requests: 2, failures: 0 },
  });
  const list = await api.call(key, { url: '/cpms/v1/ocpi-partners' });
  t.match(items(list.json['data']), [
    { id, registration: 'REGISTERED', push: { breaker: 'CLOSED', waiting: 0, failures: 0 } },
  ]);
  t.equal((await api.call(await mintKey(await inNetwork(shared)), { url })).status, 404);
  t.equal((await api.call(null, { url })).status, 401);
  t.equal((await api.call(await mintKey(api, { scopes: ['cpms:read:tariffs'] }), { url })).status, 403);
});
