import t from 'tap';
import { priceSession } from '#shared/pricing/price-session.ts';
import type { PriceComponent, Tariff, TariffRestrictions } from '#shared/pricing/tariff.ts';
import { plain, session, type Stage, tariff } from './support/sessions.ts';

/**
 * The worked examples of OCPI 2.2.1: of the Tariff object (§11.3.1.1), of PriceComponent (§11.4.2), of
 * TariffRestrictions (§11.4.6) and of step_size in the CDR object (§10.3.1), with the numbers that are printed there.
 */
const monday = '2026-03-02T09:30:00Z';

function component(
  type: PriceComponent['type'],
  price: string,
  vat: string | null = null,
  step_size = 1,
): PriceComponent {
  return { type, price, ...(vat !== null && { vat }), step_size };
}

function totals(priced: Tariff, start: string, ...stages: Stage[]): number[] {
  const cost = priceSession(priced, session(start, ...stages));
  return [Number(cost.totalExclVatMinor), Number(cost.totalInclVatMinor)];
}

const day = (time: string) => `2026-03-02T${time}:00Z`;
const energy = component('ENERGY', '0.25', '10');
const start = component('FLAT', '0.50', '20');
const charged = (kwh: number): Stage => ({ minutes: 60, kwh });
/** So much energy at that power. */
const at = (kwh: number, kw: number): Stage => ({ minutes: (kwh / kw) * 60, kwh });
const parked = (minutes: number): Stage => ({ minutes, idle: 'SuspendedEV' });

void t.test('tariffs without restrictions', async (t) => {
  t.strictSame(totals(plain(energy), monday, charged(20)), [500, 550], '0.25 per kWh');
  t.strictSame(totals(plain(start, energy), monday, charged(20)), [550, 610], 'and a start fee');
  const least = { ...plain(energy), min_price: { excl_vat: '0.50', incl_vat: '0.55' } };
  t.strictSame(totals(least, monday, charged(20)), [500, 550], 'with a minimum price');
  t.strictSame(totals(least, monday, charged(1.9)), [50, 55]);
  const most = { ...plain(start, energy), max_price: { excl_vat: '10', incl_vat: '11' } };
  t.strictSame(totals(most, monday, charged(50)), [1000, 1100], 'with a maximum price');
  t.strictSame(totals(most, monday, charged(30)), [800, 885]);
  const parking = plain(start, energy, component('PARKING_TIME', '2.00', '20', 900));
  t.strictSame(totals(parking, monday, charged(20), parked(40)), [700, 790], 'with a parking fee');
  t.strictSame(totals(plain(component('TIME', '2.00', '10', 60)), monday, { minutes: 150 }), [500, 550]);
  const dearParking = plain(
    component('TIME', '3.00', '10', 60),
    component('PARKING_TIME', '5.00', '20', 300),
  );
  t.strictSame(totals(dearParking, monday, { minutes: 150 }, parked(42)), [1125, 1275]);
  t.strictSame(totals(plain(component('TIME', '1.90', '5.2', 300)), monday, { minutes: 150 }), [475, 500]);
  const cheap = plain(start, component('ENERGY', '0.25', '10', 100));
  t.strictSame(totals(cheap, monday, charged(20.45)), [563, 624], 'energy in steps of 0.1 kWh');
  t.strictSame(totals(plain(component('FLAT', '0', null, 0)), monday, charged(20)), [0, 0], 'free of charge');
});

void t.test('the complex tariff', async (t) => {
  const weekdays: TariffRestrictions['day_of_week'] = [
    'MONDAY',
    'TUESDAY',
    'WEDNESDAY',
    'THURSDAY',
    'FRIDAY',
  ];
  const complex = tariff([
    { price_components: [component('FLAT', '2.50', '15')] },
    { price_components: [component('TIME', '1.00', '20', 900)], restrictions: { max_current: 32 } },
    {
      price_components: [component('TIME', '2.00', '20', 600)],
      restrictions: { min_current: 32, day_of_week: weekdays },
    },
    {
      price_components: [component('TIME', '1.25', '20', 600)],
      restrictions: { min_current: 32, day_of_week: ['SATURDAY', 'SUNDAY'] },
    },
    {
      price_components: [component('PARKING_TIME', '5', '10', 300)],
      restrictions: { start_time: '09:00', end_time: '18:00', day_of_week: weekdays },
    },
    {
      price_components: [component('PARKING_TIME', '6', '10', 300)],
      restrictions: { start_time: '10:00', end_time: '17:00', day_of_week: ['SATURDAY'] },
    },
  ]);
  const slow = { minutes: 165, kwh: 10, currentA: 16 };
  t.strictSame(totals(complex, monday, slow, parked(42)), [900, 1030]);
  // 114 minutes at 1.25 are 2.375, as an erratum of the example has it (ocpi/ocpi issue 396); it prints 2.28.
  const fast = { minutes: 114, kwh: 40, currentA: 43 };
  t.strictSame(totals(complex, '2026-03-07T13:30:00Z', fast, parked(71)), [1238, 1398]);
});

