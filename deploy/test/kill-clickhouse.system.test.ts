import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { floodMeterValues } from '#bench/fleet/flood.ts';
import { type ClickHouse, openClickHouse } from '#shared/clickhouse/client.ts';
import { migrateClickHouse } from '#shared/clickhouse/migrate.queries.ts';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';
import { seedNetwork, seedToken } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import {
  Acknowledged,
  gatewayEnvironment,
  startFleet,
  startGatewayProcess,
  storedInTheEnd,
} from './support/system.ts';

void t.test('a kill and restart of ClickHouse under load loses no acknowledged reading', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'chargeway-test-clickhouse-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const server = await startEmbeddedClickHouse({ dataDir: join(directory, 'clickhouse') });
  const clickhouse = openClickHouse(server.url, { name: 'chargeway-test', connections: 2 });
  t.teardown(async () => {
    await clickhouse.close();
    await server.stop();
  });
  await migrateClickHouse(clickhouse);

  const stores = await testStores(t);
  const network = await seedNetwork(stores.sql);
  const idToken = await seedToken(stores.sql, network.id);
  const env = await gatewayEnvironment(t, { ...stores, clickhouseUrl: server.url });
  const gateway = await startGatewayProcess(t, env);
  const fleet = await startFleet(t, {
    sql: stores.sql,
    networkId: network.id,
    ocppUrl: gateway.ocppUrl,
    size: 100,
    idToken,
  });

  const acknowledged = new Acknowledged();
  const enough = new AbortController();
  const flood = floodMeterValues({
    stations: fleet.stations,
    signal: enough.signal,
    onAcknowledged: (uid, sample) => acknowledged.add(uid, sample),
  });
  for (const _ of [1, 2]) {
    await acknowledged.more(500);
    const { pid } = server;
    process.kill(pid, 'SIGKILL');
    await acknowledged.more(500);
    await until('ClickHouse to run again', async () => server.pid !== pid && isUp(clickhouse));
  }
  enough.abort();
  const result = await flood;
  t.equal(result.errors, 0, 'no charger was refused');

  const stored = await storedInTheEnd(clickhouse, fleet.chargers, acknowledged);
  const storedOnce = new Set(stored);
  t.same(
    [...acknowledged.keys].filter((key) => !storedOnce.has(key)),
    [],
  );
  t.equal(stored.length, storedOnce.size, 'no reading is there twice');
});

async function isUp(clickhouse: ClickHouse): Promise<boolean> {
  return (await clickhouse.ping()).success;
}
