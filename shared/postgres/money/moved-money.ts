import type { LedgerCause } from '#shared/domain/money/wallet.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Money that movements of one cause brought into wallets or took from them, in minor units. */
interface MovedMoney {
  cause: LedgerCause;
  currency: string;
  movements: number;
  minor: bigint;
}

/**
 * Returns the newest movement before which every one is committed or will never be: older than a minute, which is longer
 * than a statement may take, and before any that is younger; 0 without any.
 */
export async function newestMovement(sql: Queryable): Promise<bigint> {
  const [row] = await sql<{ id: bigint | null }[]>`
    select coalesce(
      (select min(id) - 1 from ledger_transactions
        where id > (select coalesce(max(id), 0) - 10000 from ledger_transactions) and created_at >= now() - interval '1 minute'),
      (select max(id) from ledger_transactions)) as id`;
  return row?.id ?? 0n;
}

/** Sums the movements after one, up to another. Movements within a wallet (holds) sum to nothing. */
export function sumMovements(sql: Queryable, after: bigint, to: bigint): Promise<MovedMoney[]> {
  return sql<MovedMoney[]>`
    select cause, currency, count(*)::integer as movements, sum(abs(minor))::bigint as minor from (
      select t.cause, w.currency, coalesce((
        select sum(e.amount_minor) from ledger_entries e
        where e.transaction_id = t.id and e.account in ('available', 'held', 'receivable')), 0) as minor
      from ledger_transactions t join wallets w on w.id = t.wallet_id
      where t.id > ${after} and t.id <= ${to}) moved
    group by 1, 2`;
}