void t.test('the tariff with a price for reservations', async (t) => {
  const reserved = tariff([
    { price_components: [component('TIME', '5', '20', 60)], restrictions: { reservation: 'RESERVATION' } },
    { price_components: [start, energy] },
  ]);
  const to = new Date(monday);
  const reservation = { from: new Date(to.getTime() - 15 * 60_000), to, end: 'USED' as const };
  const cost = priceSession(reserved, { ...session(monday, charged(20)), reservation });
  t.match(cost, { totalExclVatMinor: 675n, totalInclVatMinor: 760n, notes: [] });
});

/** Returns the part of a kWh that is billed, in steps of so many Wh. */
function billedKwh(step: number, kwh: number): number | undefined {
  const stepped = plain(component('ENERGY', '0.25', null, step));
  return priceSession(stepped, session(monday, { minutes: 1, kwh })).lines[0]?.quantity;
}

void t.test('rounds amounts of one component up to whole steps', async (t) => {
  t.equal(billedKwh(1, 0.1152), 0.116);
  t.equal(billedKwh(25, 0.1152), 0.125);
  t.equal(billedKwh(25, 0.125), 0.125);
  t.equal(billedKwh(500, 0.001), 0.5);
});

void t.test('applies step_size to consecutive elements', async (t) => {
  const fees = tariff([
    {
      price_components: [component('TIME', '1.20', null, 1800), component('PARKING_TIME', '1.00', null, 900)],
      restrictions: { start_time: '00:00', end_time: '17:00' },
    },
    {
      price_components: [component('TIME', '2.40', null, 900), component('PARKING_TIME', '1.00', null, 900)],
      restrictions: { start_time: '17:00', end_time: '20:00' },
    },
    {
      price_components: [component('TIME', '2.40', null, 900)],
      restrictions: { start_time: '20:00', end_time: '00:00' },
    },
  ]);
  t.strictSame(totals(fees, day('16:55'), { minutes: 10 }, parked(2)), [55, 55]);
  t.strictSame(totals(fees, day('16:35'), { minutes: 35 }), [130, 130]);
  // The example prints 0.80 at prices that the tariff does not have; its authors retraced it to 0.73 (issue 546).
  t.strictSame(totals(fees, day('19:40'), { minutes: 12 }, parked(20)), [73, 73]);

  const byClock = (type: PriceComponent['type'], before: string, after: string, step: number) =>
    tariff([
      { price_components: [component(type, before, null, step)], restrictions: { end_time: '17:00' } },
      { price_components: [component(type, after, null, step)] },
    ]);
  const quantities = (priced: Tariff, ...stages: Stage[]) =>
    priceSession(priced, session(day('16:54'), ...stages)).lines.map(({ quantity }) => quantity);
  t.strictSame(
    quantities(byClock('ENERGY', '0.20', '0.27', 500), { minutes: 6, kwh: 4.3 }, { minutes: 6, kwh: 1.1 }),
    [4.3, 1.2],
    '5.4 kWh are billed as 5.5',
  );
  t.strictSame(quantities(byClock('TIME', '5', '7', 600), { minutes: 28 }), [0.1, 0.4], '28 minutes as 30');
  const both = plain(component('TIME', '1.00', null, 600), component('PARKING_TIME', '2.00', null, 600));
  t.strictSame(quantities(both, { minutes: 21 }, parked(16)), [0.35, 1 / 3], '21 minutes, and 16 as 20');
  const five = plain(component('TIME', '1.00', null, 300), component('PARKING_TIME', '2.00', null, 300));
  t.strictSame(quantities(five, { minutes: 21 }, parked(7)), [0.35, 1 / 6], '21 minutes, and 7 as 10');
});

void t.test('applies restrictions of power and duration', async (t) => {
  const byPower = tariff([
    { price_components: [component('ENERGY', '0.20')], restrictions: { max_power: 16 } },
    { price_components: [component('ENERGY', '0.35')], restrictions: { max_power: 32 } },
    { price_components: [component('ENERGY', '0.50')] },
  ]);
  t.strictSame(totals(byPower, monday, at(1, 6), at(40, 48), at(0.5, 4)), [2030, 2030]);
  const supermarket = tariff([
    { price_components: [component('ENERGY', '0.00')], restrictions: { max_duration: 1800 } },
    { price_components: [component('ENERGY', '0.25')], restrictions: { max_duration: 3600 } },
    { price_components: [component('ENERGY', '0.40')] },
  ]);
  t.strictSame(totals(supermarket, monday, { minutes: 30, kwh: 5 }, { minutes: 10, kwh: 1.2 }), [30, 30]);
});
