import t from 'tap';
import { endReservations } from '#api/jobs/reservation-expiry.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedTariff, seedToken, seedUser } from '#shared/testing/seed.ts';
import { type Scene, seedPayer, startScene } from './support/driver-reservation.ts';
import { startOperatedRig } from '#api/test/support/operated-rig.ts';
import { reservationElements } from '#api/test/support/reservation-tariff.ts';

const minute = 60_000;
const log = createLogger('test', 'silent');

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

  /** Cards that a reservation of the group FLEET-1 is not for, one of them of the driver who reserved. */
  const seedOthers = async (userId: number) => ({
    unknown: 'CARD-OF-NOBODY',
    'without group': await seedToken(sql, rig.network.id, { userId }),
    'of another group': await seedToken(sql, rig.network.id, { groupId: 'FLEET-2' }),
    'without money, of the group': await seedToken(sql, rig.network.id, {
      userId: (await seedUser(sql, rig.network.id)).id,
      groupId: 'FLEET-1',
    }),
    'blocked, of the group': await seedToken(sql, rig.network.id, { isValid: false, groupId: 'FLEET-1' }),
  });

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

    await t.test(`${version}: corrects the fee when a start that names no reservation is late`, async (t) => {
      const { reserve, start, sessions, balance } = await startScene(rig, version);
      const { id } = await reserve(30);
      await sql`update reservations set expires_at = created_at + interval '25 minutes' where uuid = ${id}`;
      await end();
      t.equal(await balance(), 5000 - 360);
      await start(undefined, new Date(Date.now() - 21 * minute));
      await end();
      t.match(await sessions(), [
        { status: 'COMPLETED', end: 'USED_ELSEWHERE', cost: 60 },
        { status: 'ACTIVE', end: null },
      ]);
      t.equal(await balance(), 5000 - 60);
    });

    await t.test(`${version}: bills the reservation to its driver when another one uses it`, async (t) => {
      const { reserve, start, sessions, balance, user } = await startScene(rig, version);
      const { user: colleague } = await seedPayer(rig);
      const presented = await seedToken(sql, rig.network.id, { userId: colleague.id, groupId: 'Fleet-1' });
      const { id, reservationId } = await reserve(9, { groupId: 'FLEET-1' });
      await start(reservationId, new Date(), { presented });
      t.match(await rig.ask('GET', `/reservations/${id}`), { status: 'Used' });
      await end();
      t.match(await sessions(), [
        { status: 'COMPLETED', end: 'USED_ELSEWHERE', cost: 60, userId: user.id },
        { status: 'ACTIVE', end: null, userId: colleague.id },
      ]);
      t.equal(await balance(), 5000 - 60);
    });

    await t.test(`${version}: begins the reserved session with a card of its driver and group`, async (t) => {
      const { reserve, start, sessions, user } = await startScene(rig, version);
      const presented = await seedToken(sql, rig.network.id, { userId: user.id, groupId: 'FLEET-1' });
      const { id, reservationId, billedSessionId } = await reserve(9, { groupId: 'FLEET-1' });
      await start(reservationId, new Date(), { presented });
      t.match(await rig.ask('GET', `/reservations/${id}`), { status: 'Used', sessionId: billedSessionId });
      t.match(await sessions(), [{ uuid: billedSessionId, status: 'ACTIVE', end: 'USED' }]);
    });

    await t.test(`${version}: keeps a reservation that other starts name for its token`, async (t) => {
      const { reserve, start, stop, sessions, balance, user, idTag } = await startScene(rig, version);
      const { id, reservationId, billedSessionId } = await reserve(75, { groupId: 'FLEET-1' });
      const others = await seedOthers(user.id);
      for (const [transaction, presented] of Object.entries(others)) {
        const transactionId = await start(reservationId, new Date(), { transaction, presented });
        await end();
        const kept = { status: 'Active', sessionId: null, billedSessionId };
        t.match(await rig.ask('GET', `/reservations/${id}`), kept, transaction);
        await stop(transactionId, 0);
      }
      await sql`update id_tokens set is_valid = false where uid = ${idTag}`;
      await start(reservationId, new Date(), { transaction: 'blocked itself' });
      t.match(await rig.ask('GET', `/reservations/${id}`), { status: 'Active', sessionId: null });
      await sql`update id_tokens set is_valid = true where uid = ${idTag}`;

      const before = Number(await balance());
      const transactionId = await start(reservationId, new Date(Date.now() - 60 * minute));
      t.match(await rig.ask('GET', `/reservations/${id}`), { status: 'Used', sessionId: billedSessionId });
      await stop(transactionId, 20_000);
      const [reserved] = await sessions();
      t.match(reserved, { uuid: billedSessionId, status: 'COMPLETED', end: 'USED', cost: 730 });
      t.equal(await balance(), before - 730);
    });

    await t.test(`${version}: bills the expiry of a reservation that only other starts name`, async (t) => {
      const { reserve, start, sessions, user } = await startScene(rig, version);
      const { id, reservationId } = await reserve(30, { groupId: 'FLEET-1' });
      for (const [transaction, presented] of Object.entries(await seedOthers(user.id))) {
        await start(reservationId, new Date(Date.now() - 21 * minute), { transaction, presented });
      }
      await sql`update reservations set expires_at = created_at + interval '25 minutes' where uuid = ${id}`;
      await end();
      t.match(await rig.ask('GET', `/reservations/${id}`), { status: 'Expired', sessionId: null });
      t.match((await sessions())[0], { status: 'COMPLETED', end: 'EXPIRED', cost: 360 });
    });

    await t.test(`${version}: corrects the fee when a late start names another reservation`, async (t) => {
      const { reserve, start, sessions } = await startScene(rig, version);
      const { id } = await reserve(30);
      const other = await reserve(0, { idTag: await seedToken(sql, rig.network.id) });
      await sql`update reservations set expires_at = created_at + interval '25 minutes' where uuid = ${id}`;
      await end();
      t.match((await sessions())[0], { end: 'EXPIRED', cost: 360 });
      await start(other.reservationId, new Date(Date.now() - 21 * minute));
      await end();
      t.match((await sessions())[0], { end: 'USED_ELSEWHERE', cost: 60 });
      t.match(await rig.ask('GET', `/reservations/${other.id}`), { status: 'Active' });
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

  await t.test('corrects the fee when the token of a start follows the cable late', async (t) => {
    const { client, idTag, reserve, sessions } = await startScene(rig, 'ocpp2.0.1');
    const { id } = await reserve(30);
    await sql`update reservations set expires_at = created_at + interval '25 minutes' where uuid = ${id}`;
    const startedAt = new Date(Date.now() - 21 * minute).toISOString();
    const event = { transactionInfo: { transactionId: 'tx-1' }, evse: { id: 1, connectorId: 1 } };
    const started = { eventType: 'Started', triggerReason: 'CablePluggedIn', seqNo: 0, timestamp: startedAt };
    await client.call('TransactionEvent', { ...event, ...started });
    await end();
    t.match(await sessions(), [{ end: 'EXPIRED', cost: 360 }, { status: 'ACTIVE' }]);
    const timestamp = new Date().toISOString();
    const updated = { eventType: 'Updated', triggerReason: 'Authorized', seqNo: 1, timestamp };
    await client.call('TransactionEvent', {
      ...event,
      ...updated,
      idToken: { idToken: idTag, type: 'ISO14443' },
    });
    await end();
    t.match(await sessions(), [{ end: 'USED_ELSEWHERE', cost: 60 }, { status: 'ACTIVE' }]);
  });

  await t.test(
    'keeps a reservation until the token that follows the cable is the one it is for',
    async (t) => {
      const { client, idTag, reserve, user } = await startScene(rig, 'ocpp2.0.1');
      const { id, reservationId } = await reserve(9, { groupId: 'FLEET-1' });
      const plug = async (transactionId: string, idToken: string) => {
        const event = {
          timestamp: new Date().toISOString(),
          transactionInfo: { transactionId },
          evse: { id: 1, connectorId: 1 },
          reservationId,
        };
        const started = { eventType: 'Started', triggerReason: 'CablePluggedIn', seqNo: 0 };
        await client.call('TransactionEvent', { ...event, ...started });
        t.match(await rig.ask('GET', `/reservations/${id}`), { status: 'Active', sessionId: null });
        const updated = { eventType: 'Updated', triggerReason: 'Authorized', seqNo: 1 };
        const token = { idToken: { idToken, type: 'ISO14443' } };
        await client.call('TransactionEvent', { ...event, ...updated, ...token });
      };
      for (const [transaction, presented] of Object.entries(await seedOthers(user.id))) {
        await plug(transaction, presented);
        const kept = { status: 'Active', sessionId: null };
        t.match(await rig.ask('GET', `/reservations/${id}`), kept, transaction);
      }
      await plug('of its token', idTag);
      const [used] = await sql`
      select uuid from sessions where id_token = ${idTag} and ocpp_transaction_id = 'of its token'`;
      t.match(await rig.ask('GET', `/reservations/${id}`), { status: 'Used', sessionId: used?.['uuid'] });
    },
  );

  await t.test('bills nothing for a reservation whose use became impossible', async (t) => {
    const causes = {
      'its charger was removed': ({ charger }) => rig.call('DELETE', `/chargers/${charger.uuid}`),
      'its driver was blocked': ({ user }) => rig.call('PATCH', `/users/${user.uuid}`, { isBlocked: true }),
      'its token was blocked': ({ token }) => rig.call('PATCH', `/id-tokens/${token}`, { blocked: true }),
      'the validity of its token ended': ({ token }) =>
        rig.call('PATCH', `/id-tokens/${token}`, { expiresAt: new Date(Date.now() - minute).toISOString() }),
      'its token was given to a blocked driver': async ({ token }) => {
        const { uuid } = await seedUser(sql, rig.network.id);
        await rig.call('PATCH', `/users/${uuid}`, { isBlocked: true });
        return rig.call('PATCH', `/id-tokens/${token}`, { userId: uuid });
      },
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

  await t.test('bills nothing for a token that does not belong to the network', async (t) => {
    const { reserve, sessions } = await startScene(rig, 'ocpp2.0.1');
    t.match(await reserve(0, { idTag: 'CARD-OF-ANOTHER' }), { billedSessionId: null });
    t.same(await sessions(), []);
  });
});

void t.test('a reservation without a price has no session', async (t) => {
  const rig = await startOperatedRig(t);
  await seedTariff(rig.stores.sql, rig.network.id);
  const { reserve, start, sessions } = await startScene(rig, 'ocpp1.6');
  const { reservationId } = await reserve(10);
  t.same(await sessions(), []);
  await start(reservationId);
  t.match(await sessions(), [{ status: 'ACTIVE', end: null }]);
});
