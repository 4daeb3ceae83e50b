import t from 'tap';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { readInstallation } from '#api/services/fleet/installation.service.ts';
import { reportShard } from '#shared/postgres/fleet/shard-reports.ts';
import { removeProcessReport, reportProcess } from '#shared/postgres/kernel/process-reports.ts';
import type { ShardFigures } from '#shared/domain/fleet/shard-report.ts';

const url = '/cpms/v1/installation';

const figures: ShardFigures = {
  sockets: { '1.6': 3, '2.0.1': 1 },
  callsPerSecond: 4.5,
  readingsPerSecond: 20,
  busyPercent: 12,
  waitingSegments: 0,
  walLagSeconds: 0,
  walRoomBytes: 1e9,
  clockAheadSeconds: 0.1,
};

void t.test('returns stores, gateways with their shards, and queues', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api, { unrestricted: true, networkIds: [] });
  const startedAt = new Date('2026-11-28T10:00:00Z');
  const shardOf = (node: string, gateway: string, shard: number) => ({
    node,
    gateway,
    shard,
    version: '0.1.0',
    startedAt,
  });
  await reportShard(sql, shardOf('a-0', 'a/1', 0), figures);
  await reportShard(sql, shardOf('a-1', 'a/1', 1), figures);
  await reportShard(sql, shardOf('b-0', 'b/1', 0), figures);
  await sql`update gateway_shard_reports set reported_at = now() - interval '30 seconds' where node = 'b-0'`;
  await sql`insert into queued_jobs (name, payload, due_at) values ('send-mail', '{"mailId": 1}', now() - interval '1 minute')`;
  const process = { version: '0.1.0', nodeVersion: '22.11.0', startedAt };
  await reportProcess(sql, { ...process, name: 'api-a/1' });
  await reportProcess(sql, { ...process, name: 'api-b/1' });
  await reportProcess(sql, { ...process, name: 'api-c/1' });
  await removeProcessReport(sql, { name: 'api-c/1' });
  await sql`update api_process_reports set reported_at = now() - interval '3 minutes' where name = 'api-b/1'`;
  const { status, json } = await api.call(key, { url });
  t.equal(status, 200);
  const data = json['data'];
  t.match(data, {
    version: String,
    stores: {
      postgresql: { state: 'up', fault: null, version: /^\d/, answeredInMs: Number },
      clickhouse: { state: 'up', version: /^\d/ },
      bus: { state: 'up', version: null },
    },
    gateways: [
      { name: 'a/1', version: '0.1.0', startedAt: startedAt.toISOString() },
      { name: 'b/1', shards: [{ shard: 0, state: 'silent', ...figures }] },
    ],
    gatewaysFault: null,
    processes: [
      { name: 'api-a/1', state: 'running', version: '0.1.0', nodeVersion: '22.11.0' },
      { name: 'api-b/1', state: 'silent', startedAt: startedAt.toISOString() },
    ],
    processesFault: null,
    queuesFault: null,
  });
  const [first] = (data?.['gateways'] ?? []) as unknown as { shards: { shard: number; state: string }[] }[];
  t.match(first?.shards, [
    { shard: 0, state: 'running' },
    { shard: 1, state: 'running' },
  ]);
  const queues = data?.['queues'] as unknown as { name: string; waiting: number }[];
  t.match(
    queues.find(({ name }) => name === 'send-mail'),
    { waiting: 1 },
  );
  t.ok(queues.some(({ name }) => name === 'webhooks'));
});

void t.test(
  'replaces the report of a thread that started again, and forgets threads and processes after an hour',
  async (t) => {
    const api = await startTestApi(t, {}, { fresh: true });
    const { sql } = api.stores;
    const shard = { gateway: 'a/1', shard: 0, version: '0.1.0', startedAt: new Date() };
    await reportShard(sql, { ...shard, node: 'old' }, figures);
    await reportShard(sql, { ...shard, node: 'gone', gateway: 'b/1' }, figures);
    await sql`update gateway_shard_reports set reported_at = now() - interval '61 minutes' where node = 'gone'`;
    await reportShard(sql, { ...shard, node: 'new' }, figures);
    t.same(await sql`select node from gateway_shard_reports`, [{ node: 'new' }]);
    const process = { version: '0.1.0', nodeVersion: '22.11.0', startedAt: new Date() };
    await reportProcess(sql, { ...process, name: 'lost' });
    await sql`update api_process_reports set reported_at = now() - interval '61 minutes'`;
    await reportProcess(sql, { ...process, name: 'new' });
    t.same(await sql`select name from api_process_reports`, [{ name: 'new' }]);
  },
);

void t.test('returns the other parts while a store does not answer', async (t) => {
  const { deps } = await startTestApi(t);
  const clickhouse = Object.assign(Object.create(deps.clickhouse as object) as typeof deps.clickhouse, {
    query: () => new Promise<never>(() => undefined),
  });
  const bus = Object.assign(Object.create(deps.bus as object) as typeof deps.bus, {
    ping: () => Promise.reject(new Error('the bus is away')),
  });
  const state = await readInstallation({ ...deps, clickhouse, bus }, { unrestricted: true } as Caller);
  t.match(state, {
    stores: {
      postgresql: { kind: 'known' },
      clickhouse: { kind: 'missing', fault: 'timeout' },
      bus: { kind: 'missing', fault: 'unavailable' },
    },
    gateways: { kind: 'known' },
    queues: { kind: 'known' },
  });
});

void t.test('serves callers without a restriction to networks only', async (t) => {
  const api = await startTestApi(t);
  t.match(await api.call(null, { url }), { status: 401 });
  t.match(await api.call(await mintKey(api), { url }), {
    status: 403,
    json: { error: { code: 'NETWORK_NOT_ALLOWED' } },
  });
  const other = await mintKey(api, { unrestricted: true, networkIds: [], scopes: ['cpms:read:chargers'] });
  t.match(await api.call(other, { url }), { status: 403 });
});
