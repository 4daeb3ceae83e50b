import t from 'tap';
import { seedTariff, seedToken } from '#shared/testing/seed.ts';
import { startRig } from './support/rig.ts';
import { station21 } from './support/station21.ts';

// 1.00 and 0.40 per kWh, 21 % VAT: 5 kWh cost 3.63.
const costDetails = (inclTax: number, more: object = {}) => ({
  totalCost: { currency: 'EUR', typeOfCost: 'NormalCost', total: { exclTax: 3, inclTax } },
  totalUsage: { energy: 5000, chargingTime: 1800, idleTime: 0 },
  ...more,
});

void t.test("compares the station's cost with our price (I07)", async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  await seedTariff(sql, rig.network.id);
  const tag = await seedToken(sql, rig.network.id);
  const { client } = await rig.connect('ocpp2.1');
  const station = station21(client);
  const charge = async (transactionId: string, end: object, running: object = {}) => {
    await station.event('Started', transactionId, { idToken: { idToken: tag, type: 'ISO14443' }, kwh: 10 });
    await station.event('Updated', transactionId, { minutes: 10, kwh: 12, ...running });
    await station.event('Ended', transactionId, { minutes: 30, kwh: 15, ...end });
    const [session] = await sql`
      select price_state as state, flags, cost_minor as "costMinor", x.cost -> 'totalInclVat' as total, x.tariff_id as "tariffId"
      from sessions s left join station_transactions x on x.session_id = s.id where ocpp_transaction_id = ${transactionId}`;
    return session;
  };

  t.match(
    await charge('same', { costDetails: costDetails(3.63), info: { tariffId: 'T:1' } }),
    { state: 'SETTLED', flags: [], costMinor: 363n, total: 3.63, tariffId: 'T:1' },
    'the same cost',
  );
  t.match(
    await charge('other', { costDetails: costDetails(4.63) }),
    { state: 'REVIEW', flags: ['station-cost-differs'], costMinor: 363n, total: 4.63 },
    'another cost is reviewed, and ours is billed',
  );
  t.match(
    await charge('failed', { costDetails: costDetails(0, { failureToCalculate: true }) }),
    { state: 'SETTLED', flags: [], total: 0 },
    'a station that failed to calculate contradicts nothing',
  );
  t.match(
    await charge('running', { costDetails: costDetails(3.63) }, { costDetails: costDetails(1.9) }),
    { state: 'SETTLED', total: 3.63 },
    'the last cost counts',
  );
  t.match(await charge('none', {}), { state: 'SETTLED', total: null }, 'no cost');
});
