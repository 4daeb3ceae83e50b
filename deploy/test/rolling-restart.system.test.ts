import t from 'tap';
import { floodMeterValues } from '#bench/fleet/flood.ts';
import { seedNetwork, seedToken } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import {
  Acknowledged,
  connectionsOf,
  gatewayEnvironment,
  startFleet,
  startGatewayProcess,
  storedInTheEnd,
} from './support/system.ts';

const size = 100;

void t.test('two gateways restart in turn under load without a lost or doubled record', async (t) => {
  const stores = await testStores(t);
  const { sql, clickhouse } = stores;
  const network = await seedNetwork(sql);
  const idToken = await seedToken(sql, network.id);
  const one = await gatewayEnvironment(t, stores);
  const two = { ...(await gatewayEnvironment(t, stores)), OCPP_PORT: one['OCPP_PORT'] ?? '' };
  const running = await Promise.all([one, two].map((env) => startGatewayProcess(t, env)));
  const ocppUrl = running[0]?.ocppUrl ?? '';
  const fleet = await startFleet(t, { sql, networkId: network.id, ocppUrl, size, idToken });
  t.ok((await connectionsOf(one)) > 0, 'both gateways have chargers');
  t.ok((await connectionsOf(two)) > 0);

  const acknowledged = new Acknowledged();
  const enough = new AbortController();
  const flood = floodMeterValues({
    stations: fleet.stations,
    signal: enough.signal,
    rate: 200,
    onAcknowledged: (uid, sample) => acknowledged.add(uid, sample),
  });
  for (const [leaving, env, staying] of [
    [running[0], one, two],
    [running[1], two, one],
  ] as const) {
    await acknowledged.more(size);
    t.equal(await leaving?.kill('SIGTERM'), 0, 'the gateway ends in order');
    await until(
      'all chargers to be on the other gateway',
      async () => (await connectionsOf(staying)) === size,
    );
    await acknowledged.more(size);
    await startGatewayProcess(t, env);
  }
  enough.abort();
  t.equal((await flood).errors, 0, 'no reading was refused');

  const stored = await storedInTheEnd(clickhouse, fleet.chargers, acknowledged);
  t.equal(new Set(stored).size, stored.length, 'no reading is stored twice');
  await Promise.all(fleet.stations.map((station) => station.stopSession()));
  const sessions = await sql<{ status: string; count: number }[]>`
    select status, count(*)::integer as count from sessions group by status`;
  t.same(sessions, [{ status: 'COMPLETED', count: size }], 'each session is stored once, with its end');
});
