import type { LedgerCause } from '#shared/domain/money/wallet.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Money that movements of one cause brought into wallets, in minor units; negative: took from them. */
export interface MovedMoney {
  cause: LedgerCause;
  currency: string;
  movements: number;
  minor: bigint;
}

/**
 * Returns the newest movement that was booked half a minute ago, so that all earlier ones are committed; 0 without any.
 */
export async function newestMovement(sql: Queryable): Promise<bigint> {
  const [row] = await sql<{ id: bigint }[]>`
    select id from ledger_transactions where created_at < now() - interval '30 seconds' order by id desc limit 1`;
  return row?.id ?? 0n;
}

/** Sums the movements after one, up to another. Movements within a wallet (holds) sum to nothing. */
export function sumMovements(sql: Queryable, after: bigint, to: bigint): Promise<MovedMoney[]> {
  return sql<MovedMoney[]>`
    select t.cause, w.currency, count(distinct t.id)::integer as movements, coalesce(sum(e.amount_minor), 0)::bigint as minor
    from ledger_transactions t
    join wallets w on w.id = t.wallet_id
    left join ledger_entries e on e.transaction_id = t.id and e.account in ('available', 'held', 'receivable')
    where t.id > ${after} and t.id <= ${to} group by 1, 2`;
}
