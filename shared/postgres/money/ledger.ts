import type { Balances, CounterAccount, LedgerCause } from '#shared/domain/money/wallet.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';

/** Wallet with a locked row: no other transaction moves its money. */
export interface LockedWallet extends Balances {
  id: number;
}

/** Constraint that books each cause once. */
export const movementCause = 'ledger_transactions_cause_cause_id_key';

/** One movement of a wallet's money. */
interface Posting {
  cause: LedgerCause;
  /** Identifier of the cause: a second movement with the same cause and id is refused. */
  causeId: string;
  /** The balances that it leads to. */
  after: Balances;
  /** Account of the other side. Null: money moves within the wallet only. */
  counter: CounterAccount | null;
  sessionId?: bigint | null;
  reason?: string | null;
}

/** The columns of a wallet `w` that moving its money takes. */
export const balanceColumns = (transaction: Transaction) => transaction`
  w.id, w.available_minor as "availableMinor", w.held_minor as "heldMinor", w.owed_minor as "owedMinor"`;

/**
 * Returns a condition: the wallet `own` limits and pays its driver's sessions. In a network without a minimum
 * balance, a wallet without any movement (before `until`: the end of a session, for an invoice) counts as
 * none, because its driver only opened it.
 */
export const walletCounts = (sql: Queryable, until = sql`now()`) => sql`
  (exists (select from networks where id = own.network_id and minimum_balance_minor > 0)
    or exists (select from ledger_transactions where wallet_id = own.id and created_at <= ${until}))`;

/** Locks a wallet for a movement. */
export async function lockWallet(transaction: Transaction, id: number): Promise<LockedWallet> {
  const [wallet] = await transaction<LockedWallet[]>`
    select ${balanceColumns(transaction)} from wallets w where w.id = ${id} for no key update`;
  if (wallet === undefined) throw new Error(`there is no wallet ${id}`);
  return wallet;
}

/**
 * Books a movement of a locked wallet in double entry (the chart of accounts is in the migration 0150). The database
 * refuses entries that do not sum to zero, and balances below zero. Nothing is booked where nothing moves.
 */
export async function postMovement(
  transaction: Transaction,
  wallet: LockedWallet,
  { cause, causeId, after, counter, sessionId = null, reason = null }: Posting,
): Promise<void> {
  const available = after.availableMinor - wallet.availableMinor;
  const held = after.heldMinor - wallet.heldMinor;
  const receivable = wallet.owedMinor - after.owedMinor;
  const entries = [
    ['available', available],
    ['held', held],
    ['receivable', receivable],
    ...(counter === null ? [] : [[counter, -(available + held + receivable)] as const]),
  ] as const;
  const moving = entries.filter(([, amount]) => amount !== 0n);
  if (moving.length === 0) return;
  await transaction`
    with posted as (
      insert into ledger_transactions (wallet_id, cause, cause_id, session_id, reason, available_after_minor,
        held_after_minor, owed_after_minor)
      values (${wallet.id}, ${cause}, ${causeId}, ${sessionId}, ${reason}, ${after.availableMinor},
        ${after.heldMinor}, ${after.owedMinor})
      returning *
    ), event as (
      insert into outbox (network_id, type, subject_id, subject_uuid, data)
      select w.network_id, 'wallet.changed', w.id, w.uuid, jsonb_build_object('movementId', p.uuid, 'cause', p.cause,
        'sessionId', (select s.uuid from sessions s where s.id = p.session_id), 'currency', w.currency,
        'availableMinor', p.available_after_minor, 'heldMinor', p.held_after_minor, 'owedMinor', p.owed_after_minor)
      from posted p join wallets w on w.id = p.wallet_id
    )
    insert into ledger_entries (transaction_id, account, amount_minor)
    select posted.id, e.account, e.amount
    from posted, unnest(${moving.map(([account]) => account)}::text[], ${moving.map(([, amount]) => String(amount))}::bigint[])
      as e(account, amount)`;
}
