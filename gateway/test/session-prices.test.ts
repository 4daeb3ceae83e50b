import t from 'tap';
import { runningReadings } from '#api/services/charging/session-readings.ts';
import { listPendingCosts } from '#shared/postgres/charging/pending-costs.ts';
import { settlePendingCost } from '#shared/postgres/charging/session-writes/price.statements.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import { costPending, readingsMissing } from '#shared/pricing/price-state.ts';
import { noTariff, usageUntil } from '#shared/pricing/settle-session.ts';
import type { Tariff } from '#shared/pricing/tariff.ts';
import { seedTariff, seedToken } from '#shared/testing/seed.ts';
import { startRig } from './support/rig.ts';
import { minute, scripted16, sessionOf } from './support/scripted16.ts';

const energy = (price: string) => ({ type: 'ENERGY' as const, price, step_size: 1 });
/** 0.50 per kWh from 20 kW on, 0.20 below, and an hour of it 6.00 when more than 20 A flow. */
const byFlow: Tariff['elements'] = [
  { price_components: [energy('0.50')], restrictions: { min_power: 20 } },
  {
    price_components: [energy('0.20'), { type: 'TIME', price: '6', step_size: 1 }],
    restrictions: { min_current: 20 },
  },
  { price_components: [energy('0.20')] },
];

void t.test('prices from meter readings', async (t) => {
  const rig = await startRig(t);
  const { sql, clickhouse } = rig.stores;
  const tag = await seedToken(sql, rig.network.id);

  await t.test('flags a session without a tariff and leaves it without a price', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await tale.start(tag, 0, 1000);
    await tale.stop(transactionId, 59, 6000);
    t.match(await sessionOf(rig, transactionId), { status: 'COMPLETED', cost: null, flags: [noTariff] });
  });

  await seedTariff(sql, rig.network.id, byFlow);

  await t.test('answers a stop at once and prices the session by its readings later', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await tale.start(tag, 0, 1000);
    await tale.meter(transactionId, 10, 5000);
    await tale.meter(transactionId, 30, 7000);
    await rig.readingsLoaded();
    const running = await sessionOf(rig, transactionId);
    const readings = await runningReadings({ sql, clickhouse }, [running], new Date());
    t.same(
      readings.get(running.uuid)?.map(({ energyWh }) => energyWh),
      [4000, 6000],
      'the price so far includes them',
    );
    await tale.stop(transactionId, 50, 8000);
    t.match(await sessionOf(rig, transactionId), { status: 'COMPLETED', cost: null, flags: [costPending] });
    await rig.priceSessions();
    const priced = await sessionOf(rig, transactionId);
    t.same(priced.flags, []);
    // 4 kWh at 24 kW; 2 kWh at 6 kW and 1 kWh at 3 kW.
    t.match(priced.cost, {
      totalInclVatMinor: '260',
      lines: [
        { quantity: 4, unitPrice: '0.50' },
        { quantity: 3, unitPrice: '0.20' },
      ],
      notes: ['CURRENT_NOT_MEASURED'],
    });
    const before = priced.updatedAt;
    await rig.priceSessions();
    t.same((await sessionOf(rig, transactionId)).updatedAt, before, 'once');
  });

  await t.test('sums current over the phases', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await tale.start(tag, 0, 1000);
    const current = ['L1', 'L2', 'L3'].map((phase) => ({
      value: '8',
      measurand: 'Current.Import',
      unit: 'A',
      phase,
    }));
    await client.call('MeterValues', {
      connectorId: 1,
      transactionId,
      meterValue: [{ timestamp: tale.at(30), sampledValue: [{ value: '4000' }, ...current] }],
    });
    await tale.stop(transactionId, 60, 6000);
    await rig.priceSessions();
    // 5 kWh at 0.20, and an hour in which 24 A flowed, 8 A in each phase.
    t.match((await sessionOf(rig, transactionId)).cost, { totalInclVatMinor: '700', notes: { length: 0 } });
  });

  await t.test('waits for pending readings up to a deadline', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const tale = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await tale.start(tag, 0, 1000);
    await client.call('StopTransaction', {
      transactionId,
      meterStop: 8000,
      timestamp: tale.at(50),
      transactionData: [{ timestamp: tale.at(40), sampledValue: [{ value: '7000' }] }],
    });
    // As long as a shard keeps them on its disk.
    await rig.readingsLoaded();
    await clickhouse.command({ query: 'truncate table meter_samples' });
    await rig.priceSessions();
    t.match(await sessionOf(rig, transactionId), { cost: null, flags: [costPending] });
    const [asRead] = await listPendingCosts(sql, 0n, 1, 0);
    await sql`update sessions set started_at = started_at - interval '1 minute' where id = ${String(asRead?.id)}::bigint`;
    const old = priceSession(asRead!.tariff!, usageUntil(asRead!, asRead!.endedAt));
    t.equal(
      await settlePendingCost(sql, asRead!, { cost: old, isComplete: true }),
      false,
      'its start arrived meanwhile',
    );
    await rig.priceSessions({ longestMs: 0, quietPeriodMs: 0 });
    t.match(await sessionOf(rig, transactionId), {
      flags: [readingsMissing],
      cost: { totalInclVatMinor: '140', notes: ['CURRENT_NOT_MEASURED', 'ENERGY_SPREAD_EVENLY'] },
    });
  });
});
