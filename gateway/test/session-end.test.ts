import t from 'tap';
import { closeAbandonedSessions } from '#api/jobs/session-closer.ts';
import { seedTariff, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { type Rig, startRig } from './support/rig.ts';
import { minute, scripted16, sessionOf, untilLive } from './support/scripted16.ts';

const day = 24 * 60 * minute;
const noDelay = { delayMs: 0, offlineMs: day };

async function unmatchedStops({ stores: { sql } }: Rig, chargerId: number): Promise<number> {
  const [row] = await sql<{ kept: number }[]>`
    select count(*)::integer as kept from unmatched_stops where charger_id = ${chargerId}`;
  return row?.kept ?? 0;
}

void t.test('sessions without a stop (field note 19)', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const tag = await seedToken(sql, rig.network.id);
  await seedTariff(sql, rig.network.id);

  await t.test('closes the session at its last reading on the next start of the connector', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 60 * minute);
    const first = await charger.start(tag, 0, 1000);
    await charger.meter(first, 10, 4000);
    await untilLive(rig, first, 3000);
    const next = await charger.start(tag, 30, 5000);
    const elsewhere = await charger.start(tag, 31, 0, 2);
    await closeAbandonedSessions(sql);
    t.match(await sessionOf(rig, first), { status: 'ACTIVE' }, 'its stop may be on its way');

    await closeAbandonedSessions(sql, noDelay);
    const closed = await sessionOf(rig, first);
    t.match(closed, { status: 'COMPLETED', energyWh: 3000, meterStopWh: null, stopReason: null });
    t.same(closed.endedAt, new Date(charger.at(10)));
    t.strictSame(closed.flags, ['estimated', 'closed-next-start']);
    // 3 kWh at 0.40 and 1.00, 21 % VAT.
    t.equal(closed.cost?.totalInclVatMinor, '266');
    t.match(await sessionOf(rig, next), { status: 'ACTIVE' });
    t.match(await sessionOf(rig, elsewhere), { status: 'ACTIVE' });

    await charger.stop(first, 25, 6000);
    const amended = await sessionOf(rig, first);
    t.match(amended, { status: 'COMPLETED', energyWh: 5000, meterStopWh: 6000, stopReason: 'Local' });
    t.same(amended.endedAt, new Date(charger.at(25)), 'the real stop puts it right');
    t.equal(amended.cost?.totalInclVatMinor, '363');
    t.strictSame(amended.flags, ['estimated', 'closed-next-start', 'amended']);
    await charger.stop(first, 26, 9000);
    t.same(await sessionOf(rig, first), amended, 'a second one changes nothing');
  });

  await t.test('keeps a session that is still metered when another begins', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 60 * minute);
    const first = await charger.start(tag, 0, 1000);
    await charger.start(tag, 30, 5000);
    await charger.meter(first, 40, 4000);
    await untilLive(rig, first, 3000);
    await closeAbandonedSessions(sql, noDelay);
    t.match(await sessionOf(rig, first), { status: 'ACTIVE' });
  });

  await t.test(
    'closes the session when the connector stays Available, not when it charges again',
    async (t) => {
      const { client } = await rig.connect('ocpp1.6');
      const charger = scripted16(client, Date.now() - 60 * minute);
      const transactionId = await charger.start(tag, 0, 1000);
      const now = 60;
      await charger.status(now, 'Charging');
      await charger.status(now, 'Available');
      await charger.status(now, 'Charging');
      await closeAbandonedSessions(sql, noDelay);
      t.match(await sessionOf(rig, transactionId), { status: 'ACTIVE' });
      await charger.status(now, 'SuspendedEV');
      await closeAbandonedSessions(sql, noDelay);
      t.match(await sessionOf(rig, transactionId), { status: 'ACTIVE' }, 'suspended is not over');
      await charger.status(now, 'Available');
      await closeAbandonedSessions(sql);
      t.match(await sessionOf(rig, transactionId), { status: 'ACTIVE' }, 'not at once');
      await closeAbandonedSessions(sql, noDelay);
      t.match(await sessionOf(rig, transactionId), {
        status: 'COMPLETED',
        flags: ['energy-unmeasured', 'estimated', 'closed-available'],
      });
    },
  );

  await t.test('2.0.1: keeps the session on events out of order and amends it on a late end', async (t) => {
    const { client } = await rig.connect('ocpp2.0.1');
    const begin = Date.now() - 30 * minute;
    const at = (minutes: number) => new Date(begin + minutes * minute).toISOString();
    const event = (eventType: string, transactionId: string, minutes: number, register: number) =>
      client.call('TransactionEvent', {
        eventType,
        timestamp: at(minutes),
        triggerReason: 'Trigger',
        seqNo: minutes,
        transactionInfo: { transactionId },
        evse: { id: 1, connectorId: 1 },
        idToken: { idToken: tag, type: 'ISO14443' },
        meterValue: [{ timestamp: at(minutes), sampledValue: [{ value: register }] }],
      });
    await event('Started', 'one', 0, 1000);
    await event('Started', 'two', 20, 5000);
    await closeAbandonedSessions(sql);
    t.match(await sessionOf(rig, 'one'), { status: 'ACTIVE' });
    await event('Ended', 'one', 15, 5000);
    t.match(await sessionOf(rig, 'one'), { status: 'COMPLETED', energyWh: 4000, flags: { length: 0 } });

    await event('Started', 'three', 25, 6000);
    // One whose live values are just stored is left to the next look.
    await until('the end of the second', async () => {
      await closeAbandonedSessions(sql, noDelay);
      return (await sessionOf(rig, 'two'))?.status === 'COMPLETED';
    });
    t.match(await sessionOf(rig, 'two'), { energyWh: 0 });
    await event('Updated', 'two', 22, 5500);
    t.match(await sessionOf(rig, 'two'), { status: 'COMPLETED' }, 'an update opens nothing');
    await event('Ended', 'two', 24, 6000);
    t.match(await sessionOf(rig, 'two'), {
      status: 'COMPLETED',
      energyWh: 1000,
      flags: ['estimated', 'closed-next-start', 'amended'],
    });
    t.match(await sessionOf(rig, 'three'), { status: 'ACTIVE' });
  });

  await t.test('closes the session of a charger that is offline for a day', async (t) => {
    const { charger: gone, client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 60 * minute);
    const lastFrameAt = new Date();
    const transactionId = await charger.start(tag, 0, 1000);
    await client.close({ force: true });
    await until('what was heard last', async () => {
      const [row] = await sql<{ heard: Date | null }[]>`
        select last_heartbeat_at as heard from chargers where id = ${gone.id} and last_heartbeat_at >= ${lastFrameAt}`;
      return row?.heard;
    });
    await closeAbandonedSessions(sql, noDelay);
    t.match(await sessionOf(rig, transactionId), { status: 'ACTIVE' });
    await sql`update chargers set last_heartbeat_at = now() - interval '25 hours' where id = ${gone.id}`;
    await sql`update sessions set start_received_at = now() - interval '26 hours'
      where ocpp_transaction_id = ${String(transactionId)}`;
    await Promise.all([closeAbandonedSessions(sql), closeAbandonedSessions(sql)]);
    t.match(await sessionOf(rig, transactionId), {
      status: 'COMPLETED',
      flags: ['energy-unmeasured', 'energy-estimated', 'estimated', 'closed-offline'],
    });
  });
});

