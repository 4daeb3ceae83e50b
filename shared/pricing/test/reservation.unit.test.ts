import t from 'tap';
import { explainPrice } from '#shared/pricing/explain-price.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import { needsReadings, ratedPeriods } from '#shared/pricing/rating.ts';
import type { ReservationUsage } from '#shared/pricing/reservation.ts';
import { usageUntil } from '#shared/pricing/settle-session.ts';
import type { PriceComponent, Tariff, TariffElement } from '#shared/pricing/tariff.ts';
import type { SessionUsage } from '#shared/pricing/usage.ts';
import { session, tariff } from './support/sessions.ts';

const start = '2026-03-02T09:30:00Z';

const component = (type: PriceComponent['type'], price: string, vat = '20', step_size = 1) => ({
  type,
  price,
  vat,
  step_size,
});

function element(
  restrictions: TariffElement['restrictions'],
  ...price_components: PriceComponent[]
): TariffElement {
  return restrictions === undefined ? { price_components } : { price_components, restrictions };
}

/** The example of a reservation tariff of OCPI 2.2.1: €3.00 per hour, €6.00 when it expires, in steps of ten minutes. */
const example = tariff([
  element({ reservation: 'RESERVATION_EXPIRES' }, component('TIME', '6.00', '20', 600)),
  element({ reservation: 'RESERVATION' }, component('TIME', '3.00', '20', 600)),
  element(undefined, component('FLAT', '0.50'), component('ENERGY', '0.25', '10')),
]);

/** A reservation of these minutes that ended as the session starts. */
function reserved(minutes: number, end: ReservationUsage['end']): ReservationUsage {
  const to = new Date(start);
  return { from: new Date(to.getTime() - minutes * 60_000), to, end };
}

/** A session of 20 kWh after a reservation. */
function used(minutes: number): SessionUsage {
  return { ...session(start, { minutes: 60, kwh: 20 }), reservation: reserved(minutes, 'USED') };
}

/** A reservation without a session. */
function unused(minutes: number, end: ReservationUsage['end']): SessionUsage {
  return { ...session(start), reservation: reserved(minutes, end) };
}

const linesOf = (priced: Tariff, usage: SessionUsage) =>
  priceSession(priced, usage).lines.map(({ type, quantity, exclVatMinor }) => [
    type,
    quantity,
    Number(exclVatMinor),
  ]);

void t.test('prices the reservation of a session that used it, in steps of its own', async (t) => {
  t.strictSame(linesOf(example, used(15)), [
    ['RESERVATION_TIME', 20 / 60, 100],
    ['FLAT', 1, 50],
    ['ENERGY', 20, 500],
  ]);
  t.match(priceSession(example, used(15)), { totalExclVatMinor: 650n, totalInclVatMinor: 730n, notes: [] });
});

void t.test('prices a reservation that expired by the elements of RESERVATION_EXPIRES', async (t) => {
  t.strictSame(linesOf(example, unused(30, 'EXPIRED')), [['RESERVATION_TIME', 0.5, 300]]);
});

void t.test(
  'prices a reservation that was cancelled, or that is kept, by the elements of RESERVATION',
  async (t) => {
    t.strictSame(linesOf(example, unused(30, 'CANCELLED')), [['RESERVATION_TIME', 0.5, 150]]);
    t.strictSame(linesOf(example, unused(30, null)), [['RESERVATION_TIME', 0.5, 150]]);
  },
);

void t.test(
  'prices an expired reservation by RESERVATION where RESERVATION_EXPIRES has no such component',
  async (t) => {
    const priced = tariff([
      element({ reservation: 'RESERVATION' }, component('TIME', '3.00'), component('FLAT', '1.00')),
      element({ reservation: 'RESERVATION_EXPIRES' }, component('FLAT', '4.00')),
    ]);
    t.strictSame(linesOf(priced, unused(60, 'EXPIRED')), [
      ['RESERVATION_TIME', 1, 300],
      ['RESERVATION_FLAT', 1, 400],
    ]);
  },
);

void t.test('applies restrictions to the time of the reservation', async (t) => {
  const priced = tariff([
    element({ reservation: 'RESERVATION', max_duration: 900 }, component('TIME', '0')),
    element(
      { reservation: 'RESERVATION', start_time: '09:00', end_time: '09:20' },
      component('TIME', '6.00'),
    ),
    element({ reservation: 'RESERVATION' }, component('TIME', '3.00')),
    element({ reservation: 'RESERVATION', min_kwh: 1 }, component('FLAT', '9.00')),
  ]);
  // From 09:00: free until 09:15, €6.00 per hour until 09:20, €3.00 per hour until 09:30.
  t.strictSame(linesOf(priced, unused(30, 'CANCELLED')), [
    ['RESERVATION_TIME', 0.25, 0],
    ['RESERVATION_TIME', 5 / 60, 50],
    ['RESERVATION_TIME', 10 / 60, 50],
  ]);
});

