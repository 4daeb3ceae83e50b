import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { walletCounts } from './ledger.ts';

/**
 * Returns true when a driver lacks the money to start a session in a network: the one rule for cards at chargers, starts from the app and
 * remote starts. The driver needs the network's minimum balance in a wallet of the network's currency, so a driver without a
 * wallet lacks it. Money held for starts and running sessions counts, so that a card that stops a session is accepted; money held
 * for a review of an ended session does not. Where the minimum is 0 no wallet is needed; one that was used must
 * not be empty. `user` null: the token has no driver, and no money is needed.
 */
export const lacksBalance = (sql: Queryable, user = sql`t.user_id`, network = sql`t.network_id`) => sql`
  (${user} is not null and coalesce((
    select case when n.minimum_balance_minor > 0
      then coalesce(own.available_minor + own.held_minor - reviewed.held_minor, 0) < n.minimum_balance_minor
      else own.available_minor + own.held_minor - reviewed.held_minor = 0 and ${walletCounts(sql)} end
    from networks n
    left join wallets own on own.user_id = ${user} and own.network_id = n.id and own.currency = n.currency
    left join lateral (
      select coalesce(sum(h.amount_minor), 0)::bigint as held_minor
      from wallet_holds h join sessions s on s.id = h.session_id
      where h.wallet_id = own.id and h.status = 'held' and s.status = 'COMPLETED'
    ) reviewed on true
    where n.id = ${network}), false))`;

/** Money that a driver needs to start a session at a network's charger. */
export interface MinimumBalance {
  amountMinor: bigint;
  currency: string;
  /** The driver does not have it. */
  isLacking: boolean;
}

/** Columns of the minimum balance of a network `net`, and whether a driver lacks it. */
export const minimumBalance = (sql: Queryable, user: Fragment) => sql`
  net.minimum_balance_minor as "amountMinor", net.currency, ${lacksBalance(sql, user, sql`net.id`)} as "isLacking"`;

/** Returns the minimum balance of a network, and whether a driver lacks it. */
export async function readMinimumBalance(
  sql: Queryable,
  networkId: number,
  userId: number,
): Promise<MinimumBalance> {
  const [row] = await sql<MinimumBalance[]>`
    select ${minimumBalance(sql, sql`${userId}::integer`)} from networks net where net.id = ${networkId}`;
  if (row === undefined) throw new Error(`there is no network ${networkId}`);
  return row;
}
