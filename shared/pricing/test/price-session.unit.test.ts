import t from 'tap';
import type { MeterPoint } from '#shared/domain/charging/meter-sample.ts';
import { vatTotals } from '#shared/pricing/cost.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import { needsReadings, ratedPeriods } from '#shared/pricing/rating.ts';
import { usageReadings } from '#shared/pricing/readings.ts';
import type { Tariff, TariffRestrictions } from '#shared/pricing/tariff.ts';
import type { SessionUsage } from '#shared/pricing/usage.ts';
import { plain, session, tariff } from './support/sessions.ts';

const noon = '2026-03-02T12:00:00Z';
const incl = (priced: Tariff, usage: SessionUsage) => priceSession(priced, usage).totalInclVatMinor;
const excl = (priced: Tariff, usage: SessionUsage) => priceSession(priced, usage).totalExclVatMinor;
const perKwh = (price: string, restrictions?: TariffRestrictions) => ({
  price_components: [{ type: 'ENERGY' as const, price, step_size: 1 }],
  ...(restrictions !== undefined && { restrictions }),
});
const perHour = (price: string, restrictions?: TariffRestrictions) => ({
  price_components: [{ type: 'TIME' as const, price, step_size: 1 }],
  ...(restrictions !== undefined && { restrictions }),
});

void t.test('bills charging time in whole steps', async (t) => {
  const stepped = plain({ type: 'TIME', price: '2.00', step_size: 300 });
  const priced = (seconds: number) => incl(stepped, session(noon, { minutes: seconds / 60 }));
  t.equal(priced(0), 0n);
  t.equal(priced(1), 17n, 'one second is a step of five minutes: 0.1666 is 0.17');
  t.equal(priced(300), 17n);
  t.equal(priced(301), 33n);
  t.equal(priced(3600), 200n);
  const idle = session(noon, { minutes: 30 }, { minutes: 60, idle: 'SuspendedEV' }, { minutes: 30 });
  t.equal(incl(stepped, idle), 200n, 'what is idle is parking');
});

void t.test('bills suspension by the charger as neither charging nor parking', async (t) => {
  const both = plain(
    { type: 'TIME', price: '2.00', step_size: 1 },
    { type: 'PARKING_TIME', price: '6.00', step_size: 1 },
  );
  const usage = session(
    noon,
    { minutes: 30, kwh: 5 },
    { minutes: 60, idle: 'SuspendedEVSE' },
    { minutes: 10, idle: 'SuspendedEV' },
  );
  t.equal(incl(both, usage), 200n);
  const periods = (readings: SessionUsage['readings']) =>
    ratedPeriods(both, { ...usage, readings }).map(({ activity, energyWh }) => [activity, energyWh]);
  const expected = [
    ['charging', 5000],
    ['held', 0],
    ['parking', 0],
  ];
  t.strictSame(periods(usage.readings), expected);
  t.strictSame(periods([]), expected, 'no energy flows then, whatever was not read');
  const [first] = usage.idlePeriods;
  const late = { ...usage, readings: [], idlePeriods: first === undefined ? [] : [first] };
  t.strictSame(
    ratedPeriods(both, late).map(({ energyWh }) => energyWh),
    [3750, 0, 1250],
    'what it charged is spread over the time in which it did',
  );
});

void t.test('applies the first component of a dimension, and FLAT once', async (t) => {
  const two = tariff([
    perKwh('0.10'),
    {
      price_components: [
        { type: 'ENERGY', price: '9', step_size: 1 },
        { type: 'FLAT', price: '0.50', step_size: 1 },
      ],
    },
    { price_components: [{ type: 'FLAT', price: '7', step_size: 1 }] },
  ]);
  t.equal(incl(two, session(noon, { minutes: 0, kwh: 1 })), 60n, 'of a session without length too');
  const night = tariff([
    {
      price_components: [{ type: 'FLAT', price: '3', step_size: 1 }],
      restrictions: { start_time: '22:00', end_time: '06:00' },
    },
    { price_components: [{ type: 'FLAT', price: '1', step_size: 1 }] },
  ]);
  t.equal(incl(night, session('2026-03-02T21:00:00Z', { minutes: 120 })), 100n, 'the one of its start');
});

void t.test('prices currencies of zero and three decimals in their minor units', async (t) => {
  const perSession = plain({ type: 'FLAT', price: '1.5', step_size: 1 });
  const flat = (currency: string) => incl({ ...perSession, currency }, session(noon, { minutes: 1 }));
  t.equal(flat('JPY'), 2n);
  t.equal(flat('KWD'), 1500n);
});

