import { moveAvailable } from '#shared/domain/money/wallet.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { balanceColumns, type LockedWallet, postMovement } from './ledger.ts';

/** A wallet that holds money for a session in review. */
interface ReviewedWallet extends LockedWallet {
  holdId: bigint;
  holdMinor: bigint;
  /** Amount that it should hold: the price, at most that of what is plausible, less what it paid before. */
  wantedMinor: bigint;
  uuid: string;
  movements: number;
}

/**
 * Sets the hold of a session in review to its plausible cost: the rest becomes available again, and a missing
 * amount is taken from the available balance, as far as it goes. A wallet without a hold for the session
 * stays as it is.
 */
export async function holdForReview(transaction: Transaction, sessionId: bigint): Promise<void> {
  const [wallet] = await transaction<ReviewedWallet[]>`
    select ${balanceColumns(transaction)}, h.id as "holdId", h.amount_minor as "holdMinor", s.uuid, past.movements,
      greatest(least(s.cost_minor, coalesce(s.plausible_cost_minor, h.amount_minor)) - past.paid_minor, 0) as "wantedMinor"
    from sessions s
    join wallet_holds h on h.session_id = s.id and h.status = 'held'
    join wallets w on w.id = h.wallet_id
    cross join lateral (
      select count(distinct t.id)::integer as movements,
        coalesce(sum(e.amount_minor) filter (where e.account = 'revenue'), 0)::bigint as paid_minor
      from ledger_transactions t left join ledger_entries e on e.transaction_id = t.id
      where t.session_id = s.id
    ) past
    where s.id = ${sessionId} and s.price_state = 'REVIEW' for no key update of w`;
  if (wallet === undefined) return;
  const { holdId, holdMinor, wantedMinor, availableMinor } = wallet;
  const missingMinor = wantedMinor - holdMinor;
  const moreMinor = missingMinor < availableMinor ? missingMinor : availableMinor;
  if (moreMinor === 0n) return;
  await postMovement(transaction, wallet, {
    cause: moreMinor > 0n ? 'HOLD' : 'RELEASE',
    causeId: `${wallet.uuid}-review-${wallet.movements + 1}`,
    after: moveAvailable({ ...wallet, heldMinor: wallet.heldMinor + moreMinor }, -moreMinor),
    counter: null,
    sessionId,
  });
  const newMinor = holdMinor + moreMinor;
  await (newMinor > 0n
    ? transaction`update wallet_holds set amount_minor = ${newMinor} where id = ${String(holdId)}::bigint`
    : transaction`
        update wallet_holds set status = 'released', closed_at = now() where id = ${String(holdId)}::bigint`);
}
