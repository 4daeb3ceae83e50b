import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { withoutSocket } from '#shared/embedded/postgres/unix-socket.ts';
import { startGateway, threadsOf } from '#gateway/supervisor/supervisor.ts';
import { walDirectory } from '#gateway/wal/open.ts';
import { leaveSegments } from '#gateway/wal/test/support/segments.ts';
import { createLogger } from '#shared/log/log.ts';
import { testConfig } from '#shared/testing/config.ts';
import { meterRow } from '#shared/testing/meter-rows.ts';
import { startOwnRedis } from '#shared/testing/redis.ts';
import { storedSamples } from '#shared/testing/stored-samples.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';

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
  t.match(await gateway.metrics(), /chargeway_ocpp_connections\{shard="0",version="1.6"\} 0/);
  await gateway.stop();
  t.notOk(gateway.isReady());
});

void t.test('waits for a Redis that is down when its shards join the bus', async (t) => {
  const stores = await testStores(t);
  const config = await testConfig(t, stores);
  let attempts = 0;
  const down = createServer((socket) => {
    attempts += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(down, 'listening');
  const { port } = down.address() as AddressInfo;
  const starting = startGateway({
    config: { ...config, shards: 1 },
    urls: { ...stores, redisUrl: `redis://127.0.0.1:${port}` },
    localBusName: 'waiting-shards-test',
    log: createLogger('test', config.logLevel),
  });
  // An attempt makes two connections.
  await Promise.race([starting, until('repeated attempts', () => attempts > 6)]);
  down.close();
  await once(down, 'close');
  const redis = await startOwnRedis({ port });
  t.teardown(() => redis.stop());
  const gateway = await starting;
  t.ok(gateway.isReady());
  await gateway.stop();
});

void t.test('ends no thread before it has started when the gateway cannot start', async (t) => {
  const stores = await testStores(t);
  const config = await testConfig(t, stores);
  const launchThread = threadsOf(new URL('./support/slow-shard.ts', import.meta.url));
  const starting = startGateway({
    config: { ...config, shards: 3 },
    urls: stores,
    localBusName: 'slow-shards-test',
    log: createLogger('test', config.logLevel),
    launchShard: (options, urls, events) =>
      launchThread(options, urls, {
        ...events,
        message(message) {
          events.message(message);
          if (message.type !== 'failed') return;
          // In a later turn of the event loop, in which the gateway has done what it does about it.
          setImmediate(() => writeFileSync(join(config.dataDir, 'failed'), ''));
        },
      }),
  });
  await t.rejects(starting, { message: 'it cannot' });
  const left = readdirSync(config.dataDir).filter((name) => name.startsWith('started'));
  t.strictSame(left.toSorted(), ['started-1', 'started-2'], 'what it loads could end the process');
});

void t.test('stops a shard that is about to listen without the end of the process', async (t) => {
  const stores = await testStores(t);
  const config = await testConfig(t, stores);
  const launchThread = threadsOf(new URL('./support/stopped-shard.ts', import.meta.url));
  const codes: number[] = [];
  const gateway = await startGateway({
    config: { ...config, shards: 1 },
    // Its shard watches the connections to ports.
    urls: { ...stores, databaseUrl: withoutSocket(stores.databaseUrl) },
    localBusName: 'stopped-shard-test',
    log: createLogger('test', config.logLevel),
    launchShard: (options, urls, events) =>
      launchThread(options, urls, {
        ...events,
        exited(code) {
          codes.push(code);
          events.exited(code);
        },
      }),
  });
  await gateway.stop();
  t.strictSame(codes, [0]);
});

void t.test('fails with the error of the stores and leaves no thread running', async (t) => {
  const config = await testConfig(t, await testStores(t));
  const launchThread = threadsOf(new URL('../shard/thread.ts', import.meta.url));
  let running = 0;
  const starting = startGateway({
    config: { ...config, shards: 2 },
    urls: Promise.reject(new Error('no stores')),
    localBusName: 'no-stores-test',
    log: createLogger('test', config.logLevel),
    launchShard(options, urls, events) {
      running += 1;
      const exited = (code: number) => {
        running -= 1;
        events.exited(code);
      };
      return launchThread(options, urls, { ...events, exited });
    },
  });
  await t.rejects(starting, { message: 'no stores' });
  t.equal(running, 0);
});

void t.test('loads the write-ahead log of former shards in the first one', async (t) => {
  const stores = await testStores(t);
  const config = await testConfig(t, stores);
  const sessionId = randomUUID();
  const origin = { networkId: 1, chargerId: 7, sessionId };
  for (const shard of [0, 4]) {
    const row = meterRow(origin, new Date(Date.UTC(2026, 4, 4) + shard), { energyWh: shard * 100 });
    await leaveSegments(walDirectory(config.dataDir, shard), [[row]]);
  }
  const gateway = await startGateway({
    config: { ...config, shards: 1 },
    urls: stores,
    localBusName: 'logs-test',
    log: createLogger('test', config.logLevel),
  });
  const stored = await until('the readings in ClickHouse', async () => {
    const rows = await storedSamples(stores.clickhouse, { chargerId: 7, sessionId });
    return rows.length > 1 && rows;
  });
  t.same(
    stored.map(({ energyWh }) => energyWh),
    [0, 400],
  );
  await gateway.stop();
});
