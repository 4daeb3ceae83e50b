import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';

/** Drivers that were looked at. */
export interface SeenDrivers {
  /** Id of the last one. Null: there were none. */
  lastId: number | null;
  /** Ids of those that are inactive. */
  inactive: number[];
}

/**
 * Condition that a driver `u` of a network `n` was not active for the days of the network or of the installation, whichever is
 * shorter: no session, sign-in, use of a key, booking or change. False without either. Money that the driver holds or owes keeps
 * the driver.
 */
const isInactive = (sql: Queryable, days: number | null): Fragment => {
  const since = sql`now() - make_interval(days => least(n.personal_data_days, ${days}::integer))`;
  return sql`
    u.deleted_at is null and u.created_at < ${since} and u.updated_at < ${since}
    and not exists (select from sessions s where s.user_id = u.id
      and (s.started_at >= ${since} or s.ended_at >= ${since} or s.status in ('ACTIVE', 'STOPPING')))
    and not exists (select from driver_accounts a where a.user_id = u.id
      and (a.created_at >= ${since} or a.last_login_at >= ${since} or exists (
        select from driver_sessions d where d.account_id = a.id and d.revoked_at is null and d.expires_at > now())))
    and not exists (select from api_keys k where k.user_id = u.id and k.last_used_at >= ${since})
    and not exists (select from scheduled_charges c where c.user_id = u.id and c.start_at >= ${since})
    and not exists (select from wallets w where w.user_id = u.id
      and (w.available_minor > 0 or w.held_minor > 0 or w.owed_minor > 0 or ${since} <= (
        select l.created_at from ledger_transactions l where l.wallet_id = w.id order by l.id desc limit 1)))`;
};

/** Looks at the next `limit` drivers after an id, and returns those that are inactive. `days` null: their network's alone. */
export async function findInactiveDrivers(
  sql: Queryable,
  days: number | null,
  after: number,
  limit: number,
): Promise<SeenDrivers> {
  const [seen] = await sql<SeenDrivers[]>`
    with seen as materialized (select id from users where id > ${after} order by id limit ${limit})
    select (select max(id) from seen) as "lastId",
      array(select u.id from users u join networks n on n.id = u.network_id
        where u.id in (select id from seen) and ${isInactive(sql, days)} order by u.id) as inactive`;
  return seen ?? { lastId: null, inactive: [] };
}

/** Returns the identifier of a driver who is inactive, locked until the end of the transaction. Null: not any more. */
export async function lockInactiveDriver(
  sql: Queryable,
  days: number | null,
  id: number,
): Promise<string | null> {
  await sql`select from users where id = ${id} for no key update`;
  const [row] = await sql<{ uuid: string }[]>`
    select u.uuid from users u join networks n on n.id = u.network_id where u.id = ${id} and ${isInactive(sql, days)}`;
  return row?.uuid ?? null;
}
