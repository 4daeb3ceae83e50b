import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { until } from '#shared/testing/until.ts';

const path = '/cpms/v1/audit-log/export';
const ann = '4b8f3a0e-3c4e-4b52-9f7e-6a3f1a2b3c4d';

/** Four entries: two of a network, one of another, one of none. */
async function scene(t: Test) {
  const api = await startTestApi(t, {}, { fresh: true });
  await api.stores.sql`
    insert into audit_log (at, network_id, category, action, resource_id, resource_name, description, details, user_id,
      user_name, ip_address, request_id)
    values
      ('2026-11-01T10:00:00.123456Z', ${api.network.id}, 'charger', 'create', 'r-1', 'CP-1', 'made', '{"after": {"a": 1}}',
        ${ann}, 'Ann', '10.0.0.1', 'req-1'),
      ('2026-11-02T10:00:00Z', ${api.network.id}, 'command', 'reset', 'r-1', 'CP-1', '=1+1', '{}', null, 'watchdog', null, null),
      ('2026-11-03T10:00:00Z', ${api.otherNetwork.id}, 'command', 'reset', 'r-2', 'CP-2', 'reset', '{}', ${ann}, 'Ann', '::1', null),
      ('2026-11-04T10:00:00Z', null, 'catalog', 'create', 'r-3', 'Model', 'made', '{}', null, 'Bob', '10.0.0.1', null)`;
  const get = (key: string | null, query = '') =>
    api.app.inject({ url: `${path}${query}`, headers: key === null ? {} : { 'x-api-key': key } });
  const lines = async (key: string, query = '') =>
    (await get(key, query)).body
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  /** Ids of the entries of the scene, without those that the exports themselves add. */
  const ids = async (key: string, query = '?') =>
    (await lines(key, `${query}&to=2026-11-05T00:00:00Z`)).map(({ id }) => Number(id));
  return { api, get, lines, ids };
}

void t.test('exports the entries of the networks of a key, oldest first', async (t) => {
  const { api, get, lines, ids } = await scene(t);
  const key = await mintKey(api);
  const both = await mintKey(api, { networkIds: [api.network.id, api.otherNetwork.id] });
  const owner = await mintKey(api, { unrestricted: true, networkIds: [] });
  t.strictSame(await ids(key), [1, 2]);
  t.strictSame(await ids(both), [1, 2, 3]);
  t.strictSame(await ids(owner), [1, 2, 3, 4]);
  t.strictSame(await ids(owner, `?networkId=${api.otherNetwork.uuid}`), [3]);
  t.strictSame((await lines(key))[0], {
    id: 1,
    timestamp: '2026-11-01T10:00:00.123Z',
    networkId: api.network.uuid,
    category: 'charger',
    action: 'create',
    resourceId: 'r-1',
    resourceName: 'CP-1',
    description: 'made',
    userId: ann,
    userName: 'Ann',
    ipAddress: '10.0.0.1',
    requestId: 'req-1',
    details: { after: { a: 1 } },
  });
  const { headers } = await get(key);
  t.match(headers, {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'content-disposition': 'attachment; filename="audit-log.ndjson"',
    'cache-control': 'no-store',
  });
});

void t.test('exports what the filters of the list select', async (t) => {
  const { api, ids } = await scene(t);
  const owner = await mintKey(api, { unrestricted: true, networkIds: [] });
  for (const [query, expected] of [
    ['?category=command', [2, 3]],
    ['?action=create', [1, 4]],
    ['?resourceId=r-1', [1, 2]],
    [`?userId=${ann}`, [1, 3]],
    ['?from=2026-11-02T10:00:00Z', [2, 3, 4]],
    ['?category=charger&action=reset', []],
  ] as const) {
    t.strictSame(await ids(owner, query), [...expected], query);
  }
});

void t.test('exports CSV whose texts are no formulas', async (t) => {
  const { api, get } = await scene(t);
  const response = await get(await mintKey(api), '?format=csv&to=2026-11-05T00:00:00Z');
  t.match(response.headers, { 'content-type': 'text/csv; charset=utf-8' });
  const [header, first, second, ...others] = response.body.split('\r\n');
  t.equal(
    header,
    '\ufeffid,timestamp,networkId,category,action,resourceId,resourceName,description,userId,userName,ipAddress,requestId,details',
  );
  t.equal(
    first,
    `1,2026-11-01T10:00:00.123Z,${api.network.uuid},charger,create,r-1,CP-1,made,${ann},Ann,10.0.0.1,req-1,"{""after"":{""a"":1}}"`,
  );
  t.match(second, ",'=1+1,,watchdog,");
  t.strictSame(others, ['']);
});

void t.test('exports more entries than are read at once, in their order', async (t) => {
  const { api, lines } = await scene(t);
  const { sql } = api.stores;
  await sql`
    insert into audit_log (at, network_id, category, action, description, details)
    select '2026-11-04T00:00:00Z'::timestamptz + n / 10 * interval '1 millisecond', ${api.network.id}, 'many', 'create', 'made', '{}'
    from generate_series(1, 2500) n`;
  const exported = await lines(await mintKey(api), '?category=many');
  const stored = await sql<
    { id: bigint }[]
  >`select id from audit_log where category = 'many' order by at, id`;
  t.strictSame(
    exported.map(({ id }) => id),
    stored.map(({ id }) => Number(id)),
  );
});

void t.test('records the export in the log', async (t) => {
  const { api, get } = await scene(t);
  const key = await mintKey(api);
  await get(key, '?category=charger&format=csv');
  const { json } = await api.call(key, { url: '/cpms/v1/audit-log?category=export' });
  const [entry, ...others] = items(json['data']);
  t.strictSame(others, []);
  t.match(entry, { action: 'stream', resourceId: 'audit-log' });
  t.match(entry?.['details'], '"category":"charger"');
});

void t.test('refuses an export of a foreign network, without scope, or with wrong filters', async (t) => {
  const { api, get } = await scene(t);
  const key = await mintKey(api);
  const code = async (by: string | null, query = '') =>
    (await get(by, query)).json<{ error: { code: string } }>().error.code;
  t.equal(await code(key, `?networkId=${api.otherNetwork.uuid}`), 'NETWORK_NOT_FOUND');
  t.equal(await code(await mintKey(api, { scopes: ['cpms:read:exports'] })), 'SCOPE_MISSING');
  t.equal(await code(null), 'KEY_MISSING');
  for (const query of ['format=xml', 'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z', 'userId=Ann']) {
    t.equal(await code(key, `?${query}`), 'VALIDATION_FAILED', query);
  }
});

void t.test('serves one export of a caller at a time, until the client goes away', async (t) => {
  const { api, get } = await scene(t);
  // More than the buffers of a connection hold.
  await api.stores.sql`
    insert into audit_log (network_id, category, action, description, details)
    select ${api.network.id}, 'many', 'create', 'made', jsonb_build_object('text', repeat('x', 8000))
    from generate_series(1, 6000) n`;
  const key = await mintKey(api);
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = api.app.server.address() as AddressInfo;
  const sent = request({ port, path, headers: { 'x-api-key': key } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  t.equal(response.statusCode, 200);
  t.match((await get(key)).json(), { error: { code: 'TOO_MANY_EXPORTS' } });
  t.equal((await get(await mintKey(api), '?category=charger')).statusCode, 200, 'another caller');
  sent.destroy();
  await until('the released slot', async () => (await get(key, '?category=charger')).statusCode === 200);
});
