import { deepStrictEqual } from 'node:assert/strict';
import * as fc from 'fast-check';
import t from 'tap';
import { vatTotals } from '#shared/pricing/cost.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import type { PriceComponent, PriceDimension, Tariff, TariffRestrictions } from '#shared/pricing/tariff.ts';
import type { SessionUsage } from '#shared/pricing/usage.ts';
import { session, tariff } from './support/sessions.ts';

const price = fc.tuple(fc.nat(50), fc.nat(9999)).map(([a, b]) => `${a}.${String(b).padStart(4, '0')}`);
const component: fc.Arbitrary<PriceComponent> = fc
  .record({
    type: fc.constantFrom<PriceDimension>('ENERGY', 'TIME', 'PARKING_TIME', 'FLAT'),
    price,
    vat: fc.option(fc.constantFrom('0', '5.5', '21'), { nil: undefined }),
    step_size: fc.integer({ min: 0, max: 5000 }),
  })
  .map(({ vat, ...rest }) => (vat === undefined ? rest : { ...rest, vat }));
const restrictions: fc.Arbitrary<TariffRestrictions> = fc.oneof<fc.Arbitrary<TariffRestrictions>[]>(
  fc.record({
    start_time: fc.constantFrom('00:00', '11:17', '13:00', '22:00'),
    end_time: fc.constantFrom('00:00', '02:30', '12:40'),
  }),
  fc.record({ min_kwh: fc.nat(9), max_kwh: fc.nat(40) }),
  fc.record({ min_power: fc.nat(20) }),
  fc.record({ max_current: fc.nat(40) }),
  fc.record({ min_duration: fc.nat(4000), max_duration: fc.nat(9000) }),
  fc.record({ day_of_week: fc.constant(['SUNDAY' as const]) }),
);
const anyTariff: fc.Arbitrary<Tariff> = fc
  .record({
    elements: fc.array(
      fc.record({
        price_components: fc.array(component, { minLength: 1, maxLength: 4 }),
        restrictions: fc.option(restrictions, { nil: undefined }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    idle: fc.option(
      fc.record({ price_per_minute: price, grace_minutes: fc.nat(30), vat: fc.constant('21') }),
      { nil: undefined },
    ),
    min: fc.option(fc.nat(20), { nil: undefined }),
    max: fc.option(fc.integer({ min: 20, max: 90 }), { nil: undefined }),
  })
  .map(({ elements, idle, min, max }) => ({
    ...tariff(
      elements.map(({ restrictions, ...rest }) =>
        restrictions === undefined ? rest : { ...rest, restrictions },
      ),
      { time_zone: 'Europe/Amsterdam' },
    ),
    ...(idle !== undefined && { idle }),
    ...(min !== undefined && { min_price: { excl_vat: String(min) } }),
    ...(max !== undefined && { max_price: { excl_vat: String(max), incl_vat: String(max + 5) } }),
  }));
/** Whole Wh in each second, so that a cut at a second falls on a whole Wh. */
const stage = fc.record({
  minutes: fc.integer({ min: 1, max: 200 }),
  whPerSecond: fc.nat(9),
  idle: fc.option(fc.constantFrom('SuspendedEV' as const, 'SuspendedEVSE' as const), { nil: undefined }),
  currentA: fc.option(fc.nat(60), { nil: undefined }),
});
const anySession = fc
  .tuple(fc.nat(60 * 24 * 400), fc.array(stage, { minLength: 1, maxLength: 5 }))
  .map(([minutes, stages]) =>
    session(
      new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString(),
      ...stages.map(({ minutes, whPerSecond, idle, currentA }) => ({
        minutes,
        kwh: (whPerSecond * minutes * 60) / 1000,
        ...(idle !== undefined && { idle }),
        ...(currentA !== undefined && { currentA }),
      })),
    ),
  )
  // The readings just after each change stand for their moment.
  .map((usage) => ({ ...usage, readings: usage.readings.filter(({ at }) => at.getTime() % 1000 === 0) }));

void t.test('lines add up to the totals and no session has a negative cost', async (t) => {
  fc.assert(
    fc.property(anyTariff, anySession, (priced, usage) => {
      const cost = priceSession(priced, usage);
      const exclVat = cost.lines.reduce((sum, line) => sum + line.exclVatMinor, 0n);
      const vat = cost.lines.reduce((sum, line) => sum + line.vatMinor, 0n);
      const rates = vatTotals(cost.lines);
      return (
        cost.totalExclVatMinor === exclVat &&
        cost.totalVatMinor === vat &&
        cost.totalInclVatMinor === exclVat + vat &&
        rates.reduce((sum, rate) => sum + rate.exclVatMinor + rate.vatMinor, 0n) === cost.totalInclVatMinor &&
        exclVat >= 0n &&
        vat >= 0n &&
        cost.lines.every(
          (line) => line.type === 'MAX_PRICE' || (line.exclVatMinor >= 0n && line.vatMinor >= 0n),
        )
      );
    }),
    { numRuns: 400 },
  );
  t.pass('held for every sample');
});

void t.test('an additional reading changes no price', async (t) => {
  fc.assert(
    fc.property(
      anyTariff,
      anySession,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
      (priced, usage, at) => {
        const more = at.map((share) => readingAt(usage, share)).filter((reading) => reading !== null);
        const readings = [...usage.readings, ...more].toSorted((a, b) => a.at.getTime() - b.at.getTime());
        deepStrictEqual(priceSession(priced, { ...usage, readings }), priceSession(priced, usage));
      },
    ),
    { numRuns: 300 },
  );
  t.pass('held for every sample');
});

/** A reading at a whole second, interpolated between its neighbours. */
function readingAt({ startedAt, endedAt, energyWh, readings }: SessionUsage, share: number) {
  const at =
    startedAt.getTime() + Math.round((share * (endedAt.getTime() - startedAt.getTime())) / 1000) * 1000;
  const known = [{ at: startedAt, energyWh: 0 }, ...readings, { at: endedAt, energyWh }];
  const points = known.map((point) => ({ at: point.at.getTime(), wh: point.energyWh ?? 0 }));
  const before = points.findLast((point) => point.at <= at);
  const after = points.find((point) => point.at > at);
  if (before === undefined || after === undefined || before.at === at) return null;
  const part = (at - before.at) / (after.at - before.at);
  const energy = Math.round(before.wh + part * (after.wh - before.wh));
  return { at: new Date(at), energyWh: energy, currentA: null };
}

void t.test('more energy or time never costs less', async (t) => {
  const monotone = anyTariff.map((priced) => ({
    ...priced,
    elements: priced.elements.map(({ price_components }) => ({ price_components })),
  }));
  fc.assert(
    fc.property(monotone, anySession, fc.nat(50_000), fc.nat(100_000), (priced, usage, wh, seconds) => {
      const longer = new Date(usage.endedAt.getTime() + seconds * 1000);
      const before = priceSession(priced, usage);
      // The VAT of a limited price follows the mix of rates below it: with VAT, only unlimited prices have to grow.
      const limited = priced.min_price !== undefined || priced.max_price !== undefined;
      return [{ energyWh: usage.energyWh + wh }, { endedAt: longer }].every((more) => {
        const after = priceSession(priced, { ...usage, ...more });
        return (
          after.totalExclVatMinor >= before.totalExclVatMinor &&
          (limited || after.totalInclVatMinor >= before.totalInclVatMinor)
        );
      });
    }),
    { numRuns: 300 },
  );
  t.pass('held for every sample');
});
