import type { PaymentMovement } from '#shared/domain/money/session-payments.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/**
 * Returns the movements of the wallets that settled these sessions, from the first of them on, in the order of booking: those
 * of the sessions, and those that changed what the driver owes.
 */
export async function listPaymentMovements(
  sql: Queryable,
  sessionUuids: readonly string[],
): Promise<PaymentMovement[]> {
  return sql<PaymentMovement[]>`
    with billed as (
      select id from sessions where uuid = any(${[...sessionUuids]}::uuid[])
    ), settling as (
      select wallet_id, min(t.id) as first_id from ledger_transactions t
      where t.session_id in (select id from billed) and t.cause = 'SESSION' group by wallet_id
    )
    select t.wallet_id as "walletId", t.cause, s.uuid as "sessionUuid", u.provider, t.created_at as at,
      moved.revenue as "revenueMinor", -moved.receivable as "owedMinor", t.owed_after_minor as "owedAfterMinor"
    from settling
    join ledger_transactions t on t.wallet_id = settling.wallet_id and t.id >= settling.first_id
    cross join lateral (
      select coalesce(sum(amount_minor) filter (where account = 'revenue'), 0)::bigint as revenue,
        coalesce(sum(amount_minor) filter (where account = 'receivable'), 0)::bigint as receivable
      from ledger_entries where transaction_id = t.id
    ) moved
    left join sessions s on s.id = t.session_id and t.cause = 'SESSION'
    left join wallet_top_ups u on t.cause = 'TOP_UP' and u.uuid::text = t.cause_id
    where moved.receivable <> 0 or (t.cause = 'SESSION' and t.session_id in (select id from billed))
    order by t.id`;
}

/** Returns the names of the roaming partners whose drivers charged in these sessions, by session. */
export async function findPartnerNames(
  sql: Queryable,
  sessionUuids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ uuid: string; name: string }[]>`
    select s.uuid, p.name from sessions s join ocpi_partners p on p.id = s.ocpi_partner_id
    where s.uuid = any(${[...sessionUuids]}::uuid[])`;
  return new Map(rows.map(({ uuid, name }) => [uuid, name]));
}
