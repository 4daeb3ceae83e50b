import { sessionKey } from '../promises.ts';
import type { AuditedStores, Evidence } from '../evidence.ts';
import type { Finding } from './finding.ts';

/**
 * Compares what ended sessions of drivers cost with what their wallets paid, and the balance of each wallet with the sum of its
 * entries, which are zero in each transaction.
 */
export async function auditPayments(
  { sql }: AuditedStores,
  { networkId, promises }: Evidence,
): Promise<{ payments: Finding }> {
  const rows = await sql<{ uid: string; transactionId: string; costMinor: number; paidMinor: number }[]>`
    select c.uid, s.ocpp_transaction_id as "transactionId", coalesce(s.cost_minor, 0)::float8 as "costMinor",
      coalesce((
        select sum(e.amount_minor) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
        where t.session_id = s.id and e.account = 'revenue'
      ), 0)::float8 as "paidMinor"
    from sessions s join chargers c on c.id = s.charger_id
    where s.network_id = ${networkId} and s.user_id is not null`;
  const wrong = await sql<{ name: string }[]>`
    select 'transaction ' || transaction_id as name from ledger_entries group by transaction_id having sum(amount_minor) <> 0
    union all
    select 'wallet ' || w.uuid from wallets w cross join lateral (
      select coalesce(sum(amount_minor) filter (where account = 'available'), 0) as available,
        coalesce(sum(amount_minor) filter (where account = 'held'), 0) as held,
        coalesce(sum(amount_minor) filter (where account = 'receivable'), 0) as receivable
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id where t.wallet_id = w.id
    ) moved
    where (w.available_minor, w.held_minor, -w.owed_minor) is distinct from (moved.available, moved.held, moved.receivable)`;
  const paid = rows.map((row) => ({ ...row, key: sessionKey(row.uid, row.transactionId) }));
  const ended = paid.filter(({ key }) => promises.ended.has(key));
  return {
    payments: {
      count: ended.length,
      lost: [
        ...ended.filter(({ paidMinor, costMinor }) => paidMinor < costMinor).map(({ key }) => key),
        ...wrong.map(({ name }) => name),
      ],
      doubled: paid.filter(({ paidMinor, costMinor }) => paidMinor > costMinor).map(({ key }) => key),
    },
  };
}
