import t from 'tap';
import { readStatusEvents } from '#shared/clickhouse/status-events.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { findCharger } from '#shared/postgres/fleet/charger-records.ts';
import { recordConnections, writeOffDeadShards } from '#shared/postgres/fleet/connections.ts';
import { type SeededCharger, seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { connectRaw } from './support/raw-charger.ts';
import { startRig } from './support/rig.ts';

void t.test('connection state', async (t) => {
  const rig = await startRig(t, { SHARDS: '2' });
  const { sql, clickhouse } = rig.stores;
  const read = async ({ uuid }: SeededCharger) => {
    const charger = await findCharger(sql, allNetworks, uuid);
    if (charger === null) throw new Error('no charger');
    return charger;
  };
  const untilConnected = (charger: SeededCharger) =>
    until('the charger to be connected', async () => {
      const now = await read(charger);
      return now.isConnected && now;
    });
  const untilGone = (charger: SeededCharger) =>
    until('the charger to be disconnected', async () => {
      const now = await read(charger);
      return !now.isConnected && now;
    });

  await t.test('shows a charger as connected while its socket is open', async (t) => {
    const charger = await seedCharger(sql, rig.network.id);
    t.equal((await read(charger)).isConnected, false);
    for (const end of ['close', 'terminate']) {
      const client = rig.client(charger, 'ocpp1.6');
      const raw = end === 'terminate' ? await connectRaw(rig, charger, 'ocpp1.6') : null;
      if (raw === null) await client.connect();
      const open = await untilConnected(charger);
      t.match(open, { connectedAt: Date, disconnectedAt: null });
      await (raw?.terminate() ?? client.close());
      const gone = await untilGone(charger);
      t.ok((gone.disconnectedAt ?? 0) >= (open.connectedAt ?? 0), end);
    }
  });

  await t.test('ignores the late close of a replaced socket', async (t) => {
    const charger = await seedCharger(sql, rig.network.id);
    // Of several sockets one after the other some land on the other shard.
    const sockets = [];
    for (let n = 0; n < 6; n += 1) {
      sockets.push(await connectRaw(rig, charger, 'ocpp1.6'));
      await untilConnected(charger);
    }
    const newest = sockets.pop();
    await Promise.all(sockets.map((socket) => socket.closed));
    const events = await until('the end of all old sockets in the history', async () => {
      const found = await readStatusEvents(
        clickhouse,
        { id: charger.id, networkId: rig.network.id },
        {},
        100,
      );
      return found.filter(({ kind }) => kind === 'disconnected').length === 5 && found;
    });
    t.ok(
      events.every(({ kind, info }) => kind === 'connected' || info === 'replaced by a newer socket'),
      'the history says why',
    );
    await untilConnected(charger);
    await newest?.terminate();
    await untilGone(charger);
  });

  await t.test('stores no state of an older socket over that of a newer one', async (t) => {
    const charger = await seedCharger(sql, rig.network.id);
    const shards = await sql<{ id: string }[]>`select id from gateway_shards`;
    const [older, newer] = [
      { shard: shards[0]?.id ?? '', connectionId: '11111111-0000-4000-8000-000000000000', connectedAt: 1000 },
      { shard: shards[1]?.id ?? '', connectionId: '22222222-0000-4000-8000-000000000000', connectedAt: 2000 },
    ];
    const record = ({ shard, ...socket }: typeof older, disconnectedAt: number | null) =>
      recordConnections(sql, shard, [{ chargerId: charger.id, ...socket, disconnectedAt }]);
    await record(newer, null);
    await record(older, null);
    await record(older, 3000);
    t.match(await read(charger), { isConnected: true, connectedAt: new Date(2000) });
    await record(newer, 4000);
    t.match(await read(charger), { isConnected: false, disconnectedAt: new Date(4000) });

    await record(older, null);
    t.match(
      await read(charger),
      { isConnected: true, connectedAt: new Date(1000) },
      'it outlived the newer one',
    );
    await record({ ...newer, shard: older.shard }, null);
    await record(older, null);
    await record(older, 5000);
    t.match(
      await read(charger),
      { isConnected: false, disconnectedAt: new Date(5000) },
      'one thread’s last word',
    );
  });

  await t.test('reports the connections of a shard again after it was presumed dead', async (t) => {
    const { charger } = await rig.connect('ocpp1.6');
    await untilConnected(charger);
    await sql.begin(async (transaction) => {
      await transaction`delete from gateway_shards`;
      await transaction`update chargers set disconnected_at = now()`;
    });
    t.match(await untilConnected(charger), { disconnectedAt: null });
  });
});

// Without a gateway, whose threads would write it off as well.
void t.test('disconnects the chargers of a dead shard from another shard', async (t) => {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  const charger = await seedCharger(sql, network.id);
  const dead = '33333333-0000-4000-8000-000000000000';
  const connectionId = '44444444-0000-4000-8000-000000000000';
  await sql`insert into gateway_shards (id, seen_at) values (${dead}, now() - interval '1 minute')`;
  await recordConnections(sql, dead, [
    { chargerId: charger.id, connectionId, connectedAt: Date.now() - 90_000, disconnectedAt: null },
  ]);
  const read = () => findCharger(sql, allNetworks, charger.uuid);
  t.match(await read(), { isConnected: false }, 'before it is written off, too');
  const lost = await Promise.all([writeOffDeadShards(sql), writeOffDeadShards(sql)]);
  t.match(lost.flat(), [{ chargerId: charger.id, networkId: network.id, connectionId, at: Date }]);
  t.equal(lost.flat().length, 1, 'once');
  t.match(await read(), { isConnected: false, disconnectedAt: lost.flat()[0]?.at });
});
