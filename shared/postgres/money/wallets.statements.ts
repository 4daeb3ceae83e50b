import { type Balances, type LedgerCause, moveAvailable } from '#shared/domain/money/wallet.ts';
import type { WalletOrder } from '#shared/domain/money/wallet-order.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { lockWallet, postMovement } from './ledger.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import { containing } from '#shared/postgres/kernel/search.statements.ts';

/** A driver's wallet in a network. */
export interface WalletRecord extends Balances {
  id: number;
  uuid: string;
  userId: number;
  userUuid: string;
  userEmail: string;
  userName: string;
  networkId: number;
  networkUuid: string;
  networkName: string;
  currency: string;
  /** Balance that a session needs to start, in the network's currency. */
  minimumBalanceMinor: bigint;
  createdAt: Date;
  updatedAt: Date;
}

const columns = (sql: Queryable) => sql`
  w.id, w.uuid, w.user_id as "userId", u.uuid as "userUuid", u.email as "userEmail", u.name as "userName",
  w.network_id as "networkId", n.uuid as "networkUuid", n.name as "networkName", w.currency,
  n.minimum_balance_minor as "minimumBalanceMinor", w.available_minor as "availableMinor", w.held_minor as "heldMinor",
  w.owed_minor as "owedMinor", w.created_at as "createdAt", w.updated_at as "updatedAt"`;

const tables = (sql: Queryable) => sql`
  wallets w join users u on u.id = w.user_id join networks n on n.id = w.network_id`;

/** Filter of a list of wallets. */
export interface WalletFilter {
  userUuid?: string | undefined;
  /** The whole address, without regard to case. */
  email?: string | undefined;
  /** Part of the e-mail address or name of the driver; with `inAll` also of the phone number or external id. */
  search?: { text: string; inAll: boolean } | undefined;
  /** Those whose drivers owe something, or nothing. */
  isOwing?: boolean | undefined;
}

const matching = (
  sql: Queryable,
  scope: NetworkScope,
  { userUuid, email, search, isOwing }: WalletFilter,
) => sql`
  ${inScope(sql, 'w.network_id', scope)}
  ${userUuid === undefined ? sql`` : sql`and w.user_id = (select id from users where uuid = ${userUuid})`}
  ${email === undefined ? sql`` : sql`and w.user_id in (select id from users where lower(email) = lower(${email}))`}
  ${
    search === undefined
      ? sql``
      : sql`and w.user_id in (select id from users where deleted_at is null and search_text like lower(${containing(search.text)})
        ${search.inAll ? sql`` : sql`and lower(email || ' ' || name) like lower(${containing(search.text)})`})`
  }
  ${isOwing === undefined ? sql`` : sql`and (w.owed_minor > 0) = ${isOwing}`}`;

/** Values that wallets are ordered by; null: their ids, which also order wallets of the same value. */
const orderKeys = {
  createdAt: null,
  name: (sql: Queryable) => sql`lower(u.name)`,
  balance: (sql: Queryable) => sql`(w.available_minor + w.held_minor - w.owed_minor)`,
};

/**
 * Returns the wallets in scope after the one with this id, in an order. The list continues at the value that this
 * wallet has now.
 */
export function listWallets(
  sql: Queryable,
  scope: NetworkScope,
  filter: WalletFilter,
  { by, isAscending }: WalletOrder,
  { after, limit }: { after: number | null; limit: number },
): Promise<WalletRecord[]> {
  const key = orderKeys[by]?.(sql) ?? null;
  const beyond = sql.unsafe(isAscending ? '>' : '<');
  const direction = sql.unsafe(isAscending ? 'asc' : 'desc');
  const place = key === null ? sql`w.id` : sql`${key}, w.id`;
  const next =
    after === null
      ? sql``
      : sql`and (${place}) ${beyond} (
          select ${place} from ${tables(sql)} where w.id = ${after} and ${inScope(sql, 'w.network_id', scope)})`;
  return sql<WalletRecord[]>`
    select ${columns(sql)} from ${tables(sql)}
    where ${matching(sql, scope, filter)} ${next}
    order by ${key === null ? sql`` : sql`${key} ${direction},`} w.id ${direction} limit ${limit}`;
}

