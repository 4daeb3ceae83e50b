import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { ExclusionCause } from '#shared/domain/reporting/availability/exclusion.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { networkRecords } from '#shared/postgres/kernel/records.statements.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** Period and cause of an exclusion. */
export interface ExclusionDetails {
  cause: ExclusionCause;
  beginsAt: Date;
  endsAt: Date;
  reason: string;
}

/** EVSEs that an exclusion concerns: all of a location, or all or one of a charger. */
export interface ExclusionTarget {
  networkId: number;
  locationId: number | null;
  chargerId: number | null;
  evseNumber: number | null;
}

/** Outage that an operator excluded. */
export interface ExclusionRecord extends ExclusionDetails, ExclusionTarget {
  id: number;
  uuid: string;
  locationUuid: string | null;
  locationName: string | null;
  chargerUuid: string | null;
  chargerUid: string | null;
  alertUuid: string | null;
  createdBy: string | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

interface ExclusionFilter {
  /** Overlapped period. */
  from: Date | undefined;
  to: Date | undefined;
  cause: ExclusionCause | undefined;
  chargerUuid: string | undefined;
  locationUuid: string | undefined;
}

const selected = (sql: Queryable) => sql`
  select x.id, x.uuid, x.network_id as "networkId", x.location_id as "locationId", x.charger_id as "chargerId",
    x.evse_number as "evseNumber", x.cause, x.begins_at as "beginsAt", x.ends_at as "endsAt", x.reason,
    x.alert_uuid as "alertUuid", x.created_by as "createdBy", x.version, x.created_at as "createdAt",
    x.updated_at as "updatedAt", l.uuid as "locationUuid", l.name as "locationName", c.uuid as "chargerUuid",
    c.uid as "chargerUid"
  from availability_exclusions x left join locations l on l.id = x.location_id left join chargers c on c.id = x.charger_id`;

/** Returns the exclusions in scope that match, newest first, before this id. */
export function listExclusions(
  sql: Queryable,
  scope: NetworkScope,
  filter: ExclusionFilter,
  before: number | null,
  limit: number,
): Promise<ExclusionRecord[]> {
  const { from, to, cause, chargerUuid, locationUuid } = filter;
  return sql<ExclusionRecord[]>`
    ${selected(sql)} where ${inScope(sql, 'x.network_id', scope)}
      ${before === null ? sql`` : sql`and x.id < ${before}`}
      ${from === undefined ? sql`` : sql`and x.ends_at > ${from}`}
      ${to === undefined ? sql`` : sql`and x.begins_at < ${to}`}
      ${cause === undefined ? sql`` : sql`and x.cause = ${cause}`}
      ${chargerUuid === undefined ? sql`` : sql`and c.uuid = ${chargerUuid}`}
      ${locationUuid === undefined ? sql`` : sql`and l.uuid = ${locationUuid}`}
    order by x.id desc limit ${limit}`;
}

/** Finds an exclusion in scope. */
export const { find: findExclusion } = networkRecords<ExclusionRecord>({
  alias: 'x',
  select: selected,
  where: (sql) => sql`true`,
});

/** Lets one transaction at a time enter exclusions of a network. */
export async function lockExclusions(transaction: Transaction, networkId: number): Promise<void> {
  await transaction`select pg_advisory_xact_lock(861, ${networkId})`;
}

/** Returns the uuid of another exclusion of one of the same EVSEs at the same time, or null. */
export async function findOverlap(
  sql: Queryable,
  { networkId, locationId, chargerId, evseNumber }: ExclusionTarget,
  { beginsAt, endsAt }: Pick<ExclusionDetails, 'beginsAt' | 'endsAt'>,
  except: number | null,
): Promise<string | null> {
  const [row] = await sql<{ uuid: string }[]>`
    select x.uuid from availability_exclusions x left join chargers c on c.id = x.charger_id
    where x.network_id = ${networkId} and x.begins_at < ${endsAt} and x.ends_at > ${beginsAt}
      and x.id is distinct from ${except}::integer
      and (coalesce(x.location_id, c.location_id) = ${locationId}::integer
        or x.location_id = (select location_id from chargers where id = ${chargerId}::integer)
        or x.charger_id = ${chargerId}::integer
          and (x.evse_number is null or ${evseNumber}::integer is null or x.evse_number = ${evseNumber}::integer))
    limit 1`;
  return row?.uuid ?? null;
}

/** Stores an exclusion and returns its uuid. */
export async function insertExclusion(
  sql: Queryable,
  exclusion: ExclusionTarget & ExclusionDetails & { alertUuid: string | null; createdBy: string | null },
): Promise<string> {
  const { networkId, locationId, chargerId, evseNumber, cause, beginsAt, endsAt, reason } = exclusion;
  const [row] = await sql<{ uuid: string }[]>`
    insert into availability_exclusions
      (network_id, location_id, charger_id, evse_number, cause, begins_at, ends_at, reason, alert_uuid, created_by)
    values (${networkId}, ${locationId}, ${chargerId}, ${evseNumber}, ${cause}, ${beginsAt}, ${endsAt}, ${reason},
      ${exclusion.alertUuid}, ${exclusion.createdBy})
    returning uuid`;
  if (row === undefined) throw new Error('the insert of an exclusion returned no row');
  return row.uuid;
}

/** Replaces period, cause and reason of a locked exclusion. */
export async function updateExclusion(
  sql: Queryable,
  id: number,
  { cause, beginsAt, endsAt, reason }: ExclusionDetails,
): Promise<void> {
  await sql`
    update availability_exclusions set cause = ${cause}, begins_at = ${beginsAt}, ends_at = ${endsAt}, reason = ${reason},
      version = version + 1, updated_at = now()
    where id = ${id}`;
}

/** Deletes an exclusion. */
export async function removeExclusion(sql: Queryable, id: number): Promise<void> {
  await sql`delete from availability_exclusions where id = ${id}`;
}

/** Returns whether a charger has an EVSE of this number. */
export async function hasEvse(sql: Queryable, chargerId: number, number: number): Promise<boolean> {
  const rows = await sql`select from evses where charger_id = ${chargerId} and number = ${number}`;
  return rows.length > 0;
}

/** Exclusion that an alert suggests. */
export interface ProposedExclusion {
  alertUuid: string;
  kind: string;
  message: string;
  locationUuid: string | null;
  chargerUuid: string | null;
  chargerUid: string | null;
  evseNumber: number | null;
  /** Cause that the alert suggests. Null: the operator decides. */
  cause: ExclusionCause | null;
  beginsAt: Date;
  /** Null: the alert is not resolved. */
  endsAt: Date | null;
}

/** Returns alerts about outages in a period that exclusions of their EVSEs do not cover from begin to end, newest first. */
export function listProposals(
  sql: Queryable,
  scope: NetworkScope,
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<ProposedExclusion[]> {
  return sql<ProposedExclusion[]>`
    select a.uuid as "alertUuid", a.kind, a.message, l.uuid as "locationUuid", c.uuid as "chargerUuid", c.uid as "chargerUid",
      k.evse_number as "evseNumber", a.occurred_at as "beginsAt", a.resolved_at as "endsAt",
      case when a.kind = 'location-offline' then 'grid' when a.kind = 'security-event' then 'vandalism' end as cause
    from alerts a left join chargers c on c.id = a.charger_id
      left join locations l on a.resource_type = 'location' and l.uuid::text = a.resource_id
      left join connectors k on a.resource_type = 'connector' and k.uuid::text = a.resource_id
    where ${inScope(sql, 'a.network_id', scope)} and a.occurred_at < ${to} and coalesce(a.resolved_at, now()) > ${from}
      and (c.id is not null or l.id is not null)
      and (a.kind in ('charger-offline', 'location-offline', 'charger-faulted', 'connector-faulted')
        or a.kind = 'security-event' and a.subject = 'TamperDetectionActivated')
      and not coalesce((
        select range_agg(tstzrange(x.begins_at, x.ends_at))
          @> tstzrange(a.occurred_at, date_trunc('milliseconds', coalesce(a.resolved_at, now())))
        from availability_exclusions x
        where x.network_id = a.network_id and x.begins_at < coalesce(a.resolved_at, now()) and x.ends_at > a.occurred_at
          and (x.charger_id = c.id and (x.evse_number is null or x.evse_number = k.evse_number)
            or x.location_id = coalesce(l.id, c.location_id))
      ), false)
    order by a.occurred_at desc, a.id desc limit ${limit}`;
}
