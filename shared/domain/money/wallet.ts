/**
 * Cause of a wallet movement. HOLD reserves money for a session, RELEASE returns it, SESSION debits the
 * session's cost.
 */
export const ledgerCauses = ['TOP_UP', 'REFUND', 'CREDIT', 'DEBIT', 'HOLD', 'RELEASE', 'SESSION'] as const;
export type LedgerCause = (typeof ledgerCauses)[number];

/** A network's accounts that movements of its wallets are booked against. */
export type CounterAccount = 'cash' | 'revenue' | 'adjustments';

/** Balances of a wallet, in minor units of its currency; none is ever negative. */
export interface Balances {
  /** Free to use. */
  availableMinor: bigint;
  /** Set aside for sessions. */
  heldMinor: bigint;
  /** Session costs beyond the balance, which the driver owes to the network. */
  owedMinor: bigint;
}

/** Flag of a session that cost more than its driver's wallet had: the rest is owed. */
export const walletShort = 'wallet-short';

/**
 * The balances after an amount came in (above zero: it pays what is owed first) or went out (below zero: what is not
 * there is owed from then on).
 */
export function moveAvailable(balances: Balances, amountMinor: bigint): Balances {
  const net = balances.availableMinor - balances.owedMinor + amountMinor;
  return {
    ...balances,
    availableMinor: net > 0n ? net : 0n,
    owedMinor: net < 0n ? -net : 0n,
  };
}

/**
 * The balances after a session was settled: its hold is opened and what is due of its cost is taken, from the hold
 * first. A due below zero is given back: the session turned out to cost less.
 */
export function settleFrom(balances: Balances, holdMinor: bigint, dueMinor: bigint): Balances {
  return moveAvailable({ ...balances, heldMinor: balances.heldMinor - holdMinor }, holdMinor - dueMinor);
}

/** State of a payment into a wallet. */
const topUpStatuses = ['PENDING', 'PAID', 'CANCELLED'] as const;
export type TopUpStatus = (typeof topUpStatuses)[number];
