import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Balances, LedgerCause } from '#shared/domain/money/wallet.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** One movement of a wallet, with what it changed and led to. */
export interface MovementRecord {
  id: number;
  uuid: string;
  walletUuid: string;
  networkUuid: string;
  currency: string;
  cause: LedgerCause;
  sessionUuid: string | null;
  reason: string | null;
  change: Balances;
  after: Balances;
  createdAt: Date;
}

/** Movements to read: of one wallet, or of all wallets of a driver. `userId` null: of all drivers in scope. */
export interface MovementFilter {
  of: { walletId: number } | { userId: number | null };
  cause?: LedgerCause | undefined;
  /** Both inclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
}

type Row = Omit<MovementRecord, 'change' | 'after'> & {
  availableChange: bigint;
  heldChange: bigint;
  owedChange: bigint;
} & Balances;

function ofOwner(sql: Queryable, of: MovementFilter['of']) {
  if ('walletId' in of) return sql`and w.id = ${of.walletId}`;
  return of.userId === null ? sql`` : sql`and w.user_id = ${of.userId}`;
}

/** The newest movements in scope, or those before an id. */
export async function listMovements(
  sql: Queryable,
  scope: NetworkScope,
  { of, cause, from, to }: MovementFilter,
  before: number | null,
  limit: number,
): Promise<MovementRecord[]> {
  const rows = await sql<Row[]>`
    select t.id::double precision as id, t.uuid, w.uuid as "walletUuid", n.uuid as "networkUuid", w.currency, t.cause,
      s.uuid as "sessionUuid", t.reason, c.available as "availableChange", c.held as "heldChange",
      -c.receivable as "owedChange", t.available_after_minor as "availableMinor",
      t.held_after_minor as "heldMinor", t.owed_after_minor as "owedMinor", t.created_at as "createdAt"
    from ledger_transactions t
    join wallets w on w.id = t.wallet_id
    join networks n on n.id = w.network_id
    left join sessions s on s.id = t.session_id
    cross join lateral (
      select coalesce(sum(amount_minor) filter (where account = 'available'), 0)::bigint as available,
        coalesce(sum(amount_minor) filter (where account = 'held'), 0)::bigint as held,
        coalesce(sum(amount_minor) filter (where account = 'receivable'), 0)::bigint as receivable
      from ledger_entries where transaction_id = t.id
    ) c
    where ${inScope(sql, 'w.network_id', scope)}
      ${ofOwner(sql, of)}
      ${cause === undefined ? sql`` : sql`and t.cause = ${cause}`}
      ${from === undefined ? sql`` : sql`and t.created_at >= ${from}`}
      ${to === undefined ? sql`` : sql`and t.created_at <= ${to}`}
      ${before === null ? sql`` : sql`and t.id < ${before}`}
    order by t.id desc limit ${limit}`;
  return rows.map(
    ({ availableChange, heldChange, owedChange, availableMinor, heldMinor, owedMinor, ...movement }) => ({
      ...movement,
      change: { availableMinor: availableChange, heldMinor: heldChange, owedMinor: owedChange },
      after: { availableMinor, heldMinor, owedMinor },
    }),
  );
}
