import type { LedgerCause } from './wallet.ts';

/** A movement of a wallet that concerns sessions or debts, in minor units. */
export interface PaymentMovement {
  walletId: number;
  cause: LedgerCause;
  /** Uuid of the session that the movement settles; null for every other cause. */
  sessionUuid: string | null;
  /** Payment provider of a top-up. */
  provider: string | null;
  at: Date;
  /** Booked as revenue: the price of the session, or its difference after a correction. */
  revenueMinor: bigint;
  /** Change of what the driver owes. */
  owedMinor: bigint;
  /** Amount that the driver owes afterwards. */
  owedAfterMinor: bigint;
}

/** An amount that was paid for a session; below zero: returned to the wallet. */
interface SessionPayment {
  sessionUuid: string;
  /** TOP_UP: a later top-up paid what the wallet was short of. */
  method: 'WALLET' | 'TOP_UP';
  provider: string | null;
  amountMinor: bigint;
  at: Date;
}

interface Debt {
  sessionUuid: string | null;
  amountMinor: bigint;
}

/**
 * Returns what was paid for sessions, in order. A settled session is paid from the wallet as far as its money reached; money
 * that comes in later pays the oldest debt first.
 * @param movements of whole wallets since the first of these sessions, in the order of booking.
 */
export function sessionPayments(movements: readonly PaymentMovement[]): SessionPayment[] {
  const debts = new Map<number, Debt[]>();
  return movements.flatMap((movement) => {
    const { walletId, owedMinor, owedAfterMinor } = movement;
    let owed = debts.get(walletId);
    if (owed === undefined) {
      owed = [{ sessionUuid: null, amountMinor: owedAfterMinor - owedMinor }];
      debts.set(walletId, owed);
    }
    return paymentsOf(movement, owed);
  });
}

function paymentsOf(movement: PaymentMovement, debts: Debt[]): SessionPayment[] {
  const { cause, sessionUuid, revenueMinor, owedMinor, at } = movement;
  if (owedMinor > 0n) debts.push({ sessionUuid, amountMinor: owedMinor });
  const repaid = repay(debts, owedMinor < 0n ? -owedMinor : 0n);
  const ofOthers = repaid.filter((debt) => debt.sessionUuid !== null && debt.sessionUuid !== sessionUuid);
  const isTopUp = cause === 'TOP_UP';
  const payments: SessionPayment[] = ofOthers.map((debt) => ({
    sessionUuid: debt.sessionUuid ?? '',
    method: isTopUp ? 'TOP_UP' : 'WALLET',
    provider: isTopUp ? movement.provider : null,
    amountMinor: debt.amountMinor,
    at,
  }));
  if (sessionUuid === null) return payments;
  const own = repaid.filter((debt) => debt.sessionUuid === sessionUuid);
  const ownDebtMinor = (owedMinor > 0n ? owedMinor : 0n) - total(own);
  const amountMinor = revenueMinor - ownDebtMinor;
  if (amountMinor !== 0n) payments.push({ sessionUuid, method: 'WALLET', provider: null, amountMinor, at });
  return payments;
}

/** Takes an amount off the oldest debts. Returns the parts of them that it paid. */
function repay(debts: Debt[], amountMinor: bigint): Debt[] {
  const paid: Debt[] = [];
  let left = amountMinor;
  for (const debt of debts) {
    if (left === 0n) break;
    const part = debt.amountMinor < left ? debt.amountMinor : left;
    debt.amountMinor -= part;
    left -= part;
    if (part > 0n) paid.push({ sessionUuid: debt.sessionUuid, amountMinor: part });
  }
  while (debts[0]?.amountMinor === 0n) debts.shift();
  return paid;
}

function total(debts: readonly Debt[]): bigint {
  return debts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}
