import type { Conditions } from '#shared/domain/load/site-conditions.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import type { LoadSiteRecord } from './load-sites.statements.ts';

/** Sets a connector aside, or releases it (null). */
export async function setAside(
  sql: Queryable,
  siteId: number,
  connectorId: number,
  at: Date | null,
): Promise<void> {
  await sql`
    update load_connectors set set_aside_at = ${at} where site_id = ${siteId} and connector_id = ${connectorId}`;
}

/** Stores that the profiles from elsewhere were cleared at a connector. Returns false if the site has changed since `version`. */
export async function storeCleared(
  sql: Queryable,
  { id, version }: Pick<LoadSiteRecord, 'id' | 'version'>,
  connectorId: number,
): Promise<boolean> {
  const rows = await sql`
    update load_connectors p set profiles_cleared_at = now() from load_sites s
    where s.id = ${id} and s.version = ${version} and p.site_id = s.id and p.connector_id = ${connectorId} returning 1`;
  return rows.length > 0;
}

/** Stores the conditions of a site that alerts report. One that lasts keeps its time. */
export async function storeConditions(
  sql: Queryable,
  siteId: number,
  { overloaded, meterLost, unconfirmed }: Conditions,
): Promise<void> {
  await sql`
    with site as materialized (
      -- Locked before its parts, as a change of the site does.
      select id from load_sites where id = ${siteId} and is_enabled for no key update
    ), circuits as (
      update load_circuits set
        overloaded_since = case when id = any(${overloaded}::text[]) then coalesce(overloaded_since, now()) end,
        meter_lost_since = case when id = any(${meterLost}::text[]) then coalesce(meter_lost_since, now()) end
      where site_id in (select id from site)
    )
    update load_connectors p set
      unconfirmed_since = case when k.uuid = any(${unconfirmed}::uuid[]) then coalesce(p.unconfirmed_since, now()) end
    from connectors k where k.id = p.connector_id and p.site_id in (select id from site)`;
}
