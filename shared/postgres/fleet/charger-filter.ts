import { unknownStatus } from '#shared/domain/fleet/charger.ts';
import { type ChargerState, chargerStates, stateByStatus } from '#shared/domain/fleet/charger-state.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import { containing } from '#shared/postgres/kernel/search.statements.ts';
import { hasEvseId } from './charger-names.ts';
import { isOnline } from './connections.ts';

/**
 * Filters of a list of chargers; `search`: a part of the uid, the serial number, the EVSE id or the location's name, or a
 * whole EVSE id as it is printed;
 * `status`: the effective one (`effectiveStatus`), in any case; `states`: any of these; `hasAlert`: an alert is not resolved;
 * `hasFault`: `isFaulted`; `hasStuckUpdate`: `stuckUpdates` contains it; `publicOnly`: public chargers at published locations.
 */
export interface ChargerFilter {
  search?: string | undefined;
  status?: string | undefined;
  states?: readonly ChargerState[] | undefined;
  modelUuid?: string | undefined;
  firmwareVersion?: string | undefined;
  ocppVersion?: string | undefined;
  isOnline?: boolean | undefined;
  hasAlert?: boolean | undefined;
  hasFault?: boolean | undefined;
  hasStuckUpdate?: boolean | undefined;
  locationUuid?: string | undefined;
  isPublic?: boolean | undefined;
  publicOnly?: boolean | undefined;
  /** Only these chargers. */
  uuids?: readonly string[] | undefined;
}

/** The rule of `effectiveStatus` in `shared/domain/fleet/charger.ts`, of a charger `c`. */
const effectiveStatus = (sql: Queryable) => sql`
  case when c.status = ${unknownStatus} or ${isOnline(sql)} then c.status else 'Unavailable' end`;

const statuses = Object.keys(stateByStatus);
const rankOf = (state: ChargerState) => chargerStates.indexOf(state) + 1;
const ranksOfStatuses = Object.values(stateByStatus).map(rankOf);

/**
 * The rule of `chargerStateOf` in `shared/domain/fleet/charger-state.ts`, of a charger `c`, as the position of the state in
 * `chargerStates`, from 1.
 */
export const chargerStateRank = (sql: Queryable) => sql`
  case when c.status = ${unknownStatus} then ${rankOf('unknown')}::integer
    when not ${isOnline(sql)} then ${rankOf('offline')}::integer
    else coalesce((${ranksOfStatuses}::integer[])[array_position(${statuses}::text[], lower(c.status))],
      ${rankOf('unknown')}::integer) end`;

/** Alerts of a charger `c` that are not resolved. */
export const openAlerts = (sql: Queryable) => sql`
  alerts a where a.charger_id = c.id and a.status <> 'resolved'`;

/** Condition that a charger `c` is online and reports a fault, of itself or of a connector. */
export const isFaulted = (sql: Queryable) => sql`
  (${isOnline(sql)} and (c.station_status = 'Faulted' or c.id in (
    select charger_id from connectors where status = 'Faulted' and deleted_at is null)))`;

/** Days after which a failed update is no longer reported. */
const failedForDays = 30;

/** Hours without progress after which an update is stuck. */
const stuckAfterHours = 1;

/** Newest firmware updates of chargers that failed, or have not progressed for an hour since they were due: `u`. */
export const stuckUpdates = (sql: Queryable) => sql`
  firmware_updates u where u.kind = 'Update' and u.outcome is distinct from 'succeeded'
    and case when u.outcome = 'failed' then u.closed_at > now() - make_interval(days => ${failedForDays})
      else greatest(u.status_at, u.retrieve_at, u.install_at) < now() - make_interval(hours => ${stuckAfterHours}) end
    and not exists (
      select from firmware_updates later
      where later.charger_id = u.charger_id and later.kind = 'Update' and later.id > u.id)`;

/** Tables that `chargersMatching` names. */
export const filteredTables = (sql: Queryable) => sql`
  chargers c left join locations l on l.id = c.location_id left join charger_models m on m.id = c.model_id`;

/** Keys of the chargers that have a part of a name: from the index `chargers_searched`, and of the locations. */
const isNamed = (sql: Queryable, search: string) => sql`
  (c.id in (
    select id from chargers
    where deleted_at is null and uid || ' ' || serial_number || ' ' || evse_id ilike ${containing(search)}
    union all
    select o.id from chargers o join locations p on p.id = o.location_id where p.name ilike ${containing(search)})
  or ${hasEvseId(sql, search)})`;

/** Condition of the chargers in scope that a filter selects, over `filteredTables`. */
export function chargersMatching(sql: Queryable, scope: NetworkScope, filter: ChargerFilter) {
  const { search, status, states, locationUuid, modelUuid, firmwareVersion, ocppVersion, isPublic } = filter;
  const { hasAlert, hasFault, hasStuckUpdate, uuids } = filter;
  return sql`
    c.deleted_at is null and ${inScope(sql, 'c.network_id', scope)}
    ${uuids === undefined ? sql`` : sql`and c.uuid = any(${[...uuids]}::uuid[])`}
    ${search === undefined ? sql`` : sql`and ${isNamed(sql, search)}`}
    ${status === undefined ? sql`` : sql`and lower(${effectiveStatus(sql)}) = lower(${status})`}
    ${states === undefined ? sql`` : sql`and ${chargerStateRank(sql)} = any(${states.map(rankOf)}::integer[])`}
    ${locationUuid === undefined ? sql`` : sql`and l.uuid = ${locationUuid}`}
    ${modelUuid === undefined ? sql`` : sql`and m.uuid = ${modelUuid}`}
    ${firmwareVersion === undefined ? sql`` : sql`and c.firmware_version = ${firmwareVersion}`}
    ${ocppVersion === undefined ? sql`` : sql`and c.ocpp_version = ${ocppVersion}`}
    ${isPublic === undefined ? sql`` : sql`and c.is_public = ${isPublic}`}
    ${filter.isOnline === undefined ? sql`` : sql`and ${isOnline(sql)} = ${filter.isOnline}`}
    ${hasAlert === undefined ? sql`` : sql`and exists (select from ${openAlerts(sql)}) = ${hasAlert}`}
    ${hasFault === undefined ? sql`` : sql`and ${isFaulted(sql)} = ${hasFault}`}
    ${hasStuckUpdate === undefined ? sql`` : sql`and (c.id in (select u.charger_id from ${stuckUpdates(sql)})) = ${hasStuckUpdate}`}
    ${filter.publicOnly === true ? sql`and c.is_public and l.is_published` : sql``}`;
}