void t.test('bills idle minutes beyond each grace period on a line of their own', async (t) => {
  const withIdle: Tariff = {
    ...plain({ type: 'ENERGY', price: '0.25', step_size: 1 }),
    idle: { price_per_minute: '0.10', grace_minutes: 10, vat: '21' },
  };
  const priced = (...idleSeconds: number[]) =>
    priceSession(
      withIdle,
      session(
        noon,
        { minutes: 10, kwh: 4 },
        ...idleSeconds.flatMap((seconds) => [
          { minutes: seconds / 60, idle: 'SuspendedEV' as const },
          { minutes: 1 },
        ]),
      ),
    );
  t.strictSame(
    priced(600, 300).lines.map(({ type }) => type),
    ['ENERGY'],
    'within their grace they cost nothing',
  );
  // 5 and 15 minutes and 3 seconds: 20.05 × 0.10 = 2.005, VAT 0.42105; with the energy 3.005 → 3.01 and 3.42605 → 3.43.
  const cost = priced(900, 600, 1503);
  t.strictSame(cost.lines[1], {
    type: 'IDLE',
    quantity: 20.05,
    unitPrice: '0.10',
    vatPercent: '21',
    exclVatMinor: 201n,
    vatMinor: 42n,
  });
  t.equal(cost.totalInclVatMinor, 343n);
  t.equal(priced(601).lines[1]?.exclVatMinor, 0n, 'a second is billed as such: 0.0017 is nothing');
});

void t.test('applies elements by local time, over midnight and clock changes', async (t) => {
  const dayAndNight = tariff([perHour('6', { start_time: '22:00', end_time: '06:00' }), perHour('60')], {
    time_zone: 'Europe/Amsterdam',
  });
  const hours = (start: string, minutes: number) => excl(dayAndNight, session(start, { minutes }));
  // 21:30 to 06:30 in winter: 8 hours at 6, one at 60.
  t.equal(hours('2026-03-02T20:30:00Z', 540), 10_800n);
  // The night of 29 March has seven hours, that of 25 October nine.
  t.equal(hours('2026-03-28T20:30:00Z', 480), 10_200n);
  t.equal(hours('2026-10-24T19:30:00Z', 600), 11_400n);
  // At 2 the clock is put forward to 3: what begins at 02:30 begins at 3.
  const gap = tariff([perHour('60', { start_time: '02:30', end_time: '04:00' })], {
    time_zone: 'Europe/Amsterdam',
  });
  t.equal(excl(gap, session('2026-03-29T00:00:00Z', { minutes: 180 })), 6000n);
  // 02:00 to 03:00 comes twice when it is put back.
  const twice = tariff([perHour('60', { start_time: '02:00', end_time: '03:00' })], {
    time_zone: 'Europe/Amsterdam',
  });
  t.equal(excl(twice, session('2026-10-24T22:00:00Z', { minutes: 300 })), 12_000n);
  // Half an hour, and changes of half an hour.
  const lordHowe = tariff([perHour('60', { end_time: '02:00' })], { time_zone: 'Australia/Lord_Howe' });
  t.equal(
    excl(lordHowe, session('2026-04-04T13:00:00Z', { minutes: 240 })),
    15_000n,
    'midnight to 2, 01:30 to 2 again',
  );
});

void t.test('extends an element without start or end to the whole day', async (t) => {
  const night = session('2026-03-02T20:00:00Z', { minutes: 480, kwh: 8 });
  const evening = { start_time: '18:00' };
  const morning = { end_time: '06:00' };
  for (const restrictions of [evening, morning]) {
    t.equal(excl(tariff([perHour('6', restrictions), perHour('1')]), night), 2800n);
    t.equal(excl(tariff([perKwh('6', restrictions), perKwh('1')]), night), 2800n);
    t.ok(needsReadings(tariff([perKwh('6', restrictions), perKwh('1')]), night));
  }
  // At midnight, as 24 April begins, the clock is put forward to 1.
  const cairo = tariff([perHour('6', evening), perHour('1')], { time_zone: 'Africa/Cairo' });
  t.equal(excl(cairo, session('2026-04-23T20:00:00Z', { minutes: 240 })), 1400n);
});

void t.test('applies elements by the local calendar', async (t) => {
  const zone = { time_zone: 'Europe/Amsterdam' };
  const weekend = tariff([perHour('60', { day_of_week: ['SATURDAY', 'SUNDAY'] }), perHour('6')], zone);
  // From Friday 23:00 to Saturday 01:00 there.
  t.equal(excl(weekend, session('2026-03-06T22:00:00Z', { minutes: 120 })), 6600n);
  const fair = tariff([perHour('60', { start_date: '2026-03-06', end_date: '2026-03-07' })], zone);
  t.equal(excl(fair, session('2026-03-05T22:00:00Z', { minutes: 120 })), 6000n, 'from the first day');
  t.equal(excl(fair, session('2026-03-06T22:00:00Z', { minutes: 120 })), 6000n, 'until the last, exclusive');
  const allDay = tariff([perHour('60', { start_time: '00:00', end_time: '00:00' })], zone);
  t.equal(excl(allDay, session('2026-03-05T22:00:00Z', { minutes: 120 })), 12_000n);
});

