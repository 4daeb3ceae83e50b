import t, { type Test } from 'tap';
import { systemClock } from '#shared/domain/kernel/system-clock.ts';
import { Turns } from '#gateway/handlers/turns.ts';
import { LocalTime } from '#shared/domain/fleet/local-time.ts';
import type { Context } from '#gateway/handlers/context.ts';
import { ReadingClock } from '#gateway/handlers/reading-clock.ts';
import { handleSessionStart } from '#gateway/handlers/session-start.ts';
import type { SessionStart } from '#shared/domain/charging/session.ts';
import { openReservedSession } from '#shared/postgres/charging/session-writes/reservation.statements.ts';
import { storeReservation } from '#shared/postgres/commands/command-effects.statements.ts';
import { seedCharger, seedNetwork, seedRemoteStart, seedTariff, seedToken } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';

/** A charger and a token, and a way to start sessions that returns the number of their statements. */
async function startScene(t: Test) {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  const { id, uuid, uid } = await seedCharger(sql, network.id, { connectors: 1 });
  const idToken = await seedToken(sql, network.id);
  const receivedAt = new Date();
  const context: Context<'sql' | 'roaming' | 'watches'> = {
    charger: { id, uuid, uid, networkId: network.id, registration: 'Accepted' },
    ocppVersion: '1.6',
    receivedAt,
    running: [],
    readingClock: new ReadingClock(),
    localTime: new LocalTime(),
    turns: new Turns(),
    clock: systemClock,
    meterOverrides: [],
    stores: {
      sql,
      roaming: {
        authorize: () => Promise.reject(new Error('no partner has this token')),
        authorizeUnknown: () => Promise.reject(new Error('the token is known')),
      },
      watches: { session: () => undefined, connection: () => undefined },
    },
  };
  const start = async (key: string, more: Partial<SessionStart> = {}): Promise<number> => {
    const statements: string[] = [];
    sql.options.debug = (_connection, statement) => statements.push(statement);
    await handleSessionStart(
      context,
      {
        position: { evse: 1, connector: 1 },
        idToken,
        transactionId: null,
        startedAt: receivedAt,
        receivedAt,
        meterStartWh: 0,
        remoteStartId: null,
        flags: [],
        ...more,
      },
      key,
    );
    sql.options.debug = () => undefined;
    return statements.length;
  };
  return { sql, network, chargerId: id, idToken, start };
}

void t.test('binds the session of a remote start with its limits in three statements', async (t) => {
  const { sql, chargerId, idToken, start } = await startScene(t);
  await seedRemoteStart(sql, chargerId, { idToken, remoteStartId: 1, maxEnergyWh: 2000 });
  t.equal(await start('start of the test'), 3);
  const sessions =
    await sql`select max_energy_wh as "maxEnergyWh" from sessions where charger_id = ${chargerId}`;
  t.same([...sessions], [{ maxEnergyWh: 2000 }]);
});

void t.test('begins the session of a reservation in as many statements as without a price', async (t) => {
  const { sql, network, chargerId, idToken, start } = await startScene(t);
  const reserve = async (reservationId: number) => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const made = {
      type: 'reservation',
      reservationId,
      evse: 1,
      idToken,
      groupIdToken: null,
      expiresAt,
    } as const;
    await storeReservation(sql, chargerId, made);
    const owner = { idTokenId: null, userId: null, roaming: null };
    await openReservedSession(sql, { chargerId, reservationId }, owner);
  };
  t.equal(await start('without a reservation'), 2);
  await reserve(1);
  t.equal(await start('without a price', { reservationId: 1 }), 3);
  const component = { type: 'TIME', price: '3', step_size: 1 } as const;
  await seedTariff(sql, network.id, [
    { price_components: [component], restrictions: { reservation: 'RESERVATION' } },
  ]);
  await reserve(2);
  t.equal(await start('with a price', { reservationId: 2 }), 3);
  t.equal(await start('with a price', { reservationId: 2 }), 4, 'repeated, it is found');
  const ends = await sql`
    select status, reservation_end as end from sessions where charger_id = ${chargerId} order by id`;
  t.same(
    [...ends],
    [
      { status: 'ACTIVE', end: null },
      { status: 'ACTIVE', end: null },
      { status: 'ACTIVE', end: 'USED' },
    ],
  );
});
