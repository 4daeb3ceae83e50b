import { isTimeDoubtful } from '#shared/domain/kernel/clock.ts';
import { durationImplausible, energyImplausible } from '#shared/domain/charging/plausibility.ts';
import { energyDoubts } from '#shared/domain/charging/final-energy.ts';
import { partnerStated } from '#shared/domain/charging/partner-statement.ts';
import { corrected, type SessionDecision } from '#shared/domain/charging/session.ts';
import { stationCostDiffers } from '#shared/domain/charging/station-transaction.ts';
import { signatureInvalid } from '#shared/domain/charging/signed-meter-value.ts';
import type { Cost } from './cost.ts';

/**
 * State machine of a session's price (docs/adr/0032-session-writes-and-review.md). A price has three parts, each a column of
 * `sessions`: its state, how complete the readings are that it counts, and an operator's decision. Only `nextPrice` changes them.
 */
export interface Price {
  priceState: PriceState;
  priceReadings: PriceReadings;
  /** Null: no operator decided on the session. */
  priceDecision: SessionDecision | null;
}

/**
 * States of a price. OPEN: the session runs. PENDING: the price waits for readings. UNPRICED: no tariff was assigned. REVIEW: the
 * values are implausible or contradicted by the roaming partner or by the station's own cost, or a signature is not valid; nothing is charged before an operator
 * approves or amends them. SETTLED: a wallet paid, or the price is to be invoiced.
 */
export const priceStates = ['OPEN', 'PENDING', 'UNPRICED', 'REVIEW', 'SETTLED'] as const;
export type PriceState = (typeof priceStates)[number];

/**
 * Completeness of the readings that a price counts. COMPLETE: every reading that was reported by then, or the price needs none.
 * MISSING: readings were reported and never stored. LATE: COMPLETE when the price was made, and readings were stored since.
 * MISSING_LATE: MISSING when the price was made, and readings were stored since. A late price stands until it is made again.
 */
export const priceReadings = ['COMPLETE', 'MISSING', 'LATE', 'MISSING_LATE'] as const;
export type PriceReadings = (typeof priceReadings)[number];

/** Flag of a session in the state PENDING. */
export const costPending = 'cost-pending';

/** Flag of a session whose price counts incomplete readings (MISSING, MISSING_LATE). */
export const readingsMissing = 'readings-missing';

/** Flag of a session whose price is made again, since readings were stored later (LATE, MISSING_LATE). */
export const readingsLate = 'readings-late';

/**
 * Events that change a price.
 * - ended: the charger or the closing job reported the end, or a late message corrected start or end.
 * - late: readings that the price does not count were stored.
 * - priced: the price was made from all readings that were reported.
 * - part-priced: it was made from those that are stored, since others are missing.
 * - kept: late readings changed nothing, since ClickHouse no longer has all that the price counts.
 * - signed: a signed meter value was stored or checked again after the end.
 * - stated: the roaming partner of the session stated other values after the end.
 * - approved, amended: by an operator.
 * - reopened: readings of the charger showed that the session runs on after an assumed end.
 */
export const priceEvents = [
  'ended',
  'late',
  'priced',
  'part-priced',
  'kept',
  'signed',
  'stated',
  'approved',
  'amended',
  'reopened',
] as const;
export type PriceEvent = (typeof priceEvents)[number];

/** Changes of one event. A state, completeness or decision that is not listed is a fault. */
interface Transition {
  /** The facts choose the state after the event. Otherwise the table has one for each. */
  isJudged: boolean;
  /** States after the event, by the state before it. */
  states: Partial<Record<PriceState, readonly PriceState[]>>;
  /** Completeness after the event, by that before it. */
  readings: Partial<Record<PriceReadings, PriceReadings>>;
  /** Decisions that the event may follow, and the decision after it; without `to` it stays. */
  decision: { from: readonly (SessionDecision | null)[]; to?: SessionDecision | null };
}

