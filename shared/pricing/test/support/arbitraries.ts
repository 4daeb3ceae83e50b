import * as fc from 'fast-check';
import type { PriceComponent, PriceDimension, Tariff, TariffRestrictions } from '#shared/pricing/tariff.ts';
import { session, tariff } from './sessions.ts';

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
/** Tariffs of one to four elements, with and without restrictions, idle fee and limits. */
export const anyTariff: fc.Arbitrary<Tariff> = fc
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
/** Sessions of one to five stages. */
export const anySession = fc
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
