import { chargeableSeconds, type IdlePeriod } from '#shared/domain/charging/idle.ts';
import type { Cost, CostLine, ExactLine } from './cost.ts';
import { limitPrice } from './price-limits.ts';
import { allocate, divideRounded, exactAmount, exactPercent, exactScale } from './money.ts';
import { type RatedDimension, rateSession } from './rating.ts';
import { isCharging } from './reservation.ts';
import type { Tariff } from './tariff.ts';
import type { SessionUsage } from './usage.ts';

/**
 * Prices a session by the tariff as it stood at its start. Pure and exact: the totals without and with VAT are rounded
 * once each, halves up, and their cents are shared out among the lines. The idle fee is a line of its own where there
 * is one. It counts in the least and the most that a session costs, and so does the reservation.
 */
export function priceSession(tariff: Tariff, usage: SessionUsage): Cost {
  const { currency } = tariff;
  const { volumes, notes } = rateSession(tariff, usage);
  const exact = [
    ...volumes.map(({ component, volume, type }) =>
      exactLine(type, component, volume, unitsPerPrice[type], currency),
    ),
    ...idleLines(tariff, usage),
  ];
  const lines = limitPrice(limitsOf(tariff, usage), exact, roundLines(exact));
  const totalExclVatMinor = sum(lines.map((line) => line.exclVatMinor));
  const totalVatMinor = sum(lines.map((line) => line.vatMinor));
  return {
    currency,
    lines,
    notes,
    totalExclVatMinor,
    totalVatMinor,
    totalInclVatMinor: totalExclVatMinor + totalVatMinor,
  };
}

/** An unused reservation costs its own price, which may be nothing: the least that a session costs does not apply. */
function limitsOf(tariff: Tariff, usage: SessionUsage): Tariff {
  if (isCharging(usage)) return tariff;
  const { min_price: _least, ...others } = tariff;
  return others;
}

/** The base units of a dimension (mWh, ms, times) that one unit of its price covers. */
export const unitsPerPrice: Record<RatedDimension, bigint> = {
  ENERGY: 1_000_000n,
  TIME: 3_600_000n,
  PARKING_TIME: 3_600_000n,
  FLAT: 1n,
  RESERVATION_TIME: 3_600_000n,
  RESERVATION_FLAT: 1n,
};

function exactLine(
  type: CostLine['type'],
  { price, vat }: { price: string; vat?: string },
  volume: bigint,
  per: bigint,
  currency: string,
): ExactLine {
  const exclVat = exactAmount(price, volume, per, currency);
  return {
    type,
    quantity: Number(volume) / Number(per),
    unitPrice: price,
    vatPercent: vat ?? null,
    exclVat,
    vat: vat === undefined ? 0n : exactPercent(exclVat, vat),
  };
}

function idleLines({ idle, currency }: Tariff, { idlePeriods }: SessionUsage): ExactLine[] {
  if (idle === undefined) return [];
  const seconds = idleSecondsBeyond(idle.grace_minutes, idlePeriods);
  if (seconds === 0) return [];
  const price = { price: idle.price_per_minute, ...(idle.vat !== undefined && { vat: idle.vat }) };
  return [exactLine('IDLE', price, BigInt(seconds), 60n, currency)];
}

/** The whole seconds of idle periods that the driver pays for: each beyond a grace of its own. */
function idleSecondsBeyond(graceMinutes: number, periods: readonly IdlePeriod[]): number {
  const grace = Math.round(graceMinutes * 60);
  return chargeableSeconds(periods)
    .map((seconds) => Math.max(0, Math.round(seconds) - grace))
    .reduce((total, seconds) => total + seconds, 0);
}

/** Rounds the totals, and the lines so that they add up to them. */
function roundLines(exact: readonly ExactLine[]): CostLine[] {
  const exclExact = sum(exact.map((line) => line.exclVat));
  const inclExact = exclExact + sum(exact.map((line) => line.vat));
  const exclVat = divideRounded(exclExact, exactScale);
  const vat = divideRounded(inclExact, exactScale) - exclVat;
  const excls = allocate(
    exclVat,
    exact.map((line) => line.exclVat),
  );
  const vats = allocate(
    vat,
    exact.map((line) => line.vat),
  );
  return exact.map(({ exclVat: _excl, vat: _vat, ...line }, index) => ({
    ...line,
    exclVatMinor: excls[index] ?? 0n,
    vatMinor: vats[index] ?? 0n,
  }));
}

function sum(amounts: bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