void t.test('applies max_price to the total, and min_price to sessions that charge only', async (t) => {
  const limited = {
    ...example,
    min_price: { excl_vat: '8.00' },
    max_price: { excl_vat: '9.00' },
  };
  t.equal(priceSession(limited, used(15)).totalExclVatMinor, 800n);
  t.equal(priceSession(limited, used(600)).totalExclVatMinor, 900n);
  t.equal(priceSession(limited, unused(15, 'CANCELLED')).totalExclVatMinor, 100n);
  t.equal(priceSession(limited, unused(600, 'EXPIRED')).totalExclVatMinor, 900n);
});

void t.test('prices a session without a reservation as if the tariff had no elements for one', async (t) => {
  const plain = tariff(example.elements.slice(2));
  const usage = session(start, { minutes: 60, kwh: 20 });
  t.strictSame(priceSession(example, usage), priceSession(plain, usage));
  t.notOk(needsReadings(example, usage));
  t.strictSame(ratedPeriods(example, usage).length, 1);
});

void t.test('prices a session after a reservation that its tariff does not price', async (t) => {
  const plain = tariff(example.elements.slice(2));
  t.strictSame(linesOf(plain, used(15)), [
    ['FLAT', 1, 50],
    ['ENERGY', 20, 500],
  ]);
  t.strictSame(linesOf(plain, unused(15, 'EXPIRED')), []);
});

void t.test('lists the periods of the reservation before those of the session', async (t) => {
  const periods = ratedPeriods(example, used(15)).map(({ activity, from, to, energyWh }) => [
    activity,
    from.toISOString().slice(11, 16),
    to.toISOString().slice(11, 16),
    energyWh,
  ]);
  t.strictSame(periods, [
    ['reserved', '09:15', '09:30', 0],
    ['charging', '09:30', '10:30', 20_000],
  ]);
  t.strictSame(
    ratedPeriods(example, unused(15, 'EXPIRED')).map(({ activity }) => activity),
    ['reserved'],
  );
});

void t.test('explains the price of a reservation by its period and the rounding', async (t) => {
  const usage = used(15);
  const { lines, isTraced } = explainPrice(example, usage, priceSession(example, usage));
  t.ok(isTraced);
  t.match(lines[0], {
    type: 'RESERVATION_TIME',
    volume: 1_200_000n,
    stepSize: 600,
    element: { number: 2, restrictions: { reservation: 'RESERVATION' } },
    periods: [{ from: new Date('2026-03-02T09:15:00Z'), to: new Date(start), volume: 900_000n }],
    rounding: { volume: 300_000n },
  });
  t.match(lines[2], { type: 'ENERGY', element: { number: 3 } });
});

void t.test('derives the reservation from the times of a session', async (t) => {
  const idle = { idlePeriods: [], idleStartedAt: null, idleCause: null };
  const startedAt = new Date(start);
  const reservedAt = new Date('2026-03-02T09:00:00Z');
  const until = new Date('2026-03-02T10:00:00Z');
  const of = (reservation: Pick<Parameters<typeof usageUntil>[0], 'reservedAt' | 'reservationEnd'>) =>
    usageUntil({ ...idle, energyWh: 0, startedAt, ...reservation }, until).reservation;
  t.equal(of({ reservedAt: null, reservationEnd: null }), undefined);
  t.strictSame(of({ reservedAt, reservationEnd: 'USED' }), { from: reservedAt, to: startedAt, end: 'USED' });
  t.strictSame(of({ reservedAt, reservationEnd: null }), { from: reservedAt, to: until, end: null });
  // The charger's clock is behind ours.
  t.strictSame(of({ reservedAt: until, reservationEnd: 'USED' }), {
    from: startedAt,
    to: startedAt,
    end: 'USED',
  });
});

void t.test(
  'keeps the periods in order when the clock of the charger is behind that of the reservation',
  async (t) => {
    const startedAt = new Date(start);
    const reservedAt = new Date(startedAt.getTime() + 5 * 60_000);
    const { idlePeriods: _idle, ...sent } = session(start, { minutes: 60, kwh: 20 });
    const known = { idlePeriods: [], idleStartedAt: null, idleCause: null };
    const usage = usageUntil(
      { ...sent, ...known, reservedAt, reservationEnd: 'USED' },
      new Date(startedAt.getTime() + 3_600_000),
    );
    t.same(usage.reservation, { from: startedAt, to: startedAt, end: 'USED' });
    const begins = ratedPeriods(example, usage).map(({ from }) => from.getTime());
    t.strictSame(
      begins,
      [...begins].toSorted((a, b) => a - b),
    );
  },
);
