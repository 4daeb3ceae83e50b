import { settleFrom } from '#shared/domain/money/wallet.ts';
import type { Fragment, Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { balanceColumns, type LockedWallet, lockWallet, postMovement, walletCounts } from './ledger.ts';
import { holdForReview } from './review-holds.ts';

/** Money to hold in a driver's wallet for the session of a remote start. */
interface WantedHold {
  userId: number;
  networkId: number;
  /** Currency of the session. */
  currency: string;
  amountMinor: bigint;
  /** Time at which the money is released when no session has begun. */
  expiresAt: Date;
  /** Remote start whose session takes the hold. Null: no session takes it. */
  remoteStartId: bigint | null;
}

/**
 * Holds money; returns null when the driver has no wallet in this currency, or less than that available. The lock of the
 * wallet orders concurrent holds.
 */
export async function placeHold(
  transaction: Transaction,
  { userId, networkId, currency, amountMinor, expiresAt, remoteStartId }: WantedHold,
): Promise<{ id: bigint } | null> {
  const [wallet] = await transaction<LockedWallet[]>`
    select ${balanceColumns(transaction)} from wallets w
    where w.user_id = ${userId} and w.network_id = ${networkId} and w.currency = ${currency} for no key update`;
  if (wallet === undefined || wallet.availableMinor < amountMinor) return null;
  const [hold] = await transaction<{ id: bigint; uuid: string }[]>`
    insert into wallet_holds (wallet_id, amount_minor, expires_at, remote_start_id)
    values (${wallet.id}, ${amountMinor}, ${expiresAt}, ${remoteStartId}) returning id, uuid`;
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

/** Releases a hold that no session took. Changes nothing when a session took it, or when it was released. */
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

/**
 * Releases every hold of a driver that no session took. Locks all wallets of the driver by id, as every transaction does that
 * locks several.
 */
export async function releaseUntakenHolds(transaction: Transaction, userId: number): Promise<void> {
  await transaction`select from wallets where user_id = ${userId} order by id for no key update`;
  const holds = await transaction<{ id: bigint }[]>`
    select h.id from wallet_holds h join wallets w on w.id = h.wallet_id
    where ${isUntaken(transaction)} and w.user_id = ${userId} order by h.id`;
  for (const { id } of holds) await releaseHold(transaction, id);
}

/** Number of holds that a run of `releaseExpiredHolds` releases. */
const releasedAtOnce = 100;

/** Releases holds that no session took before their deadline, the oldest first. */
export async function releaseExpiredHolds(sql: Sql): Promise<void> {
  const holds = await sql<{ id: bigint }[]>`
    select h.id from wallet_holds h
    where ${isUntaken(sql)} and h.expires_at <= now() order by h.expires_at limit ${releasedAtOnce}`;
  for (const { id } of holds) await sql.begin((transaction) => releaseHold(transaction, id));
}

/** Condition that a driver has a hold that no session took. */
export const hasUntakenHold = (sql: Queryable, userId: Fragment) => sql`
  exists (
    select from wallet_holds h join wallets w on w.id = h.wallet_id
    where ${isUntaken(sql)} and w.user_id = ${userId})`;

const isUntaken = (sql: Queryable) => sql`h.status = 'held' and h.session_id is null`;

/** Statement that gives sessions the holds of their remote starts; `bound` has the columns id, session_id and takes_limits. */
export const bindHold = (sql: Queryable, bound: Fragment) => sql`
  update wallet_holds h set session_id = b.session_id from ${bound} b
  where b.takes_limits and h.remote_start_id = b.id and ${isUntaken(sql)}
    and not exists (select from wallet_holds where session_id = b.session_id)`;

/** Unbinds a session from a hold that is still open. The hold waits for the session of its remote start. */
export async function unbindHold(transaction: Transaction, sessionId: bigint): Promise<void> {
  await transaction`
    update wallet_holds set session_id = null where session_id = ${sessionId} and status = 'held'`;
}

/** Unbinds a session from the wallet that held money for it, which does not pay for it. */
export async function unbindPayer(transaction: Transaction, sessionId: bigint): Promise<void> {
  await transaction`update wallet_holds set session_id = null where session_id = ${sessionId}`;
}

/** Query of the wallets `id` that may pay or have paid for a session `s` with the hold `h`. */
const walletsOfSession = (transaction: Transaction) => transaction`
  select ${payingWallet(transaction)} as id union select wallet_id from ledger_transactions where session_id = s.id`;

/** Wallet that pays for a session `s` with the hold `h`: the one that held money for it, else its driver's. */
const payingWallet = (transaction: Transaction) => transaction`
  coalesce(h.wallet_id, (
    select own.id from wallets own
    where own.user_id = s.user_id and own.network_id = s.network_id and own.currency = s.currency
      and ${walletCounts(transaction, transaction`coalesce(s.stop_received_at, s.ended_at, now())`)}))`;

/**
 * Locks the wallets of sessions that one transaction settles, by id. Every transaction that locks several wallets uses this
 * order, so that no two wait for each other.
 */
export async function lockWalletsOf(transaction: Transaction, sessionIds: readonly bigint[]): Promise<void> {
  await transaction`
    select from wallets w
    where w.id in (
      select due.id from sessions s left join wallet_holds h on h.session_id = s.id
      cross join lateral (${walletsOfSession(transaction)}) due
      where s.id = any(${sessionIds.map(String)}::bigint[])
    )
    order by w.id for no key update`;
}

/** Wallet with the amount that is due for a session. */
interface DueWallet extends LockedWallet {
  /** False: it paid while the session was assigned to its driver. */
  isPaying: boolean;
  uuid: string;
  /** Amount of its open hold; zero: none. */
  holdMinor: bigint;
  dueMinor: bigint;
  /** Number of earlier settlements of the session. */
  settlements: number;
}

/** Reason for refunding a wallet. */
const notTheirs = 'The session is not of this driver';

/**
 * Books the cost of an ended session to the wallet that held money for it, else to its driver's. Earlier payments count, so a
 * repeated stop moves nothing and an amended one moves the difference. Another wallet that paid, because the session was
 * assigned to its driver, is refunded. A session without wallet (an anonymous card, a roaming or an invoiced driver) moves
 * nothing, and neither does a price that is pending or in review. Runs after each change of end, cost or driver of a session, in
 * the same transaction. Returns true when the paying wallet has less than is due, false when a wallet was refunded and none is
 * short, null when neither happened.
 */
export async function settleWallet(transaction: Transaction, sessionId: bigint): Promise<boolean | null> {
  const wallets = await transaction<DueWallet[]>`
    select ${balanceColumns(transaction)}, paying.is_paying as "isPaying", s.uuid, past.settlements,
      case when paying.is_paying and h.status = 'held' then h.amount_minor else 0 end as "holdMinor",
      case when paying.is_paying and s.status <> 'INVALID' then coalesce(s.cost_minor, 0) else 0 end
        - past.paid_minor as "dueMinor"
    from sessions s
    left join wallet_holds h on h.session_id = s.id
    cross join lateral (${walletsOfSession(transaction)}) due
    join wallets w on w.id = due.id
    cross join lateral (select w.id is not distinct from ${payingWallet(transaction)} as is_paying) paying
    cross join lateral (
      select count(distinct t.id)::integer as settlements,
        coalesce(sum(e.amount_minor) filter (where t.wallet_id = w.id), 0)::bigint as paid_minor
      from ledger_transactions t left join ledger_entries e on e.transaction_id = t.id and e.account = 'revenue'
      where t.session_id = s.id
    ) past
    where s.id = ${sessionId} and (not paying.is_paying or s.status = 'INVALID'
      or (s.status = 'COMPLETED' and s.price_state <> 'REVIEW' and (s.cost_minor is not null or s.tariff is null)))
    order by w.id for no key update of w`;
  const due = wallets.filter(({ holdMinor, dueMinor }) => holdMinor !== 0n || dueMinor !== 0n);
  for (const [index, wallet] of due.entries()) await settleOne(transaction, sessionId, wallet, index + 1);
  await holdForReview(transaction, sessionId);
  const isLeft = due.some(({ isPaying }) => !isPaying);
  return isLeft || due.some(isShort) ? due.some(isShort) : null;
}

async function settleOne(
  transaction: Transaction,
  sessionId: bigint,
  wallet: DueWallet,
  count: number,
): Promise<void> {
  await postMovement(transaction, wallet, {
    cause: 'SESSION',
    causeId: `${wallet.uuid}-${wallet.settlements + count}`,
    after: settled(wallet),
    counter: 'revenue',
    sessionId,
    reason: wallet.isPaying ? null : notTheirs,
  });
  if (wallet.holdMinor === 0n) return;
  await transaction`
    update wallet_holds set status = 'captured', closed_at = now() where session_id = ${sessionId} and status = 'held'`;
}

const settled = (wallet: DueWallet) => settleFrom(wallet, wallet.holdMinor, wallet.dueMinor);

/** Returns whether the wallet has less than the amount due: the rest is owed. */
const isShort = (wallet: DueWallet) => settled(wallet).owedMinor > wallet.owedMinor;
