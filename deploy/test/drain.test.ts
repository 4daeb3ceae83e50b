import t from 'tap';
import { floodMeterValues } from '#bench/fleet/flood.ts';
import { connectRaw } from '#gateway/test/support/raw-charger.ts';
import { openBus } from '#shared/bus/open.ts';
import { seedCharger, seedNetwork, seedToken } from '#shared/testing/seed.ts';
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

const size = 60;

void t.test('a stopping gateway closes its sockets in slices', async (t) => {
  const stores = await testStores(t);
  const { sql, clickhouse, redisUrl } = stores;
  const network = await seedNetwork(sql);
  const idToken = await seedToken(sql, network.id);
  const env = await gatewayEnvironment(t, stores);
  const leaving = await startGatewayProcess(t, env);
  const { ocppUrl } = leaving;
  const fleet = await startFleet(t, { sql, networkId: network.id, ocppUrl, size, idToken });
  const busy = await seedCharger(sql, network.id, { connectors: 1 });
  const socket = await connectRaw({ ocppUrl }, busy, 'ocpp1.6');
  t.equal(await connectionsOf(env), size + 1);

  // Alongside it, on the same port.
  const other = { ...(await gatewayEnvironment(t, stores)), OCPP_PORT: env['OCPP_PORT'] ?? '' };
  const staying = await startGatewayProcess(t, other);
  const acknowledged = new Acknowledged();
  const enough = new AbortController();
  const flood = floodMeterValues({
    stations: fleet.stations,
    signal: enough.signal,
    onAcknowledged: (uid, sample) => acknowledged.add(uid, sample),
  });
  const answered = await sql.begin(async (transaction) => {
    const [held] = await transaction<{ pid: number }[]>`
      select pg_backend_pid() as pid from chargers where id = ${busy.id} for update`;
    const boot = socket.call('boot', 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
    await until('the boot to wait for the charger’s row', async () => {
      const [waiting] = await sql`select 1 from pg_stat_activity where datname = current_database()
        and ${held?.pid ?? 0} = any(pg_blocking_pids(pid))`;
      return waiting;
    });
    const before = fleet.stations.map(({ rpc }) => rpc);
    leaving.child.kill('SIGTERM');
    // No longer: the gateway waits for what is under way for some seconds after that.
    await until('the others to be sent away', async () =>
      fleet.stations.every(({ rpc }, index) => rpc !== before[index]),
    );
    return { boot };
  });
  t.match(await answered.boot, [3, 'boot', { status: 'Accepted' }], 'what was under way is answered');
  t.match(await socket.closed, { code: 1001 }, 'and then the socket is closed');
  t.equal(await leaving.exited, 0);
  await until('the others to be on the other gateway', async () => (await connectionsOf(other)) === size);

  await acknowledged.more(size);
  enough.abort();
  const result = await flood;
  t.equal(result.errors, 0);
  const bus = await openBus({ redisUrl, localName: 'drain-test' });
  t.teardown(() => bus.close());
  const uids = fleet.chargers.map(({ uid }) => uid);
  const held = await until('all chargers to be present', async () => {
    // Other tests share the Redis.
    const entries = (await bus.presence.list()).filter(({ key }) => uids.includes(key));
    return entries.length >= size && entries;
  });
  t.same(held.map(({ key }) => key).toSorted(), uids.toSorted(), 'each of them once');
  const stored = await storedInTheEnd(clickhouse, fleet.chargers, acknowledged);
  const storedOnce = new Set(stored);
  t.equal(stored.length, storedOnce.size, 'no reading is there twice');
  t.equal([...acknowledged.keys].filter((key) => !storedOnce.has(key)).length, 0, 'none is missing');
  await Promise.all(fleet.stations.map((station) => station.stopSession()));
  const sessions = await sql<{ status: string }[]>`select status from sessions`;
  t.equal(sessions.length, size, 'every session is there, once');
  t.ok(sessions.every(({ status }) => status === 'COMPLETED'));
  t.equal(await staying.kill('SIGTERM'), 0);
});
