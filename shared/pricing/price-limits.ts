import { allocate, divideRounded, exactPercent, exactScale, toMinor } from './money.ts';
import type { CostLine, ExactLine } from './cost.ts';
import type { PriceLimit, Tariff } from './tariff.ts';

interface Totals {
  exclVat: bigint;
  inclVat: bigint;
}

/**
 * Adds what brings the lines up to the tariff's min_price, or down to its max_price, one line for each rate of VAT.
 * The totals without and with VAT each keep to their own limit (OCPI 2.2.1 §11.3.1).
 */
export function limitPrice(tariff: Tariff, exact: readonly ExactLine[], lines: CostLine[]): CostLine[] {
  const { min_price, max_price } = tariff;
  let limited = lines;
  if (min_price !== undefined) limited = adjust('MIN_PRICE', tariff, min_price, exact, limited);
  if (max_price !== undefined) limited = adjust('MAX_PRICE', tariff, max_price, exact, limited);
  return limited;
}

function adjust(
  type: 'MIN_PRICE' | 'MAX_PRICE',
  tariff: Tariff,
  limit: PriceLimit,
  exact: readonly ExactLine[],
  lines: CostLine[],
): CostLine[] {
  const before = totalsOf(lines);
  const after = limitedTotals(type, tariff, limit, exact, before);
  const exclVat = after.exclVat - before.exclVat;
  const vat = after.inclVat - before.inclVat - exclVat;
  if (exclVat === 0n && vat === 0n) return lines;
  const priced = lines.filter((line) => line.exclVatMinor !== 0n || line.vatMinor !== 0n);
  const rates = [...Map.groupBy(priced, ({ vatPercent }) => vatPercent)];
  if (rates.length === 0) rates.push([firstRate(tariff, exact), []]);
  const excls = allocate(exclVat, weights(rates, 'exclVatMinor'));
  // VAT on what had none falls where the price falls.
  const vatWeights = weights(rates, 'vatMinor');
  const hasVat = vatWeights.some((weight) => weight > 0n);
  const vats = allocate(vat, hasVat ? vatWeights : weights(rates, 'exclVatMinor'));
  const added = rates.map(([vatPercent], index) => ({
    type,
    quantity: 1,
    unitPrice: null,
    vatPercent,
    exclVatMinor: excls[index] ?? 0n,
    vatMinor: vats[index] ?? 0n,
  }));
  return [...lines, ...added.filter((line) => line.exclVatMinor !== 0n || line.vatMinor !== 0n)];
}

function limitedTotals(
  type: 'MIN_PRICE' | 'MAX_PRICE',
  tariff: Tariff,
  limit: PriceLimit,
  exact: readonly ExactLine[],
  before: Totals,
): Totals {
  const keep = (amount: bigint, bound: bigint): bigint =>
    (type === 'MIN_PRICE') === amount < bound ? bound : amount;
  const exclVat = keep(before.exclVat, toMinor(limit.excl_vat, tariff.currency));
  if (limit.incl_vat !== undefined) {
    const inclVat = keep(before.inclVat, toMinor(limit.incl_vat, tariff.currency));
    return { exclVat, inclVat: inclVat < exclVat ? exclVat : inclVat };
  }
  if (exclVat === before.exclVat) return before;
  return { exclVat, inclVat: exclVat + vatInProportion(tariff, exact, exclVat) };
}

/** VAT of a limited price: in proportion to that of the unlimited one; of nothing, at the tariff's first rate. */
function vatInProportion(tariff: Tariff, exact: readonly ExactLine[], exclVat: bigint): bigint {
  const excl = exact.reduce((sum, line) => sum + line.exclVat, 0n);
  const vat = exact.reduce((sum, line) => sum + line.vat, 0n);
  if (excl > 0n) return divideRounded(exclVat * vat, excl);
  const rate = firstRate(tariff, exact);
  return rate === null ? 0n : divideRounded(exactPercent(exclVat * exactScale, rate), exactScale);
}

/** Of what costs something, though it may be less than a cent; else of the tariff. */
function firstRate({ elements }: Tariff, exact: readonly ExactLine[]): string | null {
  const priced = exact.find(({ exclVat }) => exclVat > 0n);
  return priced === undefined ? (elements[0]?.price_components[0]?.vat ?? null) : priced.vatPercent;
}

function totalsOf(lines: readonly CostLine[]): Totals {
  const exclVat = lines.reduce((sum, line) => sum + line.exclVatMinor, 0n);
  return { exclVat, inclVat: exclVat + lines.reduce((sum, line) => sum + line.vatMinor, 0n) };
}

/** None is negative: what a limit before took off is taken from others. */
function weights(
  rates: readonly [string | null, CostLine[]][],
  amount: 'exclVatMinor' | 'vatMinor',
): bigint[] {
  return rates.map(([, same]) => {
    const total = same.reduce((sum, line) => sum + line[amount], 0n);
    return total < 0n ? 0n : total;
  });
}
