import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { connectRaw } from '#gateway/test/support/raw-charger.ts';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';
import { startEmbeddedPostgres } from '#shared/embedded/postgres.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { startOwnRedis } from '#shared/testing/redis.ts';
import { seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { startProcess } from './support/system.ts';

/** Duration of the outage of each store, in ms. */
const outageMs = 5000;

/** Time in ms in which a warning is written once, less the inaccuracy of timers. */
const onceWithinMs = 59_000;

/** The line of one part when each store is back. */
const endings = {
  postgres: 'connections of chargers are written again',
  redis: 'the bus is back',
};

interface Line {
  level: number;
  time: number;
  msg: string;
  name: string;
  job?: string;
}

void t.test('npm start logs a store outage once for each part that uses the store', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'chargeway-test-outage-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  chmodSync(directory, 0o755);
  const startPostgres = () =>
    startEmbeddedPostgres({ dataDir: join(directory, 'postgres'), isDurable: false });
  const redisPort = await freePort();
  const stores = {
    postgres: await startPostgres(),
    clickhouse: await startEmbeddedClickHouse({ dataDir: join(directory, 'clickhouse') }),
    redis: await startOwnRedis({ port: redisPort }),
  };
  t.teardown(() => Promise.all(Object.values(stores).map((store) => store.stop())));
  const port = await freePort();
  const ocppPort = await freePort();
  const product = startProcess(t, 'deploy/start/start.ts', {
    DATA_DIR: join(directory, 'data'),
    PORT: String(port),
    OCPP_PORT: String(ocppPort),
    SHARDS: '2',
    LOG_LEVEL: 'info',
    DATABASE_URL: stores.postgres.url,
    CLICKHOUSE_URL: stores.clickhouse.url,
    REDIS_URL: stores.redis.url,
  });
  // Its start goes on for a moment after it is healthy, and needs PostgreSQL.
  await until(
    'the start',
    () => product.output().includes('chargeway is ready'),
    () => product.output().length,
  );
  const sql = openPostgres(stores.postgres.url, { name: 'test', connections: 1 });
  t.teardown(() => sql.end({ timeout: 0 }));
  const network = await seedNetwork(sql);
  const charger = await seedCharger(sql, network.id, { connectors: 1 });
  const socket = await connectRaw({ ocppUrl: `ws://127.0.0.1:${ocppPort}/ocpp` }, charger, 'ocpp1.6');

  const meUrl = `http://127.0.0.1:${port}/cpms/v1/me`;

  /** Speaks to both parts for as long as an outage lasts. */
  const useWhileAway = async () => {
    const end = Date.now() + outageMs;
    let id = 0;
    await until('the end of the outage', async () => {
      id += 1;
      await socket.call(`m${id}`, 'MeterValues', reading());
      await socket.call(`a${id}`, 'Authorize', { idTag: 'unknown' });
      // A connection that was kept alive may close as it is used again.
      await fetch(meUrl, { headers: { 'x-api-key': 'cw_none' } }).catch(() => undefined);
      return Date.now() >= end;
    });
  };

  const restarts = { postgres: startPostgres, redis: () => startOwnRedis({ port: redisPort }) };
  // An embedded ClickHouse that is started again has another password: it goes last, and stays away.
  for (const name of ['postgres', 'redis', 'clickhouse'] as const) {
    const before = product.output().length;
    const since = () => product.output().slice(before);
    await stores[name].stop();
    await useWhileAway();
    const lastTimes = new Map<string, number>();
    const repeated: string[] = [];
    for (const { name, msg, job = '', time } of warnings(since())) {
      const warning = `${name}: ${msg} ${job}`;
      if (time - (lastTimes.get(warning) ?? 0) < onceWithinMs) repeated.push(warning);
      lastTimes.set(warning, time);
    }
    t.ok(lastTimes.size > 0, `${name}: the outage is logged`);
    t.same(repeated, [], `${name}: no warning is repeated within a minute`);
    if (name === 'clickhouse') continue;
    Object.assign(stores, { [name]: await restarts[name]() });
    await until(`the line of the end of the outage of ${name}`, async () => since().includes(endings[name]));
  }
});

function reading() {
  return {
    connectorId: 1,
    meterValue: [{ timestamp: new Date().toISOString(), sampledValue: [{ value: '1' }] }],
  };
}

/** The lines of a log from level warn on. */
function warnings(output: string): Line[] {
  const lines = output.split('\n').flatMap((text) => {
    try {
      return [JSON.parse(text) as Line];
    } catch {
      return [];
    }
  });
  return lines.filter(({ level }) => level >= 40);
}