void t.test('stops with a wrong transaction id (field note 5)', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const tag = await seedToken(sql, rig.network.id);
  const other = await seedToken(sql, rig.network.id);
  await seedTariff(sql, rig.network.id);

  await t.test('end and flag the one session that matches', async (t) => {
    const { charger: registered, client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 60 * minute);
    await sql`update connectors set deleted_at = now() where charger_id = ${registered.id} and number > 1`;
    const transactionId = await charger.start(tag, 0, 1000);
    await charger.stop(-1, 20, 6000);
    t.match(await sessionOf(rig, transactionId), {
      status: 'COMPLETED',
      energyWh: 5000,
      flags: ['stop-reconciled'],
    });
    await charger.stop(-1, 20, 6000);
    t.equal(await unmatchedStops(rig, registered.id), 0, 'said again it is the same stop');
    await charger.stop(transactionId, 30, 7000);
    t.match(await sessionOf(rig, transactionId), {
      energyWh: 6000,
      flags: ['stop-reconciled', 'amended'],
    });
  });

  await t.test(
    'are stored without effect when token, time, register or a second session contradict',
    async (t) => {
      const { charger: registered, client } = await rig.connect('ocpp1.6');
      const charger = scripted16(client, Date.now() - 60 * minute);
      const one = await charger.start(tag, 10, 1000);
      await charger.stop(0, 20, 6000, other);
      await charger.stop(0, 5, 6000, tag);
      await charger.stop(0, 20, 500, tag);
      await charger.stop(777_777, 21, 6000);
      t.match(await sessionOf(rig, one), { status: 'ACTIVE' });
      t.equal(await unmatchedStops(rig, registered.id), 4);
      const two = await charger.start(tag, 11, 0, 2);
      await charger.stop(0, 22, 6000, tag);
      t.match(await sessionOf(rig, one), { status: 'ACTIVE' });
      t.match(await sessionOf(rig, two), { status: 'ACTIVE' });
      t.equal(await unmatchedStops(rig, registered.id), 5);
    },
  );

  await t.test('with the id of another charger require the token', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await charger.start(tag, 0, 1000);
    await charger.stop(888_888, 20, 6000, tag.toLowerCase());
    t.match(await sessionOf(rig, transactionId), { status: 'COMPLETED', flags: ['stop-reconciled'] });
  });
});
