import { minorDigits } from './currencies.ts';

/** An exact decimal: `units` / 10^`scale`. */
interface Decimal {
  units: bigint;
  scale: number;
}

/**
 * Reads a decimal number that is not negative, such as a price of a tariff.
 * @throws {RangeError} when the text is not an amount.
 */
function parseDecimal(text: string): Decimal {
  const match = /^(\d{1,12})(?:\.(\d{1,8}))?$/.exec(text);
  if (match === null) throw new RangeError(`not a decimal number: ${text}`);
  const [, whole = '0', fraction = ''] = match;
  return { units: BigInt(whole + fraction), scale: fraction.length };
}

/** Rounds `numerator / denominator` to a whole number, halves up. Neither may be negative. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/**
 * Exact amounts are whole multiples of a minor unit divided by this. It takes 8 decimals of a price, kWh in thousandths
 * of a Wh or hours in milliseconds (3,600,000 = 9 × 4 × 10^5), and 8 decimals of a percentage: nothing is lost before
 * the one rounding at the end.
 */
export const exactScale = 9n * 10n ** 24n;

/** price × volume / per in minor units of the currency, times `exactScale`. */
export function exactAmount(price: string, volume: bigint, per: bigint, currency: string): bigint {
  const { units, scale } = parseDecimal(price);
  const numerator = units * volume * 10n ** BigInt(minorDigits(currency)) * exactScale;
  return numerator / (per * 10n ** BigInt(scale));
}

/** `percent` of an exact amount, exactly. */
export function exactPercent(amount: bigint, percent: string): bigint {
  const { units, scale } = parseDecimal(percent);
  return (amount * units) / (100n * 10n ** BigInt(scale));
}

/** A decimal amount in minor units of its currency, rounded once, halves up. */
export function toMinor(amount: string, currency: string): bigint {
  return divideRounded(exactAmount(amount, 1n, 1n, currency), exactScale);
}

/** Returns a price with its VAT in percent, as decimal text with so many decimals, rounded once, halves up. */
export function priceWithVat(price: string, vat: string, decimals: number): string {
  const net = parseDecimal(price);
  const percent = parseDecimal(vat);
  const hundred = 100n * 10n ** BigInt(percent.scale);
  const gross = net.units * (hundred + percent.units) * 10n ** BigInt(decimals);
  return decimalText(divideRounded(gross, hundred * 10n ** BigInt(net.scale)), decimals);
}

/**
 * Splits a whole amount by weights, so that the parts add up to it: each gets its share rounded down, and what is left
 * goes unit by unit to those that lost most. The amount may be negative, no weight may.
 */
export function allocate(amount: bigint, weights: readonly bigint[]): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n) return weights.map((_, index) => (index === 0 ? amount : 0n));
  const sign = amount < 0n ? -1n : 1n;
  const shares = weights.map((weight) => sign * amount * weight);
  const parts = shares.map((share) => share / total);
  let left = sign * amount - parts.reduce((sum, part) => sum + part, 0n);
  const byLoss = shares
    .map((share, index) => ({ index, loss: share % total }))
    .toSorted((a, b) => Number(b.loss > a.loss) - Number(b.loss < a.loss));
  for (const { index } of byLoss) {
    if (left === 0n) break;
    parts[index] = (parts[index] ?? 0n) + 1n;
    left -= 1n;
  }
  return parts.map((part) => sign * part);
}

/** Returns a whole number of units as exact decimal text: 1234 with 2 decimals is 12.34. */
export function decimalText(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = units < 0n ? '-' : '';
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/** Returns an amount in minor units as exact decimal text in major units: 1234 of EUR is 12.34. */
export function majorText(amount: bigint, currency: string): string {
  return decimalText(amount, minorDigits(currency));
}

/** An amount in major units, as JSON shows it: 1234 minor units of EUR is 12.34. */
export function toMajor(amount: bigint, currency: string): number {
  return Number(amount) / 10 ** minorDigits(currency);
}
