import { randomUUID } from 'node:crypto';
import t from 'tap';
import { endReservations } from '#api/jobs/reservation-expiry.ts';
import { answerCalls } from '#gateway/test/support/answering.ts';
import type { Version } from '#gateway/test/support/rig.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { createLogger } from '#shared/log/log.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.ts';
import { seedTariff, seedToken, seedUser } from '#shared/testing/seed.ts';
import { type OperatedRig, startOperatedRig } from './support/operator.ts';
import { reservationElements } from './support/reservation-tariff.ts';

const minute = 60_000;
const log = createLogger('test', 'silent');

/** A charger that accepts reservations, and a driver with 50.00 in the wallet. */
async function startScene(rig: OperatedRig, version: Version) {
  const { sql } = rig.stores;
  const { charger, client } = await rig.connect(version);
  answerCalls(client, () => ({ status: 'Accepted' }));
  const user = await seedUser(sql, rig.network.id);
  const wallet = (await ensureWallet(sql, allNetworks, { id: user.id }))?.wallet;
  if (wallet === undefined) throw new Error('no wallet');
  const credit = { cause: 'CREDIT', counter: 'adjustments', amountMinor: 5000n, mayOwe: false } as const;
  await sql.begin((transaction) => moveMoney(transaction, wallet.id, { ...credit, causeId: randomUUID() }));
  const idTag = await seedToken(sql, rig.network.id, { userId: user.id });
  const is16 = version === 'ocpp1.6';
  /** Reserves, and moves the reservation this many minutes into the past. */
  const reserve = async (minutesAgo: number, changed: object = {}) => {
    const made = await rig.call('POST', '/reservations', {
      chargerId: charger.uuid,
      connectorNumber: 1,
      idTag,
      expiresAt: new Date(Date.now() + 60 * minute).toISOString(),
      ...changed,
    });
    if (made.status !== 201) throw new Error(JSON.stringify(made.json));
    const { id, reservationId, billedSessionId } = made.json.data as {
      id: string;
      reservationId: number;
      billedSessionId: string | null;
    };
    const at = new Date(Date.now() - minutesAgo * minute);
    await sql`update reservations set created_at = ${at} where uuid = ${id}`;
    await sql`
      update sessions set reserved_at = ${at}, started_at = ${at}
      where id = (select billed_session_id from reservations where uuid = ${id})`;
    return { id, reservationId, billedSessionId };
  };
  const start = async (
    reservationId: number | undefined,
    at = new Date(),
    { transaction = 'tx-1', presented = idTag } = {},
  ) => {
    const named = reservationId !== undefined && { reservationId };
    const timestamp = at.toISOString();
    if (is16) {
      const body = { connectorId: 1, idTag: presented, meterStart: 0, timestamp, ...named };
      const { transactionId } = (await client.call('StartTransaction', body)) as { transactionId: number };
      return String(transactionId);
    }
    await client.call('TransactionEvent', {
      eventType: 'Started',
      triggerReason: 'Authorized',
      seqNo: 0,
      timestamp,
      transactionInfo: { transactionId: transaction },
      evse: { id: 1, connectorId: 1 },
      idToken: { idToken: presented, type: 'ISO14443' },
      meterValue: [{ timestamp, sampledValue: [{ value: 0 }] }],
      ...named,
    });
    return transaction;
  };
  const stop = async (transactionId: string, wh: number) => {
    const timestamp = new Date().toISOString();
    if (is16) {
      await client.call('StopTransaction', {
        transactionId: Number(transactionId),
        meterStop: wh,
        timestamp,
      });
      return;
    }
    await client.call('TransactionEvent', {
      eventType: 'Ended',
      triggerReason: 'EVDeparted',
      seqNo: 1,
      timestamp,
      transactionInfo: { transactionId },
      meterValue: [{ timestamp, sampledValue: [{ value: wh }] }],
    });
  };
  const sessions = () => sql<Record<string, unknown>[]>`
    select uuid, status, reservation_end as "end", cost_minor::integer as cost, price_state as state, user_id as "userId",
      energy_wh as "energyWh", ended_at as "endedAt"
    from sessions where charger_id = ${charger.id} order by id`;
  const balance = async () => {
    const [row] = await sql<{ minor: number }[]>`
      select available_minor::integer as minor from wallets where id = ${wallet.id}`;
    return row?.minor;
  };
  return { charger, user, idTag, reserve, start, stop, sessions, balance };
}

