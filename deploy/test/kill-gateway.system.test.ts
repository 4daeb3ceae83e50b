import t from 'tap';
import { floodMeterValues } from '#bench/fleet/flood.ts';
import { seedNetwork, seedToken } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import {
  Acknowledged,
  gatewayEnvironment,
  startFleet,
  startGatewayProcess,
  storedInTheEnd,
} from './support/system.ts';

void t.test('kill -9 of the gateway while 200 chargers meter loses no acknowledged reading', async (t) => {
  const stores = await testStores(t);
  const { sql, clickhouse } = stores;
  const network = await seedNetwork(sql);
  const idToken = await seedToken(sql, network.id);
  const env = await gatewayEnvironment(t, stores);
  const gateway = await startGatewayProcess(t, env);
  const fleet = await startFleet(t, {
    sql,
    networkId: network.id,
    ocppUrl: gateway.ocppUrl,
    size: 200,
    idToken,
  });

  const acknowledged = new Acknowledged();
  const enough = new AbortController();
  const flood = floodMeterValues({
    stations: fleet.stations,
    signal: enough.signal,
    samplesPerMessage: 2,
    onAcknowledged: (uid, sample) => acknowledged.add(uid, sample),
  });
  await acknowledged.more(1000);
  await gateway.kill('SIGKILL');
  await startGatewayProcess(t, env);
  await acknowledged.more(1000);
  enough.abort();
  const result = await flood;

  t.ok(result.repeated > 0, 'what had no answer was said again');
  const stored = await storedInTheEnd(clickhouse, fleet.chargers, acknowledged);
  const storedOnce = new Set(stored);
  t.equal(stored.length, storedOnce.size, 'no reading is there twice');
  t.equal([...acknowledged.keys].filter((key) => !storedOnce.has(key)).length, 0, 'none is missing');

  await Promise.all(fleet.stations.map((station) => station.stopSession()));
  const sessions = await sql<{ chargerId: number; status: string; energyWh: number }[]>`
    select charger_id as "chargerId", status, energy_wh as "energyWh" from sessions`;
  t.equal(sessions.length, 200, 'every session is there, once');
  t.ok(
    sessions.every(({ status, energyWh }) => status === 'COMPLETED' && energyWh > 0),
    'and could be ended after the restart',
  );
});
