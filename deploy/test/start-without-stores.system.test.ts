import t, { type Test } from 'tap';
import { openStoreLinks, type StoreName, type StoreLinks } from '#deploy/chaos/store-links.ts';
import { connectRaw } from '#gateway/test/support/raw-charger.ts';
import { seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { type StoreOptions, type TestStores, testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { gatewayEnvironment, type RunningProcess, startProcess, untilHealthy } from './support/system.ts';

interface Reach {
  stores: TestStores;
  env: Record<string, string>;
  set: (store: StoreName, kind: 'cut' | 'open') => void;
}

/** Makes stores that the processes with `env` reach over links. */
async function linkedStores(t: Test, options: StoreOptions = {}): Promise<Reach> {
  const stores = await testStores(t, options);
  const links: StoreLinks = await openStoreLinks(stores);
  t.teardown(() =>
    Promise.all(Object.values(links).flatMap((each) => each.links.map((link) => link.close()))),
  );
  const own = await gatewayEnvironment(t, stores);
  return {
    stores,
    env: {
      ...own,
      LOG_LEVEL: 'info',
      DATABASE_URL: links.PostgreSQL.url,
      CLICKHOUSE_URL: links.ClickHouse.url,
      REDIS_URL: links.Redis.url,
    },
    set: (store, kind) => links[store].links.forEach((link) => link.set({ kind })),
  };
}

/** Resolves when each process said that it waits for the store. */
async function untilWaiting(processes: RunningProcess[], store: StoreName): Promise<void> {
  const line = `${store} is unavailable; this process waits for it`;
  await until(`a wait for ${store}`, async () => processes.every((each) => each.output().includes(line)));
}

void t.test('a gateway and an API wait for PostgreSQL and Redis, and serve without ClickHouse', async (t) => {
  const { stores, env, set } = await linkedStores(t, { fresh: true });
  // The database is made again when ClickHouse is back.
  await dropAnalytics(stores);
  for (const store of ['PostgreSQL', 'ClickHouse', 'Redis'] as const) set(store, 'cut');
  const gateway = startProcess(t, 'gateway/main.ts', env);
  const api = startProcess(t, 'api/main.ts', env);
  await untilWaiting([gateway, api], 'PostgreSQL');
  set('PostgreSQL', 'open');
  await untilWaiting([gateway, api], 'Redis');
  set('Redis', 'open');
  await untilHealthy(gateway, `http://127.0.0.1:${env['GATEWAY_METRICS_PORT']}/health/ready`);
  await untilHealthy(api, `http://127.0.0.1:${env['PORT']}/health/ready`);

  const network = await seedNetwork(stores.sql);
  const charger = await seedCharger(stores.sql, network.id, { connectors: 1 });
  const socket = await connectRaw({ ocppUrl: `ws://127.0.0.1:${env['OCPP_PORT']}/ocpp` }, charger, 'ocpp1.6');
  const sampledValue = [{ value: '1234', measurand: 'Energy.Active.Import.Register', unit: 'Wh' }];
  const meterValue = [{ timestamp: new Date().toISOString(), sampledValue }];
  t.match(await socket.call('1', 'MeterValues', { connectorId: 1, meterValue }), [3, '1', {}]);
  set('ClickHouse', 'open');
  await until('the reading in ClickHouse', async () => {
    const query = 'select energy_wh from meter_samples';
    const result = await stores.clickhouse.query({ query, format: 'JSONEachRow' }).catch(() => null);
    return (await result?.json())?.length === 1;
  });
});

void t.test('a process that waits for a store ends when it is asked to', async (t) => {
  const { env, set } = await linkedStores(t);
  set('PostgreSQL', 'cut');
  const processes = ['gateway/main.ts', 'api/main.ts'].map((entry) => startProcess(t, entry, env));
  await untilWaiting(processes, 'PostgreSQL');
  t.same(await Promise.all(processes.map((each) => each.kill('SIGTERM'))), [0, 0]);
});

void t.test('a process that Redis refuses does not wait', async (t) => {
  const { env } = await linkedStores(t);
  const url = new URL(env['REDIS_URL'] ?? '');
  url.username = 'nobody';
  url.password = 'wrong';
  const api = startProcess(t, 'api/main.ts', { ...env, REDIS_URL: url.href });
  t.equal(await api.exited, 1);
  t.match(api.output(), 'WRONGPASS');
});

void t.test('a migration that fails ends the process, and is named', async (t) => {
  const { stores, env } = await linkedStores(t, { fresh: true });
  await dropAnalytics(stores);
  const { origin } = new URL(stores.clickhouseUrl);
  const name = nameOf(stores);
  for (const query of [
    `create database ${name}`,
    `create table ${name}.meter_samples (n Int8) engine = MergeTree order by n`,
  ]) {
    const answer = await fetch(origin, { method: 'POST', body: query, headers: authorization(stores) });
    t.equal(answer.status, 200, query);
  }
  const migration = startProcess(t, 'deploy/start/migrate.ts', env);
  t.equal(await migration.exited, 1);
  t.match(migration.output(), /Migration \d{4}_\w+\.sql .*Wrong column/s);
});

async function dropAnalytics(stores: TestStores): Promise<void> {
  const query_params = { name: nameOf(stores) };
  await stores.clickhouse.command({ query: 'drop database {name:Identifier}', query_params });
}

function nameOf({ clickhouseUrl }: TestStores): string {
  return new URL(clickhouseUrl).pathname.slice(1);
}

function authorization({ clickhouseUrl }: TestStores): Record<string, string> {
  const { username, password } = new URL(clickhouseUrl);
  return { authorization: `Basic ${Buffer.from(`${username || 'default'}:${password}`).toString('base64')}` };
}
