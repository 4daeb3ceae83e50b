import { isTimeDoubtful } from '#shared/domain/kernel/clock.ts';
import { durationImplausible, energyImplausible } from '#shared/domain/charging/plausibility.ts';
import { approved, corrected } from '#shared/domain/charging/session.ts';
import type { Cost } from './cost.ts';
import { costPending } from './settle-session.ts';

/**
 * States of a session's price. OPEN: the session runs. PENDING: its price waits for its readings. UNPRICED: no tariff was
 * assigned. REVIEW: its values are implausible; nothing is charged before an operator approves or amends it. SETTLED: its
 * wallet paid, or it is to be invoiced.
 */
export const priceStates = ['OPEN', 'PENDING', 'UNPRICED', 'REVIEW', 'SETTLED'] as const;
export type PriceState = (typeof priceStates)[number];

/**
 * Events that change a price state. ended: the charger reported the end, or a late message corrected start or end. priced: the
 * readings were read. approved, amended: by an operator.
 */
export type PriceEvent = 'ended' | 'priced' | 'approved' | 'amended';

const judged = ['PENDING', 'UNPRICED', 'REVIEW', 'SETTLED'] as const;
const decided = ['PENDING', 'UNPRICED', 'SETTLED'] as const;

/** The transition table: the states that an event may lead to, by the state before it. Other changes are faults. */
const transitions: Record<PriceEvent, Partial<Record<PriceState, readonly PriceState[]>>> = {
  ended: { OPEN: judged, PENDING: judged, UNPRICED: judged, REVIEW: judged, SETTLED: judged },
  // Readings that were late price again what has a price. A completed session is OPEN when a gateway of a version before price
  // states ended it.
  priced: {
    OPEN: ['REVIEW', 'SETTLED'],
    PENDING: ['REVIEW', 'SETTLED'],
    REVIEW: ['REVIEW', 'SETTLED'],
    SETTLED: ['REVIEW', 'SETTLED'],
  },
  approved: { REVIEW: ['UNPRICED', 'SETTLED'] },
  amended: { OPEN: decided, PENDING: decided, UNPRICED: decided, REVIEW: decided, SETTLED: decided },
};

/** Inputs of a session's price state. */
export interface JudgedPrice {
  cost: Pick<Cost, 'totalInclVatMinor'> | null;
  flags: readonly string[];
}

/**
 * Returns the state of a session's price after an event: the only place that decides it.
 * @throws {Error} for a change that the transition table does not have.
 */
export function nextPriceState(from: PriceState, event: PriceEvent, price: JudgedPrice): PriceState {
  const to = stateOf(price);
  if (transitions[event][from]?.includes(to) === true) return to;
  throw new Error(`a price does not change from ${from} to ${to} by ${event}`);
}

/** Returns true when a price may change by an event. */
export function mayChange(from: PriceState, event: PriceEvent): boolean {
  return transitions[event][from] !== undefined;
}

function stateOf({ cost, flags }: JudgedPrice): PriceState {
  if (flags.includes(costPending)) return 'PENDING';
  if (needsReview({ cost, flags })) return 'REVIEW';
  return cost === null ? 'UNPRICED' : 'SETTLED';
}

/** Returns true when an operator must look at a price. A wrong clock does no harm where nothing is to be paid. */
function needsReview({ cost, flags }: JudgedPrice): boolean {
  if (flags.includes(corrected) || flags.includes(approved)) return false;
  if (flags.includes(energyImplausible) || flags.includes(durationImplausible)) return true;
  return isTimeDoubtful(flags) && cost !== null && cost.totalInclVatMinor > 0n;
}
