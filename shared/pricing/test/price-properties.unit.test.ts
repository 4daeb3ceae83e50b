import { deepStrictEqual } from 'node:assert/strict';
import * as fc from 'fast-check';
import t from 'tap';
import { vatTotals } from '#shared/pricing/cost.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import type { SessionUsage } from '#shared/pricing/usage.ts';
import { anySession, anyTariff } from './support/arbitraries.ts';

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
