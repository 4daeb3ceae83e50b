import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { AlertKind } from '#shared/domain/fleet/alert.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** Period in which alerts send no notifications. A null charger, location or kind matches all of them. */
export interface AlertMute {
  id: number;
  uuid: string;
  networkId: number;
  chargerUuid: string | null;
  locationUuid: string | null;
  kind: AlertKind | null;
  until: Date;
  reason: string | null;
  createdBy: string | null;
  createdAt: Date;
}

interface NewAlertMute {
  networkId: number;
  chargerId: number | null;
  locationId: number | null;
  kind: AlertKind | null;
  until: Date;
  reason: string | null;
  createdBy: string | null;
}

const selected = (sql: Queryable) => sql`
  select m.id, m.uuid, m.network_id as "networkId", c.uuid as "chargerUuid", l.uuid as "locationUuid", m.kind, m.until,
    m.reason, m.created_by as "createdBy", m.created_at as "createdAt"
  from alert_mutes m left join chargers c on c.id = m.charger_id left join locations l on l.id = m.location_id`;

/** Returns the mutes in scope that are not over, newest first, before this id. */
export function listAlertMutes(
  sql: Queryable,
  scope: NetworkScope,
  before: number | null,
  limit: number,
): Promise<AlertMute[]> {
  return sql<AlertMute[]>`
    ${selected(sql)} where ${inScope(sql, 'm.network_id', scope)} and m.until > now()
      ${before === null ? sql`` : sql`and m.id < ${before}`}
    order by m.id desc limit ${limit}`;
}

/** Returns a mute in scope, or null. */
export async function findAlertMute(
  sql: Queryable,
  scope: NetworkScope,
  uuid: string,
): Promise<AlertMute | null> {
  const [row] = await sql<AlertMute[]>`
    ${selected(sql)} where m.uuid = ${uuid} and ${inScope(sql, 'm.network_id', scope)}`;
  return row ?? null;
}

/** Stores a mute and returns its uuid. */
export async function insertAlertMute(sql: Queryable, mute: NewAlertMute): Promise<string> {
  const { networkId, chargerId, locationId, kind, until, reason, createdBy } = mute;
  const [row] = await sql<{ uuid: string }[]>`
    insert into alert_mutes (network_id, charger_id, location_id, kind, until, reason, created_by)
    values (${networkId}, ${chargerId}, ${locationId}, ${kind}, ${until}, ${reason}, ${createdBy}) returning uuid`;
  if (row === undefined) throw new Error('the insert of a mute returned no row');
  return row.uuid;
}

/** Ends a mute. */
export async function removeAlertMute(sql: Queryable, id: number): Promise<void> {
  await sql`delete from alert_mutes where id = ${id}`;
}

/** Id of the location of an alert `a`: that of its charger, or the location that it concerns. */
export const locationOfAlert = (sql: Queryable): Fragment => sql`
  coalesce((select c.location_id from chargers c where c.id = a.charger_id),
    (select l.id from locations l
      where l.uuid = case when a.resource_type = 'location' then a.resource_id::uuid end))`;

/** Condition that an alert `a` is muted now. */
export const isMuted = (sql: Queryable): Fragment => sql`
  exists (
    select from alert_mutes m
    where m.network_id = a.network_id and m.until > now() and (m.kind is null or m.kind = a.kind)
      and (m.charger_id is null or m.charger_id = a.charger_id)
      and (m.location_id is null or m.location_id = ${locationOfAlert(sql)}))`;
