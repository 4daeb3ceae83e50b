import t from 'tap';
import { minute, scripted16, sessionOf } from '#gateway/test/support/scripted16.ts';
import { startRig } from '#gateway/test/support/rig.ts';
import { readMeterSeries } from '#shared/clickhouse/meter-series.queries.ts';
import { seedToken } from '#shared/testing/seed.ts';
import { seedByCurrent } from './play.ts';

void t.test('prices and charts readings that were stored before the columns of currents', async (t) => {
  const rig = await startRig(t);
  const { sql, clickhouse } = rig.stores;
  await seedByCurrent(sql, rig.network.id);
  const token = await seedToken(sql, rig.network.id);
  const { charger, client } = await rig.connect('ocpp1.6');
  const begin = Date.now() - 60 * minute;
  const sent = scripted16(client, begin);
  const transactionId = await sent.start(token, 0, 1000);
  for (const at of [10, 20, 30, 40, 50]) await sent.meter(transactionId, at, 1000 + at * 100);
  await rig.readingsLoaded();
  const { uuid } = await sessionOf(rig, transactionId);
  await clickhouse.command({ query: 'truncate table meter_samples' });
  await clickhouse.insert({
    table: 'meter_samples',
    columns: [
      'network_id',
      'charger_id',
      'evse',
      'connector',
      'session_id',
      'time',
      'received_at',
      'context',
      'energy_wh',
      'current_a',
      'extra',
    ],
    values: [10, 20, 30, 40, 50].map((at) => {
      const time = begin + at * minute;
      return {
        network_id: rig.network.id,
        charger_id: charger.id,
        evse: 1,
        connector: 1,
        session_id: uuid,
        time,
        received_at: time,
        context: 'Sample.Periodic',
        energy_wh: 1000 + at * 100,
        current_a: 16,
        extra: {
          'Current.Import.L1 A': '16.0',
          'Current.Import.L2 A': '16.0',
          'Current.Import.L3 A': '16.0',
          'Voltage.L1-N V': '230',
        },
      };
    }),
    format: 'JSONEachRow',
  });

  await sent.stop(transactionId, 60, 7000);
  await rig.priceSessions();
  t.match(await sessionOf(rig, transactionId), {
    energyWh: 6000,
    priceState: 'SETTLED',
    cost: { totalInclVatMinor: '600', notes: { length: 0 } },
  });

  const origin = { chargerId: charger.id, networkId: rig.network.id, sessionId: uuid, position: null };
  const range = { from: begin, to: begin + 60 * minute, widthMs: 60 * minute };
  const buckets = await readMeterSeries(clickhouse, origin, range);
  const mean = (name: 'current_a' | 'current_l1_a' | 'current_l3_a' | 'voltage_l1_v') => {
    const spreads = buckets.map(({ spreads }) => spreads[name]);
    const count = spreads.reduce((sum, spread) => sum + spread.count, 0);
    return [spreads.reduce((sum, spread) => sum + spread.total, 0) / count, count];
  };
  t.same(mean('current_a'), [16, 5]);
  t.same(mean('current_l1_a'), [16, 5]);
  t.same(mean('current_l3_a'), [16, 5]);
  t.same(mean('voltage_l1_v'), [230, 5]);
  t.equal(buckets.at(-1)?.register?.last, 6000);
});
