import t from 'tap';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';

const url = '/cpms/v1/audit-log';

void t.test('lists the audit log newest first, with filters', async (t) => {
  const api = await startTestApi(t, {}, { fresh: true });
  const { sql } = api.stores;
  const key = await mintKey(api);
  const both = await mintKey(api, { networkIds: [api.network.id, api.otherNetwork.id] });
  const owner = await mintKey(api, { unrestricted: true, networkIds: [] });
  const user = '4b8f3a0e-3c4e-4b52-9f7e-6a3f1a2b3c4d';
  await sql`
    insert into audit_log (at, network_id, category, action, resource_id, resource_name, description, details, user_id,
      user_name, ip_address, request_id)
    values
      ('2026-11-01T10:00:00.123456Z', ${api.network.id}, 'charger', 'create', 'r-1', 'CP-1', 'made', '{"after": {"a": 1}}',
        ${user}, 'Ann', '10.0.0.1', 'req-1'),
      ('2026-11-02T10:00:00Z', ${api.network.id}, 'command', 'reset', 'r-1', 'CP-1', 'reset', '{}', null, 'watchdog', null, null),
      ('2026-11-03T10:00:00Z', ${api.otherNetwork.id}, 'command', 'reset', 'r-2', 'CP-2', 'reset', '{}', ${user}, 'Bob', '::1', null),
      ('2026-11-04T10:00:00Z', null, 'catalog', 'create', 'r-3', 'Model', 'made', '{}', ${user}, 'Ann', '10.0.0.1', null)`;
  const read = async (by: string, query = '') => (await api.call(by, { url: `${url}${query}` })).json;
  const ids = async (by: string, query = '') =>
    items((await read(by, query))['data']).map(({ id }) => Number(id));

  const mine = await read(key);
  t.match(mine, { success: true, pagination: { page: 1, pageSize: 50, total: 2, totalPages: 1 } });
  t.strictSame(items(mine['data'])[1], {
    id: 1,
    category: 'charger',
    action: 'create',
    resourceId: 'r-1',
    resourceName: 'CP-1',
    description: 'made',
    details: '{"after":{"a":1}}',
    userId: user,
    userName: 'Ann',
    ipAddress: '10.0.0.1',
    timestamp: '2026-11-01T10:00:00.123Z',
  });
  t.match(items(mine['data'])[0], { details: '{}', userId: null, ipAddress: null });

  const { uuid } = api.network;
  for (const [by, query, expected] of [
    [key, '', [2, 1]],
    [both, '', [3, 2, 1]],
    [owner, '', [4, 3, 2, 1]],
    [owner, `?networkId=${uuid}`, [2, 1]],
    [both, `?networkUuid=${uuid}`, [2, 1]],
    [owner, '?category=command', [3, 2]],
    [owner, '?action=create', [4, 1]],
    [owner, '?resourceId=r-1', [2, 1]],
    [owner, `?userId=${user}`, [4, 3, 1]],
    [key, `?userId=${user}&category=charger`, [1]],
    [owner, '?category=command&action=create', []],
    [owner, '?from=2026-11-02T10:00:00Z&to=2026-11-03T10:00:00Z', [3, 2]],
    [owner, '?from=2026-11-01T10:00:00.123Z&to=2026-11-01T10:00:00.123Z', [1]],
    [owner, '?pageSize=3&page=2', [1]],
    [owner, '?pageSize=200', [4, 3, 2, 1]],
  ] as const) {
    t.strictSame(await ids(by, query), [...expected], query);
  }
  t.match(await read(owner, '?pageSize=3&page=2'), {
    pagination: { page: 2, pageSize: 3, total: 4, totalPages: 2 },
  });

  for (const query of [
    'pageSize=201',
    'page=0',
    'pageSize=200&page=501',
    'from=yesterday',
    'userId=Ann',
    'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z',
  ]) {
    t.match(
      await api.call(owner, { url: `${url}?${query}` }),
      { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } },
      query,
    );
  }
  t.equal((await api.call(key, { url: `${url}?networkId=${api.otherNetwork.uuid}` })).status, 404);
  t.match(await api.call(await mintKey(api, { scopes: ['cpms:read:chargers'] }), { url }), {
    status: 403,
    json: { error: { code: 'SCOPE_MISSING', details: { scope: 'cpms:read:audit-log' } } },
  });
  t.equal((await api.call(null, { url })).status, 401);
});
