import { settleFrom, walletShort } from '#shared/domain/wallet.ts';
import type { Sql, Transaction } from './client.ts';
import { balanceColumns, type LockedWallet, lockWallet, postMovement } from './ledger.ts';

/** What a driver's wallet is asked to set aside for a session that is going to be asked for. */
export interface WantedHold {
  userId: number;
  networkId: number;
  /** Of the session. */
  currency: string;
  amountMinor: bigint;
  /** When it is given back, if no session has begun. */
  expiresAt: Date;
}

/**
 * Sets money aside; null when the driver has no wallet in this currency or less than that available. Many may ask at
 * once: each finds what the others left.
 */
export async function placeHold(
  transaction: Transaction,
  { userId, networkId, currency, amountMinor, expiresAt }: WantedHold,
): Promise<{ id: bigint } | null> {
  const [wallet] = await transaction<LockedWallet[]>`
    select ${balanceColumns(transaction)} from wallets w
    where w.user_id = ${userId} and w.network_id = ${networkId} and w.currency = ${currency} for no key update`;
  if (wallet === undefined || wallet.availableMinor < amountMinor) return null;
  const [hold] = await transaction<{ id: bigint; uuid: string }[]>`
    insert into wallet_holds (wallet_id, amount_minor, expires_at) values (${wallet.id}, ${amountMinor}, ${expiresAt})
    returning id, uuid`;
  if (hold === undefined) throw new Error('the insert of a hold returned no row');
  await postMovement(transaction, wallet, {
    cause: 'HOLD',
    causeId: hold.uuid,
    after: {
      ...wallet,
      availableMinor: wallet.availableMinor - amountMinor,
      heldMinor: wallet.heldMinor + amountMinor,
    },
    counter: null,
  });
  return { id: hold.id };
}

/** Gives back a hold that no session took; one that was taken or given back is left as it is. */
export async function releaseHold(transaction: Transaction, holdId: bigint): Promise<void> {
  const [found] = await transaction<{ walletId: number }[]>`
    select wallet_id as "walletId" from wallet_holds where id = ${holdId}`;
  if (found === undefined) return;
  const wallet = await lockWallet(transaction, found.walletId);
  const [hold] = await transaction<{ uuid: string; amountMinor: bigint }[]>`
    update wallet_holds set status = 'released', closed_at = now()
    where id = ${holdId} and status = 'held' and session_id is null
    returning uuid, amount_minor as "amountMinor"`;
  if (hold === undefined) return;
  await postMovement(transaction, wallet, {
    cause: 'RELEASE',
    causeId: hold.uuid,
    after: settleFrom(wallet, hold.amountMinor, 0n),
    counter: null,
  });
}

/** Up to `limit` holds whose sessions never began. */
export async function listExpiredHolds(sql: Sql, limit: number): Promise<bigint[]> {
  const rows = await sql<{ id: bigint }[]>`
    select id from wallet_holds
    where status = 'held' and session_id is null and expires_at <= now() order by expires_at limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** What is set aside for sessions of a driver that did not begin. */
export async function listUntakenHolds(sql: Sql, userId: number): Promise<bigint[]> {
  const rows = await sql<{ id: bigint }[]>`
    select h.id from wallet_holds h join wallets w on w.id = h.wallet_id
    where w.user_id = ${userId} and h.status = 'held' and h.session_id is null order by h.id`;
  return rows.map(({ id }) => id);
}

interface DueSession extends LockedWallet {
  uuid: string;
  /** Zero: it has none, or it was opened before. */
  holdMinor: bigint;
  dueMinor: bigint;
  /** How often the session was settled before. */
  settlements: number;
}

/**
 * Has the wallet of a session that ended pay what it costs: the wallet that held for it, else its driver's. What was
 * settled before counts, so a repeated stop moves nothing and an amended one the difference. A session of nobody's
 * wallet (an anonymous card, a roaming driver, one who is invoiced) moves nothing, and neither does one whose price is
 * still to be told. Call it wherever the end, the cost or the driver of a session changes, in that transaction and after
 * it.
 */
export async function settleWallet(transaction: Transaction, sessionId: bigint): Promise<void> {
  const [session] = await transaction<DueSession[]>`
    select ${balanceColumns(transaction)}, s.uuid, past.settlements,
      case when h.status = 'held' then h.amount_minor else 0 end as "holdMinor",
      case when s.status = 'INVALID' then 0 else coalesce(s.cost_minor, 0) end - past.settled_minor as "dueMinor"
    from sessions s
    left join wallet_holds h on h.session_id = s.id
    join wallets w on w.id = coalesce(h.wallet_id, (
      select id from wallets where user_id = s.user_id and network_id = s.network_id and currency = s.currency))
    cross join lateral (
      select count(*)::integer as settlements, coalesce(sum(e.amount_minor), 0)::bigint as settled_minor
      from ledger_transactions t left join ledger_entries e on e.transaction_id = t.id and e.account = 'revenue'
      where t.session_id = s.id
    ) past
    where s.id = ${sessionId} and (s.status = 'INVALID'
      or (s.status = 'COMPLETED' and (s.cost_minor is not null or s.tariff is null)))
    for no key update of w`;
  if (session === undefined) return;
  const { uuid, holdMinor, dueMinor, settlements } = session;
  if (holdMinor === 0n && dueMinor === 0n) return;
  const after = settleFrom(session, holdMinor, dueMinor);
  await postMovement(transaction, session, {
    cause: 'SESSION',
    causeId: `${uuid}-${settlements + 1}`,
    after,
    counter: 'revenue',
    sessionId,
  });
  await transaction`
    update wallet_holds set status = 'captured', closed_at = now() where session_id = ${sessionId} and status = 'held'`;
  if (after.owedMinor > session.owedMinor) {
    await transaction`
      update sessions set flags = array_append(flags, ${walletShort})
      where id = ${sessionId} and not flags @> ${[walletShort]}::text[]`;
  }
}