void t.test('divides energy at a limit and interpolates it at a time', async (t) => {
  const first10 = tariff([perKwh('0.10', { max_kwh: 10 }), perKwh('0.50')]);
  t.equal(excl(first10, session(noon, { minutes: 60, kwh: 30 })), 1100n);
  const timed = tariff([perHour('6', { max_kwh: 10 }), perHour('60')]);
  t.equal(excl(timed, session(noon, { minutes: 60, kwh: 30 })), 4200n, '10 kWh are there after 20 minutes');
  const late = tariff([perKwh('0.50', { start_time: '12:45' }), perKwh('0.10')]);
  t.equal(
    excl(late, session(noon, { minutes: 30, kwh: 20 }, { minutes: 30, kwh: 10 })),
    500n,
    '25 kWh and 5',
  );
  const free = tariff([
    perKwh('0', { max_duration: 1800 }),
    perKwh('0.25', { min_duration: 1800, max_duration: 3600 }),
  ]);
  t.equal(
    excl(free, session(noon, { minutes: 60, kwh: 10 }, { minutes: 60, kwh: 10 })),
    125n,
    'after an hour nothing is said',
  );
  const both = tariff([perKwh('1', { max_kwh: 10, start_time: '12:30' }), perKwh('0.10')]);
  t.equal(excl(both, session(noon, { minutes: 60, kwh: 12 })), 480n, '6 kWh, 4 of the dear kind, 2');
  // 10 kWh are there between two milliseconds; 12 kWh at noon and 4,000 s, to the mWh all the same.
  const after = tariff([perKwh('1', { min_kwh: 10, max_duration: 4000 }), perKwh('0')]);
  const [dear] = priceSession(after, { ...session(noon, { minutes: 100, kwh: 18 }), readings: [] }).lines;
  t.equal(dear?.quantity, 2);
});

void t.test('takes power between readings, measured current, and no limit for unknown values', async (t) => {
  const fast = tariff([perKwh('0.20', { max_power: 16 }), perKwh('0.50')]);
  t.equal(excl(fast, session(noon, { minutes: 60, kwh: 16 }, { minutes: 60, kwh: 15.9 })), 1118n);
  const high = tariff([perHour('60', { min_current: 32 }), perHour('6')]);
  const usage = session(noon, { minutes: 60, kwh: 7, currentA: 31.9 }, { minutes: 60, kwh: 7, currentA: 32 });
  t.equal(excl(high, usage), 6600n);
  const unknown = priceSession(high, session(noon, { minutes: 60, kwh: 7 }));
  t.match(unknown, { totalExclVatMinor: 600n, notes: ['CURRENT_NOT_MEASURED'] });
});

void t.test('applies a current from its measurement on', async (t) => {
  const high = tariff([perHour('60', { min_current: 32 }), perHour('6')]);
  const startedAt = new Date(noon);
  const at = (minutes: number) => new Date(startedAt.getTime() + minutes * 60_000);
  const priced = (...readings: SessionUsage['readings']) => {
    const usage = { startedAt, endedAt: at(60), energyWh: 9000, idlePeriods: [], readings };
    const { totalExclVatMinor, notes } = priceSession(high, usage);
    return [totalExclVatMinor, ...notes];
  };
  const [start, end] = [
    { at: at(0), energyWh: 0, currentA: 40 },
    { at: at(60), energyWh: 9000, currentA: 40 },
  ];
  t.strictSame(priced(start, { at: at(50), energyWh: 8000, currentA: 10 }), [5100n]);
  t.strictSame(priced(start, end), [6000n]);
  t.strictSame(priced(end), [6000n], 'before the first one, that one');
  const withoutRegister = { at: at(50), energyWh: null, currentA: 10 };
  t.strictSame(priced(start, withoutRegister, end), [5100n]);
  t.strictSame(priced({ ...start, energyWh: null }, withoutRegister), [5100n, 'ENERGY_SPREAD_EVENLY']);
});

void t.test('sums lines for each VAT rate, no VAT apart from 0 %', async (t) => {
  const rates = plain(
    { type: 'FLAT', price: '1', step_size: 1 },
    { type: 'TIME', price: '6', vat: '0', step_size: 1 },
    { type: 'ENERGY', price: '0.333', vat: '21', step_size: 1 },
  );
  const { lines } = priceSession(rates, session(noon, { minutes: 10, kwh: 10 }));
  t.strictSame(vatTotals(lines), [
    { vatPercent: null, exclVatMinor: 100n, vatMinor: 0n },
    { vatPercent: '0', exclVatMinor: 100n, vatMinor: 0n },
    { vatPercent: '21', exclVatMinor: 333n, vatMinor: 70n },
  ]);
});

