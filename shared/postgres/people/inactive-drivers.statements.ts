import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';

/** Periods after which inactive drivers are deleted. */
export interface InactivityPolicy {
  /** Period of the installation, in days. Null: only the period of their network. */
  days: number | null;
  /** Days between the queueing of the notice to a driver and the deletion. Null: drivers get no notice. */
  noticeDays: number | null;
}

/** Drivers that were looked at. */
interface SeenDrivers {
  /** Id of the last one, or null. */
  lastId: number | null;
  /** Ids of those to be deleted: inactive, and notified long enough ago. */
  inactive: number[];
  /** Ids of those to be notified. */
  unnotified: number[];
}

/** An inactive driver who is to be notified. */
interface NotifiedDriver {
  networkId: number;
  email: string;
  language: string | null;
  /** Time zone of the network. */
  timeZone: string;
}

/**
 * Condition that a driver `u` of a network `n` was not active for the days of the network or of the installation, whichever is
 * shorter, less `early` days: no session, sign-in, use of a key, booking or change. Not true without either. Money that the driver
 * holds or owes keeps the driver.
 */
const isInactive = (sql: Queryable, days: number | null, early = 0): Fragment => {
  const period = sql`least(n.personal_data_days, ${days}::integer) - ${early}::integer`;
  const since = sql`now() - make_interval(days => ${period})`;
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

/** Condition that a driver `u` is to be deleted. */
const isDeletable = (sql: Queryable, { days, noticeDays }: InactivityPolicy): Fragment => {
  if (noticeDays === null) return isInactive(sql, days);
  return sql`${isInactive(sql, days)} and exists (select from inactivity_notices i
    where i.user_id = u.id and i.sent_at < now() - make_interval(days => ${noticeDays}))`;
};

/** Condition that a driver `u` is to be notified. */
const isUnnotified = (sql: Queryable, { days, noticeDays }: InactivityPolicy): Fragment => {
  if (noticeDays === null) return sql`false`;
  return sql`
    ${isInactive(sql, days, noticeDays)} and not exists (select from inactivity_notices i where i.user_id = u.id)`;
};

/** Looks at the next `limit` drivers after an id. */
export async function findInactiveDrivers(
  sql: Queryable,
  policy: InactivityPolicy,
  after: number,
  limit: number,
): Promise<SeenDrivers> {
  const those = (condition: Fragment) => sql`
    array(select u.id from users u join networks n on n.id = u.network_id
      where u.id in (select id from seen) and ${condition} order by u.id)`;
  const [seen] = await sql<SeenDrivers[]>`
    with seen as materialized (select id from users where id > ${after} order by id limit ${limit})
    select (select max(id) from seen) as "lastId", ${those(isDeletable(sql, policy))} as inactive,
      ${those(isUnnotified(sql, policy))} as unnotified`;
  return seen ?? { lastId: null, inactive: [], unnotified: [] };
}

/** Forgets the notices to drivers who are active again or deleted, and those whose e-mails were not sent, among those with ids after `after` and up to `lastId`. */
export async function removeOutdatedNotices(
  sql: Queryable,
  { days, noticeDays }: InactivityPolicy,
  after: number,
  lastId: number,
  unsentMails: readonly number[],
): Promise<void> {
  await sql`
    delete from inactivity_notices i using users u, networks n
    where i.user_id > ${after} and i.user_id <= ${lastId} and u.id = i.user_id and n.id = u.network_id
      and ((${isInactive(sql, days, noticeDays ?? 0)}) is not true or i.mail_id = any(${unsentMails}::integer[]))`;
}

/** Returns the identifier of a driver who is to be deleted, locked until the end of the transaction. Null: not any more. */
export async function lockInactiveDriver(
  sql: Queryable,
  policy: InactivityPolicy,
  id: number,
): Promise<string | null> {
  await sql`select from users where id = ${id} for no key update`;
  const [row] = await sql<{ uuid: string }[]>`
    select u.uuid from users u join networks n on n.id = u.network_id where u.id = ${id} and ${isDeletable(sql, policy)}`;
  return row?.uuid ?? null;
}

/** Returns the address of a driver who is to be notified, locked until the end of the transaction. Null: not any more. */
export async function lockUnnotifiedDriver(
  sql: Queryable,
  policy: InactivityPolicy,
  id: number,
): Promise<NotifiedDriver | null> {
  await sql`select from users where id = ${id} for no key update`;
  const [row] = await sql<NotifiedDriver[]>`
    select u.network_id as "networkId", u.email, u.language, n.time_zone as "timeZone"
    from users u join networks n on n.id = u.network_id where u.id = ${id} and ${isUnnotified(sql, policy)}`;
  return row ?? null;
}

/** Records the notice to a driver. */
export async function recordNotice(sql: Queryable, userId: number, mailId: number): Promise<void> {
  await sql`insert into inactivity_notices (user_id, mail_id) values (${userId}, ${mailId})`;
}
