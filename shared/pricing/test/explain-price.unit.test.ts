import { deepStrictEqual } from 'node:assert/strict';
import * as fc from 'fast-check';
import t from 'tap';
import { explainPrice, type ExplainedLine } from '#shared/pricing/explain-price.ts';
import { decimalText, majorText } from '#shared/pricing/money.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import { anySession, anyTariff } from './support/arbitraries.ts';
import { plain, session, tariff } from './support/sessions.ts';

const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

function partsOf({ periods, rounding }: ExplainedLine) {
  return [...periods, ...(rounding === null ? [] : [rounding])];
}

void t.test('lines and their parts add up to the price exactly', async (t) => {
  fc.assert(
    fc.property(anyTariff, anySession, (priced, usage) => {
      const cost = priceSession(priced, usage);
      const { lines, isTraced } = explainPrice(priced, usage, cost);
      deepStrictEqual(isTraced, true);
      deepStrictEqual(sum(lines.map((line) => line.exclVatMinor)), cost.totalExclVatMinor);
      deepStrictEqual(sum(lines.map((line) => line.vatMinor)), cost.totalVatMinor);
      deepStrictEqual(sum(lines.map((line) => line.exclVatMinor + line.vatMinor)), cost.totalInclVatMinor);
      for (const line of lines) {
        const isLimit = line.type === 'MIN_PRICE' || line.type === 'MAX_PRICE';
        deepStrictEqual(line.periods.length === 0, isLimit, line.type);
        if (isLimit) continue;
        const parts = partsOf(line);
        deepStrictEqual(sum(parts.map((part) => part.exclVatMinor)), line.exclVatMinor);
        deepStrictEqual(sum(parts.map((part) => part.vatMinor)), line.vatMinor);
        deepStrictEqual(sum(parts.map((part) => part.volume)), line.volume);
        for (const { from, to, volume } of line.periods) {
          deepStrictEqual(from <= to && from >= usage.startedAt && to <= usage.endedAt && volume > 0n, true);
        }
      }
    }),
    { numRuns: 400 },
  );
  t.pass('held for every sample');
});

const at = (time: string) => new Date(`2026-03-02T${time}:00Z`);

void t.test('names element, restrictions, periods and rounding of each line', async (t) => {
  const night = { start_time: '22:00', end_time: '06:00' };
  const priced = tariff(
    [
      { price_components: [{ type: 'ENERGY', price: '0.20', vat: '21', step_size: 1 }], restrictions: night },
      {
        price_components: [
          { type: 'ENERGY', price: '0.40', vat: '21', step_size: 1 },
          { type: 'FLAT', price: '1', step_size: 1 },
          { type: 'PARKING_TIME', price: '6', step_size: 900 },
        ],
      },
    ],
    { idle: { price_per_minute: '0.10', grace_minutes: 5 } },
  );
  const stages = [
    { minutes: 120, kwh: 20 },
    { minutes: 20, idle: 'SuspendedEV' as const },
  ];
  const usage = { ...session('2026-03-02T21:00:00Z', ...stages), readings: [] };
  const { lines, isTraced } = explainPrice(priced, usage, priceSession(priced, usage));
  t.ok(isTraced);
  t.match(lines, [
    {
      type: 'ENERGY',
      volume: 10_000_000n,
      exclVatMinor: 200n,
      vatMinor: 42n,
      stepSize: 1,
      element: { number: 1, restrictions: night },
      periods: [{ from: at('22:00'), to: at('23:00'), volume: 10_000_000n, exclVatMinor: 200n }],
      rounding: null,
    },
    {
      type: 'ENERGY',
      exclVatMinor: 400n,
      element: { number: 2, restrictions: null },
      periods: [{ from: at('21:00'), to: at('22:00') }],
    },
    { type: 'FLAT', volume: 1n, exclVatMinor: 100n, stepSize: null, periods: [{}] },
    {
      type: 'PARKING_TIME',
      // 20 minutes in steps of 15.
      volume: 1_800_000n,
      exclVatMinor: 300n,
      periods: [{ from: at('23:00'), to: at('23:20'), volume: 1_200_000n, exclVatMinor: 200n }],
      rounding: { volume: 600_000n, exclVatMinor: 100n },
    },
    { type: 'IDLE', volume: 900n, exclVatMinor: 150n, periods: [{ from: at('23:05'), to: at('23:20') }] },
  ]);
});

void t.test('keeps the lines of a price that cannot be made again, without periods', async (t) => {
  const priced = plain({ type: 'ENERGY', price: '0.40', step_size: 1 });
  const usage = session('2026-03-02T09:00:00Z', { minutes: 60, kwh: 20 });
  const cost = priceSession(priced, usage);
  const { lines, isTraced } = explainPrice(priced, { ...usage, energyWh: 19_000 }, cost);
  t.equal(isTraced, false);
  t.match(lines, [{ type: 'ENERGY', volume: 20_000_000n, exclVatMinor: 800n, element: null, periods: [] }]);
  const [line] = explainPrice(null, usage, cost).lines;
  t.same(line?.periods, []);
});

void t.test('writes exact decimals', async (t) => {
  t.equal(majorText(1234n, 'EUR'), '12.34');
  t.equal(majorText(-5n, 'EUR'), '-0.05');
  t.equal(majorText(1234n, 'JPY'), '1234');
  t.equal(majorText(1234n, 'KWD'), '1.234');
  t.equal(decimalText(0n, 6), '0.000000');
  t.equal(decimalText(9_007_199_254_740_993n, 3), '9007199254740.993');
});