void t.test('keeps VAT in proportion under a limit without VAT', async (t) => {
  const limits = { min_price: { excl_vat: '2' }, max_price: { excl_vat: '5' } };
  const limited = { ...plain({ type: 'ENERGY', price: '0.50', vat: '21', step_size: 1 }), ...limits };
  const totals = (kwh: number) => {
    const { totalExclVatMinor, totalInclVatMinor } = priceSession(
      limited,
      session(noon, { minutes: 1, kwh }),
    );
    return [totalExclVatMinor, totalInclVatMinor];
  };
  t.strictSame(totals(0), [200n, 242n]);
  t.strictSame(totals(1), [200n, 242n]);
  t.strictSame(totals(6), [300n, 363n]);
  t.strictSame(totals(60), [500n, 605n]);
  const freeStart: Tariff = {
    ...plain(
      { type: 'ENERGY', price: '0.50', vat: '21', step_size: 1 },
      { type: 'FLAT', price: '0', vat: '9', step_size: 1 },
    ),
    ...limits,
  };
  t.strictSame(
    vatTotals(priceSession(freeStart, session(noon, { minutes: 1 })).lines),
    [
      { vatPercent: '9', exclVatMinor: 0n, vatMinor: 0n },
      { vatPercent: '21', exclVatMinor: 200n, vatMinor: 42n },
    ],
    'and its VAT stands at that rate',
  );
  const mixed: Tariff = {
    ...plain(
      { type: 'ENERGY', price: '1', vat: '10', step_size: 1 },
      { type: 'FLAT', price: '2', vat: '20', step_size: 1 },
    ),
    max_price: { excl_vat: '6', incl_vat: '6.60' },
  };
  const cost = priceSession(mixed, session(noon, { minutes: 1, kwh: 10 }));
  t.match(cost, { totalExclVatMinor: 600n, totalInclVatMinor: 660n });
  t.strictSame(
    cost.lines.filter(({ type }) => type === 'MAX_PRICE').map((line) => [line.vatPercent, line.exclVatMinor]),
    [
      ['10', -500n],
      ['20', -100n],
    ],
    'each rate gives its share',
  );
});

void t.test('requests readings only for sessions that need them', async (t) => {
  const hour = session(noon, { minutes: 60, kwh: 10 });
  const needs = (...elements: Tariff['elements']) => needsReadings(tariff(elements), hour);
  t.notOk(needs(perKwh('1'), perHour('1')));
  t.notOk(
    needs(perKwh('1', { start_time: '08:00', end_time: '18:00' }), perKwh('2')),
    'it is all in the day',
  );
  t.ok(needs(perKwh('1', { start_time: '12:30' })));
  t.notOk(needs(perHour('1', { start_time: '12:30' })), 'time is known');
  t.notOk(needs(perKwh('1', { max_kwh: 5 }), perKwh('2')), 'energy is known');
  t.ok(needs(perHour('1', { max_kwh: 5 })));
  t.ok(needs(perKwh('1', { min_power: 50 })));
  t.notOk(needs({ ...perHour('1'), restrictions: { reservation: 'RESERVATION' } }, perKwh('1')));
});

/** Readings by minute: register, current; of the outlet and the session's transaction unless the origin differs. */
function points(
  ...rows: [minute: number, registerWh: number | null, currentA: number | null, origin?: string][]
): MeterPoint[] {
  return rows.map(([minute, registerWh, currentA, origin = 'Outlet import']) => ({
    atMs: Date.parse(noon) + minute * 60_000,
    origin,
    registerWh,
    intervalWh: null,
    powerW: null,
    currentA,
  }));
}

const frame = { startedAt: new Date(noon), startWh: 1000, ratedPowerW: 22_000 };

void t.test('counts readings from the start of the session, through resets', async (t) => {
  const readings = usageReadings(
    points([10, 2000, 16], [15, null, 20], [20, 0, null], [30, 500, null]),
    frame,
  );
  t.strictSame(
    readings.map(({ energyWh, currentA }) => [energyWh, currentA]),
    [
      [1000, 16],
      [null, 20],
      [1000, null],
      [1500, null],
    ],
  );
});

void t.test('prices by the register and the current that name the transaction', async (t) => {
  const house = 'unnamed Outlet import';
  const readings = usageReadings(
    points([10, 2000, 16], [15, 1500, 40, house], [20, 3000, 16], [25, 2500, 40, house]),
    frame,
  );
  t.strictSame(
    readings.map(({ energyWh, currentA }) => [energyWh, currentA]),
    [
      [1000, 16],
      [null, null],
      [2000, 16],
      [null, null],
    ],
  );
});