const judged = ['PENDING', 'UNPRICED', 'REVIEW', 'SETTLED'] as const;
const reviewed = ['REVIEW', 'SETTLED'] as const;
const decided = ['PENDING', 'UNPRICED', 'SETTLED'] as const;

/** Completeness of readings without what came late: another end or price takes care of it. */
const withoutLate = {
  COMPLETE: 'COMPLETE',
  MISSING: 'MISSING',
  LATE: 'COMPLETE',
  MISSING_LATE: 'MISSING',
} as const;

/** The transition table. */
export const priceTransitions: Readonly<Record<PriceEvent, Transition>> = {
  ended: {
    isJudged: true,
    states: { OPEN: judged, PENDING: judged, UNPRICED: judged, REVIEW: judged, SETTLED: judged },
    readings: withoutLate,
    // No message of a charger changes what an operator amended. An approval holds for the values that were approved.
    decision: { from: [null, 'APPROVED'], to: null },
  },
  late: {
    isJudged: false,
    states: { REVIEW: ['REVIEW'], SETTLED: ['SETTLED'] },
    readings: { COMPLETE: 'LATE', MISSING: 'MISSING_LATE', LATE: 'LATE', MISSING_LATE: 'MISSING_LATE' },
    decision: { from: [null] },
  },
  priced: {
    isJudged: true,
    states: { PENDING: reviewed, REVIEW: reviewed, SETTLED: reviewed },
    readings: { COMPLETE: 'COMPLETE', MISSING: 'COMPLETE', LATE: 'COMPLETE', MISSING_LATE: 'COMPLETE' },
    decision: { from: [null, 'AMENDED'] },
  },
  'part-priced': {
    isJudged: true,
    states: { PENDING: reviewed, REVIEW: reviewed, SETTLED: reviewed },
    // A price that counts all readings is not replaced by one that counts fewer.
    readings: { COMPLETE: 'MISSING', MISSING: 'MISSING', MISSING_LATE: 'MISSING' },
    decision: { from: [null, 'AMENDED'] },
  },
  kept: {
    isJudged: false,
    states: { REVIEW: ['REVIEW'], SETTLED: ['SETTLED'] },
    readings: { LATE: 'COMPLETE' },
    decision: { from: [null] },
  },
  signed: {
    isJudged: true,
    states: { PENDING: ['PENDING'], UNPRICED: ['UNPRICED'], REVIEW: reviewed, SETTLED: reviewed },
    readings: { COMPLETE: 'COMPLETE', MISSING: 'MISSING', LATE: 'LATE', MISSING_LATE: 'MISSING_LATE' },
    decision: { from: [null] },
  },
  stated: {
    isJudged: true,
    states: { PENDING: ['PENDING'], UNPRICED: ['REVIEW'], REVIEW: ['REVIEW'], SETTLED: ['REVIEW'] },
    readings: { COMPLETE: 'COMPLETE', MISSING: 'MISSING', LATE: 'LATE', MISSING_LATE: 'MISSING_LATE' },
    decision: { from: [null] },
  },
  approved: {
    isJudged: true,
    states: { REVIEW: ['UNPRICED', 'SETTLED'] },
    // A price that is about to be made again is not approved.
    readings: { COMPLETE: 'COMPLETE', MISSING: 'MISSING' },
    decision: { from: [null], to: 'APPROVED' },
  },
  amended: {
    isJudged: true,
    states: { PENDING: decided, UNPRICED: decided, REVIEW: decided, SETTLED: decided },
    readings: withoutLate,
    decision: { from: [null, 'APPROVED', 'AMENDED'], to: 'AMENDED' },
  },
  reopened: {
    isJudged: false,
    states: { PENDING: ['OPEN'], UNPRICED: ['OPEN'], REVIEW: ['OPEN'], SETTLED: ['OPEN'] },
    readings: { COMPLETE: 'COMPLETE', MISSING: 'COMPLETE', LATE: 'COMPLETE', MISSING_LATE: 'COMPLETE' },
    decision: { from: [null, 'APPROVED'], to: null },
  },
};

