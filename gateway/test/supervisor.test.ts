import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import t from 'tap';
import { Spool } from '#gateway/ingest/spool.ts';
import { orphanedSpools, spoolDirectory } from '#gateway/ingest/spool-directories.ts';
import { startGateway } from '#gateway/processes/supervisor.ts';
import { createLogger } from '#shared/log/log.ts';
import { testConfig } from '#shared/testing/config.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';

/** The spool's disk has more free space than this. */
const floorBytes = 2 ** 20;

void t.test('names a port that is taken and leaves no thread running', async (t) => {
  const stores = await testStores(t);
  const config = await testConfig(t, stores);
  const options = {
    config,
    urls: stores,
    localBusName: 'supervisor-test',
    log: createLogger('test', config.logLevel),
  };
  const foreign = createServer().listen(config.ocppPort, '127.0.0.1');
  await once(foreign, 'listening');
  await t.rejects(startGateway(options), { message: new RegExp(`port ${config.ocppPort} .*OCPP_PORT`) });
  foreign.close();
  await once(foreign, 'close');

  const gateway = await startGateway(options);
  t.ok(gateway.isReady(), 'it starts when the port is free again');
  t.match(await gateway.metrics(), /chargeway_ocpp_connections/);
  await until('an idle loop that is not late', async () => {
    const [, seconds] = /loop_delay_seconds\{.*quantile="0.5".*\} (\S+)/.exec(await gateway.metrics()) ?? [];
    // The samples are 10 ms apart: the pause between them is no delay.
    return Number(seconds) < 0.005;
  });
  await gateway.stop();
  t.notOk(gateway.isReady());
});

void t.test('ends no thread before it has started when the gateway cannot start', async (t) => {
  const stores = await testStores(t);
  const config = await testConfig(t, stores);
  const starting = startGateway({
    config: { ...config, shards: 3 },
    urls: stores,
    localBusName: 'slow-shards-test',
    log: createLogger('test', config.logLevel),
    shardEntry: new URL('./support/slow-shard.ts', import.meta.url),
  });
  await t.rejects(starting, { message: 'it cannot' });
  const left = readdirSync(spoolDirectory(config.dataDir, 0)).filter((name) => name.startsWith('started'));
  t.strictSame(left.toSorted(), ['started-1', 'started-2'], 'what it loads could end the process');
});

void t.test('drains the spool of a former process in the first one', async (t) => {
  const stores = await testStores(t);
  const config = await testConfig(t, stores);
  const sessionId = randomUUID();
  const at = Date.UTC(2026, 4, 4);
  for (const index of [1, 2]) {
    const spool = new Spool(spoolDirectory(config.dataDir, index), 'gone', floorBytes);
    const measured = [index * 100, null, null, null, null, null] as const;
    await spool.append([[1, 7, 1, 1, sessionId, at + index, at, 'Sample.Periodic', ...measured, {}, []]]);
    await spool.close();
  }
  t.same(orphanedSpools(config.dataDir, 3), []);
  const gateway = await startGateway({
    config,
    urls: stores,
    localBusName: 'spools-test',
    log: createLogger('test', config.logLevel),
    instance: { index: 0, processes: 2 },
  });
  const stored = await until('the readings in ClickHouse', async () => {
    const result = await stores.clickhouse.query({
      query: 'select energy_wh as energyWh from meter_samples final where session_id = {sessionId:UUID}',
      query_params: { sessionId },
      format: 'JSONEachRow',
    });
    const rows = await result.json<{ energyWh: number }>();
    return rows.length > 0 && rows;
  });
  t.same(stored, [{ energyWh: 200 }], 'the other belongs to a process that is to be there');
  await gateway.stop();
});
