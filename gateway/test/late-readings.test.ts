import t from 'tap';
import { pricePendingSessions } from '#api/jobs/session-pricer.ts';
import { closeAbandonedSessions } from '#api/jobs/session-closer.ts';
import { SegmentLoader } from '#gateway/wal/segment-loader.ts';
import { leaveSegments, walDirectory } from '#gateway/wal/test/support/segments.ts';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { createLogger } from '#shared/log/log.ts';
import { corrected } from '#shared/domain/charging/session.ts';
import { stampSessions, unstampSessions } from '#shared/postgres/charging/session-writes/invoicing.ts';
import { listPendingCosts } from '#shared/postgres/charging/pending-costs.ts';
import { settlePendingCost } from '#shared/postgres/charging/session-writes/price.statements.ts';
import { listSessionRevisions } from '#shared/postgres/charging/session-amending.statements.ts';
import type { SessionRecord } from '#shared/postgres/charging/session-records.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import { readingsLate } from '#shared/pricing/price-state.ts';
import { usageUntil } from '#shared/pricing/settle-session.ts';
import { meterRow } from '#shared/testing/meter-rows.ts';
import { seedTariff, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { type Rig, startRig } from './support/rig.ts';
import { minute, scripted16, sessionOf, untilLive } from './support/scripted16.ts';
import { events201, seedDriver } from './support/wallet-drivers.ts';

const energy = (price: string) => ({ type: 'ENERGY' as const, price, step_size: 1 });
/** 0.50 per kWh from 20 kW on, 0.20 below. */
const byPower = [
  { price_components: [energy('0.50')], restrictions: { min_power: 20 } },
  { price_components: [energy('0.20')] },
];

// An hour with 12 kWh: evenly 12 kW, 2.40. With 10 of them in the first ten minutes 5.40: 10 kWh at 60 kW, 2 slowly.
const evenly = { totalInclVatMinor: '240' };
const fastFirst = { totalInclVatMinor: '540' };

/** A session of an hour, priced without the reading that tells of its first minutes. */
async function pricedSession(rig: Rig, tag: string) {
  const { charger, client } = await rig.connect('ocpp1.6');
  const tale = scripted16(client, Date.now() - 60 * minute);
  const transactionId = await tale.start(tag, 0, 0);
  await tale.stop(transactionId, 60, 12_000);
  await rig.priceSessions();
  const session = await sessionOf(rig, transactionId);
  return { charger, tale, transactionId, session };
}

/** Has ClickHouse refuse readings, as in an outage, and be read meanwhile. The result ends it. */
async function refuseReadings(clickhouse: ClickHouse): Promise<() => Promise<unknown>> {
  await clickhouse.command({ query: 'alter table meter_samples add constraint outage check charger_id = 0' });
  return () => clickhouse.command({ query: 'alter table meter_samples drop constraint outage' });
}

/** Prices the session after the quiet period without new readings. */
async function pricedAnew(rig: Rig, { transactionId }: SessionRecord): Promise<SessionRecord> {
  await rig.priceSessions({ longestMs: 0, quietPeriodMs: 0 });
  return sessionOf(rig, transactionId);
}

void t.test('readings after the end of their session', async (t) => {
  const rig = await startRig(t);
  const { sql, clickhouse } = rig.stores;
  const tag = await seedToken(sql, rig.network.id);
  await seedTariff(sql, rig.network.id, byPower);

  await t.test('re-price the session once no more of them arrive', async (t) => {
    const driver = await seedDriver(rig, 1000n);
    const { tale, transactionId, session } = await pricedSession(rig, driver.tag);
    t.match(session.cost, evenly);
    t.same(session.flags, []);
    await tale.meter(transactionId, 10, 10_000);
    await rig.readingsLoaded();
    const [asRead] = await listPendingCosts(sql, 0n, 1, 0);
    const old = priceSession(asRead!.tariff!, usageUntil(asRead!, asRead!.endedAt));
    await tale.meter(transactionId, 20, 10_000);
    await rig.readingsLoaded();
    t.equal(
      await settlePendingCost(sql, asRead!, { cost: old, isComplete: true }),
      false,
      'another one came while it was priced',
    );
    await rig.priceSessions();
    const late = await sessionOf(rig, transactionId);
    t.match(late, { cost: evenly, flags: [readingsLate] }, 'it stands so long');
    await tale.meter(transactionId, 61, 12_000);
    await rig.readingsLoaded();
    const { updatedAt } = await sessionOf(rig, transactionId);
    t.same(updatedAt, late.updatedAt, 'what is read after the end is not waited for');
    t.same(await driver.balances(), [760, 0, 0]);
    const after = await pricedAnew(rig, session);
    t.match(after, { cost: fastFirst, version: 2 });
    t.same(after.flags, []);
    t.match(await listSessionRevisions(sql, session.id), [{ cost: evenly, reason: null }]);
    t.same(await driver.balances(), [460, 0, 0], 'the wallet pays the difference');

    await tale.meter(transactionId, 10, 10_000);
    await rig.readingsLoaded();
    t.match(await sessionOf(rig, transactionId), { flags: [readingsLate] });
    const repeated = await pricedAnew(rig, session);
    t.match(repeated, { cost: fastFirst, version: 2 }, 'a repeated one changes nothing');
    t.same(repeated.flags, []);
    t.same(await driver.causes(), ['CREDIT', 'SESSION', 'SESSION']);
  });

  await t.test('re-price the session for a 2.0.1 event after the last one', async (t) => {
    const { client } = await rig.connect('ocpp2.0.1');
    const tell = events201(client, 'late-201');
    await tell('Started', 0, 0, tag);
    await tell('Ended', 60, 12_000);
    await rig.priceSessions();
    const session = await sessionOf(rig, 'late-201');
    t.match(session.cost, evenly);
    await tell('Updated', 61, 12_000);
    await rig.readingsLoaded();
    t.same((await sessionOf(rig, 'late-201')).flags, [], 'what was read after the end is in no price');
    await tell('Updated', 10, 10_000);
    t.match((await pricedAnew(rig, session)).cost, fastFirst);
  });

  await t.test('are recorded as late after ClickHouse has them, not before', async (t) => {
    const { tale, transactionId, session } = await pricedSession(rig, tag);
    const accept = await refuseReadings(clickhouse);
    await tale.meter(transactionId, 10, 10_000);
    t.same((await sessionOf(rig, transactionId)).flags, []);
    await pricePendingSessions(rig.stores, { longestMs: 0, quietPeriodMs: 0 });
    t.match(await sessionOf(rig, transactionId), { cost: evenly, updatedAt: session.updatedAt });
    await accept();
    await rig.readingsLoaded();
    t.match(await sessionOf(rig, transactionId), { cost: evenly, flags: [readingsLate] });
    t.match((await pricedAnew(rig, session)).cost, fastFirst);
  });

  await t.test('re-price a session that ended, and was priced, during an outage', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await tale.start(tag, 0, 0);
    // The number is written every few seconds: that of the outage before must be gone.
    await until('no segment that waits', async () => {
      const [waits] = await sql`select from gateway_shards where spooled_batches > 0`;
      return waits === undefined;
    });
    const accept = await refuseReadings(clickhouse);
    await tale.meter(transactionId, 10, 10_000);
    await tale.stop(transactionId, 60, 12_000);
    await pricePendingSessions(rig.stores, { longestMs: 0, quietPeriodMs: 0 });
    const session = await sessionOf(rig, transactionId);
    t.match(session, { cost: evenly });
    await until('a segment that waits', async () => {
      const [waits] = await sql`select from gateway_shards where spooled_batches > 0`;
      return waits;
    });
    await accept();
    await rig.readingsLoaded();
    t.match((await sessionOf(rig, transactionId)).flags, [/readings-missing/, readingsLate]);
    const after = await pricedAnew(rig, session);
    t.match(after.cost, fastFirst);
    t.same(after.flags, []);
  });

  await t.test('re-price the session when they come from the log of an earlier run', async (t) => {
    const { charger, session } = await pricedSession(rig, tag);
    const origin = { networkId: rig.network.id, chargerId: charger.id, sessionId: session.uuid };
    const row = (minutes: number, energyWh: number) =>
      meterRow(origin, new Date(session.startedAt.getTime() + minutes * minute), { energyWh });
    const recovered = await leaveSegments(walDirectory(t), [[row(61, 12_000), row(10, 10_000)]]);
    const wal = { oldest: () => Promise.resolve(null), dropOldest: () => undefined, completeSegments: 0 };
    const loader = new SegmentLoader({
      wal,
      recovered,
      clickhouse,
      sql,
      deadlineMs: 20_000,
      loaded: () => undefined,
      faulty: () => undefined,
      failed: () => undefined,
      unknownFaultMs: 60_000,
      log: createLogger('test', 'silent'),
    });
    await loader.loadAll();
    t.match((await pricedAnew(rig, session)).cost, fastFirst);
  });

  await t.test(
    'leave amended sessions unchanged, and invoiced ones until the invoice is credited',
    async (t) => {
      const one = await pricedSession(rig, tag);
      await sql`update sessions set flags = ${[corrected]}::text[], price_decision = 'AMENDED' where uuid = ${one.session.uuid}`;
      const other = await pricedSession(rig, tag);
      await sql.begin((transaction) => stampSessions(transaction, [other.session.id], '2026-000001'));
      for (const { tale, transactionId, session } of [one, other]) {
        const before = await sessionOf(rig, transactionId);
        await tale.meter(transactionId, 10, 10_000);
        const after = await pricedAnew(rig, session);
        t.match(after.cost, evenly);
        t.ok(after.updatedAt > before.updatedAt, 'it can be seen that there are more readings');
      }
      await sql.begin((transaction) => unstampSessions(transaction, rig.network.id, '2026-000001'));
      t.match((await pricedAnew(rig, other.session)).cost, fastFirst);
      t.match((await pricedAnew(rig, one.session)).cost, evenly);
    },
  );

  await t.test('keep a price of complete readings when ClickHouse has lost some', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await tale.start(tag, 0, 0);
    await tale.meter(transactionId, 10, 10_000);
    await tale.meter(transactionId, 50, 11_500);
    await untilLive(rig, transactionId, 11_500);
    await tale.stop(transactionId, 60, 12_000);
    await rig.priceSessions();
    const session = await sessionOf(rig, transactionId);
    t.match(session.cost, fastFirst);
    await clickhouse.command({ query: 'truncate table meter_samples' });
    await tale.meter(transactionId, 30, 11_000);
    const after = await pricedAnew(rig, session);
    t.match(after, { cost: fastFirst, version: 1 });
    t.same(after.flags, []);
  });

  await t.test('are recorded for a session that was closed without a stop', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await tale.start(tag, 0, 0);
    await tale.meter(transactionId, 40, 12_000);
    await untilLive(rig, transactionId, 12_000);
    const next = await tale.start(tag, 50, 12_000);
    await closeAbandonedSessions(sql, { delayMs: 0, offlineMs: 24 * 60 * minute });
    await rig.priceSessions();
    const closed = await sessionOf(rig, transactionId);
    t.match(closed.cost, evenly);
    await tale.meter(transactionId, 10, 10_000);
    t.match((await pricedAnew(rig, closed)).cost, fastFirst);
    await tale.stop(next, 55, 12_000);
  });

  await t.test('of a session that cannot be priced delay no other session', async (t) => {
    const [one, other] = [await pricedSession(rig, tag), await pricedSession(rig, tag)];
    await sql`update sessions set tariff = jsonb_set(tariff, '{time_zone}', '"Mars/Base"')
      || '{"elements": [{"price_components": [{"type": "ENERGY", "price": "1", "step_size": 1}],
        "restrictions": {"start_time": "10:00", "end_time": "12:00"}}]}' where uuid = ${one.session.uuid}`;
    for (const { tale, transactionId } of [one, other]) await tale.meter(transactionId, 10, 10_000);
    await t.rejects(rig.priceSessions({ longestMs: 0, quietPeriodMs: 0 }), AggregateError);
    t.match(await sessionOf(rig, other.transactionId), { cost: fastFirst });
    t.match(await sessionOf(rig, one.transactionId), { cost: evenly, flags: [readingsLate] });
  });
});
