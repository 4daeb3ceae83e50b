import { type Cost, type CostLine, vatTotals } from '#shared/pricing/cost.ts';
import { toMajor } from '#shared/pricing/money.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import type { CostNote } from '#shared/pricing/rating.ts';
import { usageUntil } from '#shared/pricing/settle-session.ts';
import type { UsageReading } from '#shared/pricing/usage.ts';
import { readCost, type StoredCost } from '#shared/postgres/money/cost.statements.ts';
import type { SessionCostSum } from '#shared/postgres/charging/session-summary.ts';
import type { SessionRecord } from '#shared/postgres/charging/session-records.ts';

export { costLineTypes } from '#shared/pricing/cost.ts';
export { priceStates } from '#shared/pricing/price-state.ts';
export { costNotes } from '#shared/pricing/rating.ts';

/**
 * Reasons why a session has no price. The reason is shown, never zero (rule 7 of the architecture).
 * COST_PENDING: it has ended, and is priced as soon as its readings are read.
 */
export const noCostReasons = ['NO_TARIFF', 'SESSION_INVALID', 'COST_PENDING'] as const;

/** Cost of a session, in major units of its currency. */
export interface SessionCost {
  currency: string;
  /** False while the session runs (priced so far) and while the price is in review. */
  isFinal: boolean;
  totalExclVat: number;
  totalVat: number;
  totalInclVat: number;
  /** Idle fee included in the total. */
  idleFee: number;
  lines: SessionCostLine[];
  vatRates: { vatPercent: number | null; exclVat: number; vat: number }[];
  notes: CostNote[];
}

interface SessionCostLine {
  type: CostLine['type'];
  quantity: number;
  unit: 'kWh' | 'h' | 'session' | 'min';
  unitPrice: number | null;
  vatPercent: number | null;
  exclVat: number;
  vat: number;
}

export interface PricedSession {
  cost: SessionCost | null;
  costUnavailable: (typeof noCostReasons)[number] | null;
}

const units = {
  ENERGY: 'kWh',
  TIME: 'h',
  PARKING_TIME: 'h',
  FLAT: 'session',
  RESERVATION_TIME: 'h',
  RESERVATION_FLAT: 'session',
  IDLE: 'min',
  MIN_PRICE: 'session',
  MAX_PRICE: 'session',
  AMENDED: 'session',
} as const satisfies Record<CostLine['type'], SessionCostLine['unit']>;

/** Converts a stored price for the API. */
export function storedCost(cost: StoredCost): SessionCost {
  return shownCost(readCost(cost), true);
}

/** Whole seconds that a session lasted, or has lasted until `now`, without its reservation. */
export function sessionSeconds(session: SessionRecord, now: Date): number {
  return Math.round(sessionMs(session, now) / 1000);
}

/** Milliseconds that a session lasted, or has lasted until `now`, without its reservation. */
export function sessionMs(session: SessionRecord, now: Date): number {
  if (session.status === 'RESERVATION') return 0;
  const end = session.endedAt ?? now;
  return Math.max(0, end.getTime() - session.startedAt.getTime());
}

/**
 * The stored price of an ended session; what a running one costs until `now`, by the tariff of its start and the
 * readings where it needs them (`session-readings.ts`).
 */
export function sessionCost(
  session: SessionRecord,
  now: Date,
  readings: readonly UsageReading[] = [],
): PricedSession {
  if (session.cost !== null) {
    const cost = { ...storedCost(session.cost), isFinal: session.priceState !== 'REVIEW' };
    return { cost, costUnavailable: null };
  }
  if (session.tariff === null) return { cost: null, costUnavailable: 'NO_TARIFF' };
  if (session.status === 'INVALID') return { cost: null, costUnavailable: 'SESSION_INVALID' };
  if (session.endedAt !== null) return { cost: null, costUnavailable: 'COST_PENDING' };
  const cost = priceSession(session.tariff, usageUntil(session, now, readings));
  return { cost: shownCost(cost, false), costUnavailable: null };
}

/** A cost in major units of its currency. */
export function shownCost(cost: Cost, isFinal: boolean): SessionCost {
  const { currency } = cost;
  const idle = cost.lines.find((line) => line.type === 'IDLE');
  return {
    currency,
    isFinal,
    totalExclVat: toMajor(cost.totalExclVatMinor, currency),
    totalVat: toMajor(cost.totalVatMinor, currency),
    totalInclVat: toMajor(cost.totalInclVatMinor, currency),
    idleFee: idle === undefined ? 0 : toMajor(idle.exclVatMinor + idle.vatMinor, currency),
    lines: cost.lines.map((line) => ({
      type: line.type,
      quantity: line.quantity,
      unit: units[line.type],
      unitPrice: line.unitPrice === null ? null : Number(line.unitPrice),
      vatPercent: line.vatPercent === null ? null : Number(line.vatPercent),
      exclVat: toMajor(line.exclVatMinor, currency),
      vat: toMajor(line.vatMinor, currency),
    })),
    vatRates: shownRates(cost.lines, currency),
    notes: cost.notes,
  };
}

/** Converts sums of stored prices for the API. */
export function costSums(sums: readonly SessionCostSum[]) {
  return sums.map(({ currency, pricedCount, inclVatMinor, inReviewInclVatMinor }) => ({
    currency,
    pricedCount,
    totalInclVat: toMajor(inclVatMinor, currency),
    inReviewInclVat: toMajor(inReviewInclVatMinor, currency),
  }));
}

/** The lines of stored prices in one currency, summed for each rate of VAT. */
export function sumByVat(costs: readonly StoredCost[], currency: string): SessionCost['vatRates'] {
  return shownRates(
    costs.flatMap((cost) => readCost(cost).lines),
    currency,
  );
}

function shownRates(lines: readonly CostLine[], currency: string): SessionCost['vatRates'] {
  return vatTotals(lines).map((rate) => ({
    vatPercent: rate.vatPercent === null ? null : Number(rate.vatPercent),
    exclVat: toMajor(rate.exclVatMinor, currency),
    vat: toMajor(rate.vatMinor, currency),
  }));
}