/** Sums of wallets in one currency, in its minor unit. */
export interface WalletSums extends Balances {
  currency: string;
  count: number;
  /** Number of wallets with an amount owed. */
  owingCount: number;
}

/** Returns the sums of the wallets in scope, by currency. */
export function sumWallets(sql: Queryable, scope: NetworkScope, filter: WalletFilter): Promise<WalletSums[]> {
  return sql<WalletSums[]>`
    select w.currency, count(*)::integer as count, (count(*) filter (where w.owed_minor > 0))::integer as "owingCount",
      sum(w.available_minor)::bigint as "availableMinor", sum(w.held_minor)::bigint as "heldMinor",
      sum(w.owed_minor)::bigint as "owedMinor"
    from wallets w where ${matching(sql, scope, filter)}
    group by w.currency order by w.currency`;
}

/** One wallet in scope, or null. */
export async function findWallet(
  sql: Queryable,
  scope: NetworkScope,
  uuid: string,
): Promise<WalletRecord | null> {
  const [row] = await sql<WalletRecord[]>`
    select ${columns(sql)} from ${tables(sql)} where w.uuid = ${uuid} and ${inScope(sql, 'w.network_id', scope)}`;
  return row ?? null;
}

/** Returns the first wallets of a driver, or of all drivers in scope (`userId` null), by network. */
export function listDriverWallets(
  sql: Queryable,
  scope: NetworkScope,
  userId: number | null,
  limit: number,
): Promise<WalletRecord[]> {
  return sql<WalletRecord[]>`
    select ${columns(sql)} from ${tables(sql)}
    where ${inScope(sql, 'w.network_id', scope)} ${userId === null ? sql`` : sql`and w.user_id = ${userId}`}
    order by n.name, w.id limit ${limit}`;
}

/**
 * Makes a driver's wallet in the driver's own network and its currency, unless it is there; null when there is no such
 * driver in scope.
 */
export async function ensureWallet(
  sql: Queryable,
  scope: NetworkScope,
  user: { id: number } | { uuid: string },
): Promise<{ wallet: WalletRecord; isNew: boolean } | null> {
  const whose = 'id' in user ? sql`u.id = ${user.id}` : sql`u.uuid = ${user.uuid}`;
  const owner = sql`
    select u.id, u.network_id, n.currency from users u join networks n on n.id = u.network_id
    where ${whose} and u.deleted_at is null and ${inScope(sql, 'u.network_id', scope)}
    for share of u`;
  const made = await sql`
    with made as (
      insert into wallets (user_id, network_id, currency) ${owner} on conflict do nothing returning *
    )
    insert into outbox (network_id, type, subject_id, subject_uuid, data)
    select m.network_id, 'wallet.created', m.id, m.uuid,
      jsonb_build_object('driverId', (select u.uuid from users u where u.id = m.user_id), 'currency', m.currency)
    from made m returning id`;
  const [wallet] = await sql<WalletRecord[]>`
    with owner as (${owner})
    select ${columns(sql)} from ${tables(sql)}
    join owner o on o.id = w.user_id and o.network_id = w.network_id and o.currency = w.currency`;
  return wallet === undefined ? null : { wallet, isNew: made.length > 0 };
}

/** An amount that comes into a wallet (above zero) or goes out of it, and why. */
interface WalletMovement {
  cause: LedgerCause;
  causeId: string;
  counter: 'cash' | 'adjustments';
  amountMinor: bigint;
  /** True: what is not there is owed from then on. False: it is not moved. */
  mayOwe: boolean;
  reason?: string;
}

/** Moves money in or out of a wallet; answers what it had before, null when that was too little and nothing was moved. */
export async function moveMoney(
  transaction: Transaction,
  walletId: number,
  { amountMinor, mayOwe, ...posting }: WalletMovement,
): Promise<Balances | null> {
  const wallet = await lockWallet(transaction, walletId);
  if (!mayOwe && wallet.availableMinor + amountMinor < 0n) return null;
  await postMovement(transaction, wallet, { ...posting, after: moveAvailable(wallet, amountMinor) });
  return wallet;
}