/** Facts by which a price is judged. */
interface PriceFacts {
  cost: Pick<Cost, 'totalInclVatMinor'> | null;
  /** The price can only be made from readings. */
  needsReadings: boolean;
  /** Implausible values in the charger's data. */
  flags: readonly string[];
}

/**
 * Returns the price of a session after an event. No other code decides on it.
 * @throws {Error} for a change that the transition table does not have.
 */
export function nextPrice(from: Price, event: PriceEvent, facts: PriceFacts): Price {
  const { isJudged, states, readings, decision } = priceTransitions[event];
  const nextDecision = decision.to === undefined ? from.priceDecision : decision.to;
  const nextState = isJudged
    ? stateOf(facts, nextDecision)
    : (states[from.priceState]?.[0] ?? from.priceState);
  const nextReadings = readings[from.priceReadings];
  const isAllowed =
    states[from.priceState]?.includes(nextState) === true && decision.from.includes(from.priceDecision);
  if (!isAllowed || nextReadings === undefined) {
    throw new Error(`a price does not change from ${nameOf(from)} to ${nextState} by ${event}`);
  }
  return { priceState: nextState, priceReadings: nextReadings, priceDecision: nextDecision };
}

/** Returns true when a price in this state may change by an event. */
export function mayChange(from: PriceState, event: PriceEvent): boolean {
  return priceTransitions[event].states[from] !== undefined;
}

/** Returns true when readings were stored that a price does not count: it is made again. */
export function isLate({ priceReadings }: Pick<Price, 'priceReadings'>): boolean {
  return priceReadings === 'LATE' || priceReadings === 'MISSING_LATE';
}

/**
 * Returns the flags of a session with those that its price has for readers of the API. Nothing is decided by them.
 * @param flags those that the session has for other reasons; flags of a price before are left out.
 */
export function withPriceFlags(flags: readonly string[], price: Price): string[] {
  const { priceState, priceReadings, priceDecision } = price;
  const own = [
    ...(priceState === 'PENDING' ? [costPending] : []),
    ...(priceReadings === 'MISSING' || priceReadings === 'MISSING_LATE' ? [readingsMissing] : []),
    ...(isLate(price) ? [readingsLate] : []),
    ...(priceDecision === 'AMENDED' ? [corrected] : []),
  ];
  return [...new Set([...flags.filter((flag) => !priceFlags.has(flag)), ...own])];
}

const priceFlags: ReadonlySet<string> = new Set([costPending, readingsMissing, readingsLate, corrected]);

function stateOf({ cost, needsReadings, flags }: PriceFacts, decision: SessionDecision | null): PriceState {
  if (needsReadings) return 'PENDING';
  if (decision === null && needsReview(cost, flags)) return 'REVIEW';
  return cost === null ? 'UNPRICED' : 'SETTLED';
}

/** Flags with which every price is reviewed. */
const alwaysReviewed = [energyImplausible, durationImplausible, partnerStated, stationCostDiffers];

/**
 * Returns true when an operator must look at a price. A wrong clock or signature does no harm where nothing is to be paid; energy
 * that may be wrong does where a price was made of it.
 */
function needsReview(cost: PriceFacts['cost'], flags: readonly string[]): boolean {
  if (alwaysReviewed.some((flag) => flags.includes(flag))) return true;
  if (cost !== null && energyDoubts.some((doubt) => flags.includes(doubt))) return true;
  const isDoubtful = isTimeDoubtful(flags) || flags.includes(signatureInvalid);
  return isDoubtful && cost !== null && cost.totalInclVatMinor > 0n;
}

const nameOf = ({ priceState, priceReadings, priceDecision }: Price) =>
  [priceState, priceReadings, priceDecision].filter((part) => part !== null).join(' ');
