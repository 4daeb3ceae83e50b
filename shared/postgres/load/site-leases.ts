import type { Fragment, Queryable, Sql } from '#shared/postgres/kernel/client.ts';

/** Time in seconds for which a process plans a site without a renewal. Another process may take it then. */
export const leaseSeconds = 6;

/** Sites that a process takes at most in one statement, so that others get some. */
const takenAtOnce = 200;

/** Returns the condition that a site has no process that controls it. */
export function areSitesFree(sql: Sql): Fragment {
  return sql`exists (select from load_sites where is_enabled and coalesce(lease_until < now(), true))`;
}

/** Renews the leases of a process, and takes sites that no process plans. Returns the ids of all sites that it plans. */
export async function claimSites(sql: Queryable, owner: string): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    with free as (
      select id from load_sites
      where is_enabled and lease_owner is distinct from ${owner} and coalesce(lease_until < now(), true)
      order by lease_until nulls first limit ${takenAtOnce} for update skip locked
    )
    update load_sites s set lease_owner = ${owner}, lease_until = now() + make_interval(secs => ${leaseSeconds})
    where s.is_enabled and (s.lease_owner = ${owner} or s.id in (select id from free))
    returning s.id`;
  return rows.map(({ id }) => id);
}

/** Gives up the sites of a process. */
export async function releaseSites(sql: Queryable, owner: string): Promise<void> {
  await sql`update load_sites set lease_owner = null, lease_until = null where lease_owner = ${owner}`;
}

/** Running session at a connector of a site. */
export interface LoadSession {
  connectorId: number;
  transactionId: string;
  startedAt: Date;
}

/** Returns the newest running session of each connector of these sites. */
export function readLoadSessions(sql: Queryable, siteIds: readonly number[]): Promise<LoadSession[]> {
  return sql<LoadSession[]>`
    select distinct on (s.connector_id) s.connector_id as "connectorId", s.ocpp_transaction_id as "transactionId",
      s.started_at as "startedAt"
    from load_connectors p join connectors k on k.id = p.connector_id
    join sessions s on s.charger_id = k.charger_id and s.connector_id = k.id and s.status in ('ACTIVE', 'STOPPING')
    where p.site_id = any(${[...siteIds]}::integer[])
    order by s.connector_id, s.started_at desc`;
}
