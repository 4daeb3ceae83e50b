import t from 'tap';
import { idlePeriodsUntil } from '#shared/domain/charging/idle.ts';
import type { SessionRecord } from '#shared/postgres/charging/session-records.ts';
import { seedTariff, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { type Rig, startRig } from './support/rig.ts';
import { minute, scripted16, sessionOf } from './support/scripted16.ts';

/** Idle minutes cost 0.50 beyond ten, in a network's test tariff. */
async function seedIdleTariff(rig: Rig): Promise<void> {
  await seedTariff(rig.stores.sql, rig.network.id);
  const idle = { price_per_minute: '0.50', grace_minutes: 10 };
  await rig.stores.sql`update tariffs set idle = ${rig.stores.sql.json(idle)}`;
}

/** Tells a reading, and resolves with the session when it is live. */
function liveReadings(rig: Rig, tale: ReturnType<typeof scripted16>, transactionId: number) {
  return async (minutes: number, registerWh: number, powerW?: number) => {
    await tale.meter(transactionId, minutes, registerWh, powerW);
    return until(`the reading of minute ${minutes}`, async () => {
      const session = await sessionOf(rig, transactionId);
      return session.liveAt?.getTime() === new Date(tale.at(minutes)).getTime() ? session : null;
    });
  };
}

/** The idle periods of a session that began at `begin`, in minutes. */
function idleMinutes(session: SessionRecord, begin: string): [number, number, string][] {
  const minutes = (at: Date) => (at.getTime() - new Date(begin).getTime()) / minute;
  const periods = idlePeriodsUntil(session, session.endedAt ?? new Date());
  return periods.map(({ from, to, cause }) => [minutes(from), minutes(to), cause]);
}

void t.test('idle time', async (t) => {
  const rig = await startRig(t, { SHARDS: '2' });
  const { sql } = rig.stores;
  const tag = await seedToken(sql, rig.network.id);
  await seedIdleTariff(rig);

  await t.test('1.6: counts SuspendedEV as idle time and bills it beyond the grace period', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 14 * minute);
    const transactionId = await tale.start(tag, 0, 1000);
    await tale.status(0.1, 'Charging');
    await tale.status(1, 'SuspendedEV');
    const idle = await sessionOf(rig, transactionId);
    t.match(idle, { status: 'ACTIVE', idleCause: 'SuspendedEV' }, 'it never closes a session');
    t.same(idle.idleStartedAt, new Date(tale.at(1)));
    t.same(idle.chargingEndedAt, new Date(tale.at(1)));
    await tale.status(1.5, 'Finishing');
    t.same(
      (await sessionOf(rig, transactionId)).idleStartedAt,
      idle.idleStartedAt,
      'finishing is the same idle time',
    );
    await tale.stop(transactionId, 13, 6000);
    const ended = await sessionOf(rig, transactionId);
    t.match(ended, { status: 'COMPLETED', energyWh: 5000 });
    // 5 kWh and the session fee: 3.63; 12 idle minutes, of which 10 are free: 1.00 without VAT.
    t.equal(ended.cost?.totalInclVatMinor, '463');
    t.match(ended.cost?.lines.at(-1), { type: 'IDLE', quantity: 2, exclVatMinor: '100' });
  });

  await t.test('ends when charging resumes, with a grace period each time', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 14 * minute);
    const transactionId = await tale.start(tag, 0, 1000);
    for (const [when, status] of [
      [0.1, 'Charging'],
      [1, 'SuspendedEV'],
      [6, 'Charging'],
      [7, 'SuspendedEV'],
    ] as const) {
      await tale.status(when, status);
    }
    const running = await sessionOf(rig, transactionId);
    t.same(running.idleStartedAt, new Date(tale.at(7)));
    t.same(idlePeriodsUntil(running, new Date(tale.at(7))), [
      { from: new Date(tale.at(1)), to: new Date(tale.at(6)), cause: 'SuspendedEV' },
    ]);
    await tale.status(6.5, 'Charging');
    t.same(
      (await sessionOf(rig, transactionId)).idleStartedAt,
      running.idleStartedAt,
      'an older state changes nothing',
    );
    await tale.stop(transactionId, 13, 6000);
    t.equal(
      (await sessionOf(rig, transactionId)).cost?.totalInclVatMinor,
      '363',
      'five and six minutes cost nothing',
    );
  });

  await t.test('costs nothing before the first charge and while the charger suspends', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 14 * minute);
    const transactionId = await tale.start(tag, 0, 1000);
    await tale.status(0.1, 'SuspendedEV');
    t.match(await sessionOf(rig, transactionId), { idleStartedAt: null }, 'it waits for its first charge');
    await tale.status(0.5, 'Charging');
    await tale.status(1, 'SuspendedEVSE');
    t.match(await sessionOf(rig, transactionId), { idleCause: 'SuspendedEVSE' });
    await tale.status(12.5, 'SuspendedEV');
    const running = await sessionOf(rig, transactionId);
    t.same(running.idleStartedAt, new Date(tale.at(12.5)), 'from now on it is the car');
    t.same(running.chargingEndedAt, new Date(tale.at(1)));
    await tale.stop(transactionId, 13, 6000);
    t.equal((await sessionOf(rig, transactionId)).cost?.totalInclVatMinor, '363');
  });

  await t.test('records suspension by the charger before the first charge', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 14 * minute);
    const transactionId = await tale.start(tag, 0, 1000);
    await tale.status(0, 'SuspendedEVSE');
    t.match(await sessionOf(rig, transactionId), { idleCause: 'SuspendedEVSE', chargingEndedAt: null });
    await tale.status(10, 'Charging');
    await tale.stop(transactionId, 13, 6000);
    t.same(idleMinutes(await sessionOf(rig, transactionId), tale.at(0)), [[0, 10, 'SuspendedEVSE']]);
  });

  await t.test('begins when power is absent for five minutes and ends with power', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await tale.start(tag, 0, 1000);
    const live = liveReadings(rig, tale, transactionId);
    await live(10, 3000, 11_000);
    t.match(await live(12, 3100, 20), { idleStartedAt: null, powerW: 20, peakPowerW: 11_000 }, 'not yet');
    const idle = await live(20, 3101, 20);
    t.same(idle.idleStartedAt, new Date(tale.at(12)));
    t.equal(idle.idleCause, 'NoPower');
    t.same(idle.chargingEndedAt, new Date(tale.at(12)));
    t.match(await live(30, 4000, 7000), { idleStartedAt: null, chargingEndedAt: null, peakPowerW: 11_000 });
    // A charger that measures no power: its register stands still.
    await live(32, 4001);
    t.same((await live(40, 4002)).idleStartedAt, new Date(tale.at(32)));
    await tale.stop(transactionId, 59, 5000);
    const ended = await sessionOf(rig, transactionId);
    // 18 and 27 minutes: 8 and 17 beyond the grace.
    t.match(ended.cost?.lines.at(-1), { type: 'IDLE', quantity: 25, exclVatMinor: '1250' });
  });

  await t.test('ends with a fault and begins again after five minutes without power', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 25 * minute);
    const transactionId = await tale.start(tag, 0, 1000);
    const live = liveReadings(rig, tale, transactionId);
    await live(5, 6000, 11_000);
    await live(6, 6000, 0);
    await live(12, 6000, 0);
    await tale.status(13, 'Faulted');
    t.match(await live(14, 6000, 0), { idleStartedAt: null });
    await live(19, 6000, 0);
    await tale.stop(transactionId, 20, 6000);
    t.same(idleMinutes(await sessionOf(rig, transactionId), tale.at(0)), [
      [6, 13, 'NoPower'],
      [13, 20, 'NoPower'],
    ]);
  });

  await t.test('counts no period twice when readings arrive after states', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 14 * minute);
    const transactionId = await tale.start(tag, 0, 1000);
    await tale.status(0.1, 'Charging');
    await tale.status(1, 'SuspendedEVSE');
    await tale.status(12, 'Faulted');
    const live = liveReadings(rig, tale, transactionId);
    await live(2, 6000, 0);
    await live(9, 6000, 0);
    await tale.stop(transactionId, 13, 6000);
    t.same(idleMinutes(await sessionOf(rig, transactionId), tale.at(0)), [[1, 12, 'SuspendedEVSE']]);
  });

  await t.test('continues when the register rose before the car stopped', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 20 * minute);
    const transactionId = await tale.start(tag, 0, 1000);
    const live = liveReadings(rig, tale, transactionId);
    await live(4, 5000);
    await tale.status(8, 'SuspendedEV');
    await live(10, 5500);
    t.match(await live(14, 5500), { idleStartedAt: new Date(tale.at(8)), idleCause: 'SuspendedEV' });
    t.match(await live(16, 6000), { idleStartedAt: null }, 'one that rises afterwards does');
    t.same(idleMinutes(await sessionOf(rig, transactionId), tale.at(0)), [[8, 16, 'SuspendedEV']]);
  });

  await t.test('ignores zero power while the register rises', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await tale.start(tag, 0, 1000);
    const live = liveReadings(rig, tale, transactionId);
    await live(5, 1600, 0);
    t.match(await live(15, 2800, -7200), { idleStartedAt: null }, 'a meter that is mounted the wrong way');
    t.match(await live(25, 4000, 7.2), { idleStartedAt: null }, 'kW that are said to be W');
    await live(26, 4000, 0);
    await live(32, 4010, 0);
    const idle = await live(33, 4020, 0);
    t.same(idle.idleStartedAt, new Date(tale.at(26)), 'what a meter counts by is no charging');
    t.match(await live(40, 5000, 0), { idleStartedAt: null });
  });

  await t.test('2.0.1: follows the charging state', async (t) => {
    const { client } = await rig.connect('ocpp2.0.1');
    const begin = Date.now() - 40 * minute;
    const at = (minutes: number) => new Date(begin + minutes * minute).toISOString();
    const event = (eventType: string, minutes: number, chargingState: string, register: number) =>
      client.call('TransactionEvent', {
        eventType,
        timestamp: at(minutes),
        triggerReason: 'ChargingStateChanged',
        seqNo: minutes,
        transactionInfo: { transactionId: 'idle', chargingState },
        evse: { id: 1, connectorId: 1 },
        ...(eventType === 'Started' && { idToken: { idToken: tag, type: 'ISO14443' } }),
        meterValue: [{ timestamp: at(minutes), sampledValue: [{ value: register }] }],
      });
    const transactionId = 'idle';
    await event('Started', 0, 'Charging', 1000);
    await event('Updated', 5, 'SuspendedEV', 6000);
    t.same((await sessionOf(rig, transactionId)).idleStartedAt, new Date(at(5)));
    await event('Updated', 20, 'EVConnected', 6000);
    t.same(
      (await sessionOf(rig, transactionId)).idleStartedAt,
      new Date(at(5)),
      'no energy is offered: idle all the same',
    );
    await event('Ended', 35, 'Idle', 6000);
    const ended = await sessionOf(rig, transactionId);
    t.match(ended, { status: 'COMPLETED', energyWh: 5000, transactionId: 'idle' });
    t.match(ended.cost?.lines.at(-1), { type: 'IDLE', quantity: 20 });
  });

  await t.test('continues over a reconnection to another shard', async (t) => {
    const { charger, client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 14 * minute);
    const transactionId = await tale.start(tag, 0, 1000);
    await tale.status(0.1, 'Charging');
    await tale.status(1, 'SuspendedEV');
    const again = rig.client(charger, 'ocpp1.6');
    await again.connect();
    await scripted16(again, Date.now() - 14 * minute).stop(transactionId, 13, 6000);
    t.match((await sessionOf(rig, transactionId)).cost?.lines.at(-1), { type: 'IDLE' });
  });
});