type Scene = Awaited<ReturnType<typeof startScene>>;

const linesOf = (session: Record<string, unknown>) =>
  (session['cost'] as { lines: { type: string; exclVat: number }[] }).lines.map(({ type, exclVat }) => [
    type,
    exclVat,
  ]);

void t.test('a reservation costs what the tariff says', async (t) => {
  const rig = await startOperatedRig(t);
  const { sql } = rig.stores;
  await seedTariff(sql, rig.network.id, reservationElements);
  const end = () => endReservations({ sql, log });

  for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
    await t.test(`${version}: bills a reservation with the session that uses it`, async (t) => {
      const { reserve, start, stop, sessions, balance, user } = await startScene(rig, version);
      const { id, reservationId, billedSessionId } = await reserve(75);
      const [reserved] = await sessions();
      t.match(reserved, { status: 'RESERVATION', end: null, cost: null, state: 'OPEN', userId: user.id });
      const uuid = String(reserved?.['uuid']);
      t.equal(billedSessionId, uuid);
      const shown = await rig.ask('GET', `/sessions/${uuid}`);
      t.match(shown, { status: 'RESERVATION', endedAt: null, reservedAt: String, reservationEnd: null });
      t.same(linesOf(shown), [['RESERVATION_TIME', 4]], 'so far');

      const startedAt = new Date(Date.now() - 60 * minute);
      const transactionId = await start(reservationId, startedAt);
      t.equal(await start(reservationId, startedAt), transactionId, 'repeated');
      t.match(await rig.ask('GET', `/reservations/${id}`), {
        status: 'Used',
        sessionId: uuid,
        billedSessionId: uuid,
      });
      await end();
      const running = await sessions();
      t.match(running[0], { uuid, status: 'ACTIVE', end: 'USED' });
      await stop(transactionId, 20_000);
      const [ended] = await sessions();
      t.match(ended, { uuid, status: 'COMPLETED', state: 'SETTLED', energyWh: 20_000, cost: 730 });
      t.same(linesOf(await rig.ask('GET', `/sessions/${uuid}`)), [
        ['RESERVATION_TIME', 1],
        ['FLAT', 0.5],
        ['ENERGY', 5],
      ]);
      t.equal(await balance(), 5000 - 730);
    });

    await t.test(`${version}: bills a reservation that expired, by itself`, async (t) => {
      const { reserve, sessions, balance } = await startScene(rig, version);
      const { id } = await reserve(30);
      await sql`update reservations set expires_at = created_at + interval '25 minutes' where uuid = ${id}`;
      await end();
      await end();
      const found = await sessions();
      t.equal(found.length, 1);
      t.match(found[0], { status: 'COMPLETED', end: 'EXPIRED', state: 'SETTLED', energyWh: 0, cost: 360 });
      t.equal(await balance(), 5000 - 360);
      const shown = await rig.ask('GET', `/sessions/${String(found[0]?.['uuid'])}`);
      t.match(shown, { reservationEnd: 'EXPIRED', durationSeconds: 0 });
      t.same(linesOf(shown), [['RESERVATION_TIME', 3]]);
    });

    await t.test(`${version}: bills a cancelled reservation until then`, async (t) => {
      const { reserve, sessions, balance } = await startScene(rig, version);
      const { id } = await reserve(5);
      t.match(await rig.call('DELETE', `/reservations/${id}`), { json: { data: { accepted: true } } });
      await end();
      t.match(await sessions(), [{ status: 'COMPLETED', end: 'CANCELLED', cost: 60 }]);
      t.equal(await balance(), 5000 - 60);
    });

    await t.test(`${version}: corrects the fee of a reservation whose use is reported late`, async (t) => {
      const { reserve, start, stop, sessions, balance } = await startScene(rig, version);
      const { id, reservationId } = await reserve(30);
      await sql`update reservations set expires_at = created_at + interval '25 minutes' where uuid = ${id}`;
      await end();
      t.equal(await balance(), 5000 - 360);
      const transactionId = await start(reservationId, new Date(Date.now() - 21 * minute));
      await end();
      await stop(transactionId, 20_000);
      t.match(await sessions(), [
        { status: 'COMPLETED', end: 'USED_ELSEWHERE', cost: 60 },
        { status: 'COMPLETED', end: null, cost: 610 },
      ]);
      t.equal(await balance(), 5000 - 60 - 610);
    });

    await t.test(`${version}: bills the reservation to its driver when another one uses it`, async (t) => {
      const { reserve, start, sessions, balance, user } = await startScene(rig, version);
      const colleague = await seedUser(sql, rig.network.id);
      const presented = await seedToken(sql, rig.network.id, { userId: colleague.id });
      const { reservationId } = await reserve(9, { groupId: 'FLEET-1' });
      await start(reservationId, new Date(), { presented });
      await end();
      t.match(await sessions(), [
        { status: 'COMPLETED', end: 'USED_ELSEWHERE', cost: 60, userId: user.id },
        { status: 'ACTIVE', end: null, userId: colleague.id },
      ]);
      t.equal(await balance(), 5000 - 60);
    });

    await t.test(`${version}: bills no expiry where the charger does not name the reservation`, async (t) => {
      const { reserve, start, sessions } = await startScene(rig, version);
      const { id } = await reserve(9);
      await start(undefined);
      await sql`update reservations set expires_at = now() where uuid = ${id}`;
      await end();
      t.match(await sessions(), [
        { status: 'COMPLETED', end: 'USED_ELSEWHERE', cost: 60 },
        { status: 'ACTIVE', end: null },
      ]);
    });
  }

  await t.test('bills nothing for a reservation whose use became impossible', async (t) => {
    const causes = {
      'its charger was removed': ({ charger }) => rig.call('DELETE', `/chargers/${charger.uuid}`),
      'its driver was blocked': ({ user }) => rig.call('PATCH', `/users/${user.uuid}`, { isBlocked: true }),
      'its token was blocked': ({ token }) => rig.call('PATCH', `/id-tokens/${token}`, { blocked: true }),
      'its token was removed': ({ token }) => rig.call('DELETE', `/id-tokens/${token}`),
    } satisfies Record<string, (scene: Scene & { token: string }) => Promise<{ status: number }>>;
    for (const [cause, end] of Object.entries(causes)) {
      const scene = await startScene(rig, 'ocpp1.6');
      const { id } = await scene.reserve(10);
      const removal = await rig.call('DELETE', `/users/${scene.user.uuid}`);
      t.match(removal, { status: 409, json: { error: { code: 'USER_IN_USE' } } }, cause);
      const [token] = await sql<{ uuid: string }[]>`select uuid from id_tokens where uid = ${scene.idTag}`;
      t.equal((await end({ ...scene, token: token!.uuid })).status, 200, cause);
      const [stored] = await sql`select status from reservations where uuid = ${id}`;
      t.match(stored, { status: 'Removed' }, cause);
      await endReservations({ sql, log });
      t.match(await scene.sessions(), [{ status: 'INVALID', cost: null }], cause);
      t.equal(await scene.balance(), 5000, cause);
    }
  });

  await t.test('bills nothing for a reservation that the station removed', async (t) => {
    const { reserve, sessions, balance } = await startScene(rig, 'ocpp2.0.1');
    const { id } = await reserve(10);
    await sql`update reservations set status = 'Removed', status_at = now() where uuid = ${id}`;
    await end();
    t.match(await sessions(), [{ status: 'INVALID', cost: null }]);
    t.equal(await balance(), 5000);
  });
});

void t.test(
  'a reservation by an operator for a token that is none of the network has no session',
  async (t) => {
    const rig = await startOperatedRig(t);
    await seedTariff(rig.stores.sql, rig.network.id, reservationElements);
    const { reserve, sessions } = await startScene(rig, 'ocpp2.0.1');
    t.match(await reserve(0, { idTag: 'CARD-OF-ANOTHER' }), { billedSessionId: null });
    t.same(await sessions(), []);
  },
);

void t.test('a reservation without a price has no session', async (t) => {
  const rig = await startOperatedRig(t);
  await seedTariff(rig.stores.sql, rig.network.id);
  const { reserve, start, sessions } = await startScene(rig, 'ocpp1.6');
  const { reservationId } = await reserve(10);
  t.same(await sessions(), []);
  await start(reservationId);
  t.match(await sessions(), [{ status: 'ACTIVE', end: null }]);
});
