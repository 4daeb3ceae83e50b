import type { Fragment, Queryable, Sql } from '#shared/postgres/kernel/client.ts';

/** Lists that are read from partners, by their module. */
export type PulledModule = 'tokens' | 'hubclientinfo';

/** Table of the readings of a list. */
const pulls = (sql: Queryable, module: PulledModule) =>
  module === 'tokens' ? sql`ocpi_token_pulls` : sql`ocpi_hub_client_pulls`;

/** Partners `p` whose list is read, with the endpoint `e` that serves it. */
const serving = (sql: Queryable, module: PulledModule) => sql`
  ocpi_partners p join ocpi_partner_endpoints e on e.partner_id = p.id and e.identifier = ${module} and e.role = 'SENDER'
    and p.status = 'REGISTERED' and p.deleted_at is null
    ${module === 'tokens' ? sql`` : sql`and p.hub_parties is not null`}`;

/** A partner whose list is to be read. */
export interface DuePull {
  module: PulledModule;
  partnerUuid: string;
  /** Time of the registration under which it is read, to the microsecond. */
  registeredAt: string;
  /** URL at which it serves its list. */
  url: string;
  /** Time up to which changes are stored. Null: everything must be read. */
  readUntil: Date | null;
  /** Page at which an earlier turn stopped. Null: the first page is next. */
  nextPage: string | null;
  /** Read in earlier turns. */
  pages: number;
  /** Turns in a row without success, with this one. */
  attempts: number;
}

/** Condition that a list of partners is due. */
export const arePullsDue = (sql: Sql, module: PulledModule): Fragment => sql`
  exists (
    select from ${serving(sql, module)} left join ${pulls(sql, module)} t on t.partner_id = p.id
    where coalesce(t.next_at <= now(), true) or t.registered_at is distinct from p.registered_at)`;

/**
 * Takes on a partner whose list is due: one that has registered since they were read, or whose time has come. No
 * other process does so for `leaseSeconds`. Returns null without such a partner.
 */
export async function claimPull(
  sql: Sql,
  module: PulledModule,
  leaseSeconds: number,
): Promise<DuePull | null> {
  await sql`
    insert into ${pulls(sql, module)} (partner_id)
    select p.id from ${serving(sql, module)}
    where not exists (select 1 from ${pulls(sql, module)} t where t.partner_id = p.id)
    on conflict do nothing`;
  const [row] = await sql<Omit<DuePull, 'module'>[]>`
    with due as (
      select t.partner_id, p.uuid, p.registered_at, e.url,
        t.registered_at is distinct from p.registered_at as is_new
      from ${pulls(sql, module)} t join (${serving(sql, module)}) on p.id = t.partner_id
      where t.next_at <= now() or t.registered_at is distinct from p.registered_at
      order by t.next_at limit 1 for update of t skip locked
    )
    update ${pulls(sql, module)} t set registered_at = due.registered_at,
      read_until = case when due.is_new then null else t.read_until end,
      attempts = case when due.is_new then 1 else t.attempts + 1 end,
      next_page = case when due.is_new then null else t.next_page end,
      pages = case when due.is_new or t.next_page is null then 0 else t.pages end,
      began_at = case when due.is_new or t.next_page is null then now() else t.began_at end,
      next_at = now() + make_interval(secs => ${leaseSeconds})
    from due where t.partner_id = due.partner_id
    returning due.uuid as "partnerUuid", due.registered_at::text as "registeredAt", due.url, t.read_until as "readUntil",
      t.next_page as "nextPage", t.pages, t.attempts`;
  return row === undefined ? null : { ...row, module };
}

/** The condition that a pull is still of the registration under which it was taken on. */
const isSame = (sql: Queryable, { partnerUuid, registeredAt }: DuePull) => sql`
  p.id = t.partner_id and p.uuid = ${partnerUuid} and t.registered_at = ${registeredAt}::text::timestamptz`;

/** All was read: what the partner changes from its beginning on is read next time, in `everySeconds`. */
export async function endPull(sql: Queryable, due: DuePull, everySeconds: number): Promise<void> {
  await sql`
    update ${pulls(sql, due.module)} t set read_until = t.began_at, next_page = null, pages = 0, attempts = 0, last_error = null,
      next_at = now() + make_interval(secs => ${everySeconds})
    from ocpi_partners p where ${isSame(sql, due)}`;
}

/** Position at which a turn ended. */
export interface PulledTo {
  nextPage: string | null;
  /** Read by then, all turns together. */
  pages: number;
}

/** The turn is over: the next one is due at once, after those who wait longer. */
export async function pausePull(sql: Queryable, due: DuePull, { nextPage, pages }: PulledTo): Promise<void> {
  await sql`
    update ${pulls(sql, due.module)} t set next_page = ${nextPage}, pages = ${pages}, attempts = 0, last_error = null,
      next_at = now()
    from ocpi_partners p where ${isSame(sql, due)}`;
}

/** The partner did not answer: it is tried again in `seconds`, from where the turn ended. */
export async function failPull(
  sql: Queryable,
  due: DuePull,
  { nextPage, pages }: PulledTo,
  error: string,
  seconds: number,
): Promise<void> {
  await sql`
    update ${pulls(sql, due.module)} t set last_error = ${error.slice(0, 500)}, next_page = ${nextPage}, pages = ${pages},
      next_at = now() + make_interval(secs => ${seconds})
    from ocpi_partners p where ${isSame(sql, due)}`;
}

/**
 * Makes all lists of a partner, and of the hubs of its network, due from the beginning: the parties whose objects they may send have
 * changed.
 */
export async function restartPulls(sql: Queryable, networkId: number, partnerId: number): Promise<void> {
  const concerned = sql`
    select id from ocpi_partners where id = ${partnerId} or network_id = ${networkId} and hub_parties is not null`;
  for (const module of ['tokens', 'hubclientinfo'] as const) {
    await sql`delete from ${pulls(sql, module)} where partner_id in (${concerned})`;
  }
}
