import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { recordStatuses, type StatusRecord } from '#shared/postgres/charging/connector-statuses.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { storeWantedAvailability } from '#shared/postgres/commands/command-effects.statements.ts';
import { recordBoots, recordHeartbeats } from '#shared/postgres/fleet/charger-state.statements.ts';
import { recordConnections } from '#shared/postgres/fleet/connections.ts';
import { seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';

const nothing = { errorCode: null, vendorErrorCode: null, info: null };
const noon = new Date('2026-03-01T12:00:00Z');

function stateOf(
  chargerId: number,
  evse: number | null,
  status: StatusRecord['status'],
  at = noon,
): StatusRecord {
  return { ...nothing, chargerId, position: evse === null ? null : { evse, connector: 1 }, status, at };
}

async function states(sql: Sql, chargerId: number): Promise<string[]> {
  const [charger] = await sql<{ status: string; station: string | null }[]>`
    select status, station_status as station from chargers where id = ${chargerId}`;
  const connectors = await sql<{ number: number; status: string }[]>`
    select number, status from connectors where charger_id = ${chargerId} order by number`;
  return [
    `${charger?.station} ${charger?.status}`,
    ...connectors.map(({ number, status }) => `${number} ${status}`),
  ];
}

void t.test('stores new, old, repeated and unknown connector states in one batch', async (t) => {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  const one = await seedCharger(sql, network.id, { connectors: 2 });
  const two = await seedCharger(sql, network.id);
  await recordStatuses(sql, [stateOf(one.id, 1, 'Charging'), stateOf(one.id, 2, 'Faulted')]);
  t.same(await states(sql, one.id), ['null CHARGING', '1 Charging', '2 Faulted']);

  const awkward = { errorCode: 'a,"b"\\{}', vendorErrorCode: 'NULL', info: 'é\n😀' };
  await recordStatuses(sql, [
    // Older than what is known, of one connector twice, never seen, and of the charger as a whole.
    stateOf(one.id, 1, 'Available', new Date(noon.getTime() - 1000)),
    stateOf(one.id, 2, 'Available', new Date(noon.getTime() + 1000)),
    { ...stateOf(one.id, 2, 'Reserved', new Date(noon.getTime() + 2000)), ...awkward },
    stateOf(one.id, 3, 'Preparing'),
    stateOf(two.id, 1, 'Available'),
    stateOf(two.id, null, 'Unavailable'),
  ]);
  t.same(await states(sql, one.id), ['null CHARGING', '1 Charging', '2 Reserved', '3 Preparing']);
  t.same(await states(sql, two.id), ['Unavailable Unavailable', '1 Available']);
  t.same(
    await sql`
      select error_code as "errorCode", vendor_error_code as "vendorErrorCode", status_info as info
      from connectors where charger_id = ${one.id} and number = 2`,
    [awkward],
  );
});

void t.test('prefers the state of a session to Occupied, whatever the clock', async (t) => {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  const { id } = await seedCharger(sql, network.id, { connectors: 1 });
  for (const [said, at, shown] of [
    ['Occupied', '12:00', 'Occupied'],
    ['Charging', '07:00', 'Charging'],
    ['SuspendedEV', '07:01', 'SuspendedEV'],
    ['Available', '12:00', 'Available'],
    ['Charging', '07:02', 'Available'],
  ] as const) {
    await recordStatuses(sql, [stateOf(id, 1, said, new Date(`2026-03-01T${at}:00Z`))]);
    t.equal((await states(sql, id))[1], `1 ${shown}`);
  }
});

/**
 * Returns whether `write` leaves a row only, which `probe` locks, while it waits for a charger that another
 * transaction has locked.
 */
async function waitsFirst(
  t: Test,
  given: { sql: Sql; locked: number; write: () => Promise<void>; probe: (sql: Sql) => Promise<unknown> },
): Promise<void> {
  const { sql, locked, write, probe } = given;
  let writing = Promise.resolve();
  await sql.begin(async (transaction) => {
    await transaction`select id from chargers where id = ${locked} for no key update`;
    writing = write();
    await until('a write that waits', async () => {
      const waiting = await sql`
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.length > 0;
    });
    await t.resolves(probe(sql), 'the row is free');
  });
  await writing;
}

const connectorOf = (chargerId: number) => (sql: Sql) =>
  sql`select id from connectors where charger_id = ${chargerId} for update nowait`;
const chargerOf = (chargerId: number) => (sql: Sql) =>
  sql`select id from chargers where id = ${chargerId} for update nowait`;

void t.test('locks chargers in the order of ids without deadlocks', async (t) => {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  const low = await seedCharger(sql, network.id, { connectors: 1 });
  const high = await seedCharger(sql, network.id, { connectors: 1 });
  const both = [high.id, low.id];

  await waitsFirst(t, {
    sql,
    locked: low.id,
    write: () =>
      recordStatuses(
        sql,
        both.map((id) => stateOf(id, 1, 'Available')),
      ),
    probe: connectorOf(low.id),
  });
  await waitsFirst(t, {
    sql,
    locked: low.id,
    write: () =>
      storeWantedAvailability(sql, low.id, {
        type: 'availability',
        position: null,
        availability: 'Inoperative',
      }),
    probe: connectorOf(low.id),
  });
  await waitsFirst(t, {
    sql,
    locked: low.id,
    write: () =>
      recordConnections(
        sql,
        randomUUID(),
        both.map((chargerId) => ({
          chargerId,
          connectionId: randomUUID(),
          connectedAt: Date.now(),
          disconnectedAt: null,
        })),
      ),
    probe: chargerOf(high.id),
  });
  t.match(await sql`select connection_id as id from chargers`, [{ id: String }, { id: String }]);
});

const boot = {
  vendor: 'Vendor',
  model: 'Model',
  serialNumber: null,
  firmwareVersion: null,
  ocppVersion: '1.6',
  reason: null,
  at: noon,
} as const;

const socketAt = (connectedAt: number) => ({ connectionId: randomUUID(), connectedAt });

void t.test('stores boots with the sockets that they came through', async (t) => {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  // One after the other: they are read in the order of their ids.
  const fresh = await seedCharger(sql, network.id);
  const behind = await seedCharger(sql, network.id);
  const without = await seedCharger(sql, network.id);
  const [here, elsewhere] = [randomUUID(), randomUUID()];
  const [ofFresh, ofBehind, later] = [socketAt(2000), socketAt(2000), socketAt(3000)];
  await recordConnections(sql, elsewhere, [{ chargerId: behind.id, ...later, disconnectedAt: null }]);

  const left = await recordBoots(
    sql,
    [fresh, behind, without].map(({ id }) => ({ ...boot, chargerId: id })),
    {
      shardId: here,
      byCharger: new Map([
        [fresh.id, ofFresh],
        [behind.id, ofBehind],
      ]),
    },
  );
  t.same(left, [behind.id], 'a later socket is stored');
  const rows = await sql`
    select vendor, connection_id as id, connected_shard as shard from chargers c order by c.id`;
  t.same(rows, [
    { vendor: 'Vendor', id: ofFresh.connectionId, shard: here },
    { vendor: 'Vendor', id: later.connectionId, shard: elsewhere },
    { vendor: 'Vendor', id: null, shard: null },
  ]);

  await recordConnections(sql, here, [{ chargerId: fresh.id, ...ofFresh, disconnectedAt: 2500 }]);
  const sockets = { shardId: here, byCharger: new Map([[fresh.id, ofFresh]]) };
  t.same(await recordBoots(sql, [{ ...boot, chargerId: fresh.id }], sockets), [fresh.id]);
  t.match(
    await sql`select disconnected_at as at from chargers where id = ${fresh.id}`,
    [{ at: new Date(2500) }],
    'a closed socket stays closed',
  );
});

void t.test('skips last message times that are hardly later than the stored ones', async (t) => {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  const { id } = await seedCharger(sql, network.id);
  const heard = async (at: number) => {
    await recordHeartbeats(sql, new Map([[id, at]]));
    return sql<{ at: number }[]>`
      select extract(epoch from last_heartbeat_at)::float * 1000 as at from chargers where id = ${id}`;
  };
  t.same(await heard(1_000_000), [{ at: 1_000_000 }]);
  t.same(await heard(1_000_900), [{ at: 1_000_000 }]);
  t.same(await heard(1_002_000), [{ at: 1_002_000 }]);
});
