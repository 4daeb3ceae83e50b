import type { EvseStatus } from '#shared/domain/fleet/ocpi-evse.ts';
import type { OpeningTimes } from '#shared/domain/fleet/location.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import type { ExclusionCause } from '#shared/domain/reporting/availability/exclusion.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** EVSE that availability is measured for, with its present location. */
export interface MeasuredPort {
  networkUuid: string;
  chargerId: number;
  chargerUuid: string;
  chargerUid: string;
  number: number;
  /** Null: none. */
  evseId: string | null;
  locationId: number | null;
  locationUuid: string | null;
  locationName: string | null;
  city: string | null;
  /** IANA name of the location, or of the network without one. */
  timeZone: string;
  openingTimes: OpeningTimes | null;
  /** Highest power of its connectors in the period, or of the charger. Null: unknown. */
  powerW: number | null;
  /** Present setting of the charger. */
  isPublic: boolean;
  /** Status that people state now. Null: none. */
  statedStatus: EvseStatus | null;
  createdAt: Date;
  /** True: the latest report of a connector is older than the period. */
  reportedBefore: boolean;
  /** Deleted connectors, with the time in ms since 1970. */
  removedConnectors: { connector: number; at: number }[];
  /** Null: not removed. */
  removedAt: Date | null;
}

/** Returns the EVSEs that a network had in a period, by charger and number. */
export function listMeasuredPorts(
  sql: Queryable,
  networkId: number,
  { from, to }: Interval,
  { chargerUuid, locationUuid }: { chargerUuid?: string | undefined; locationUuid?: string | undefined },
): Promise<MeasuredPort[]> {
  return sql<MeasuredPort[]>`
    select * from (
      select n.uuid as "networkUuid", c.id as "chargerId", c.uuid as "chargerUuid", c.uid as "chargerUid", e.number,
        e.evse_id as "evseId", l.id as "locationId", l.uuid as "locationUuid", l.name as "locationName", l.city,
        coalesce(l.time_zone, n.time_zone) as "timeZone", l.opening_times as "openingTimes",
        coalesce(k.power_w, c.max_power_w) as "powerW", c.is_public as "isPublic", e.stated_status as "statedStatus",
        coalesce(k.created_at, c.created_at) as "createdAt", coalesce(k.has_reported, false) as "reportedBefore",
        coalesce(k.removed, '[]') as "removedConnectors",
        least(e.removed_at, c.deleted_at) as "removedAt"
      from evses e join chargers c on c.id = e.charger_id join networks n on n.id = c.network_id
        left join locations l on l.id = c.location_id
        left join lateral (
          select max(max_power_w) filter (where deleted_at is null or deleted_at > ${new Date(from)}) as power_w,
            min(created_at) as created_at, bool_or(status_at < ${new Date(from)}) as has_reported,
            json_agg(json_build_object('connector', evse_connector, 'at', floor(extract(epoch from deleted_at) * 1000)))
              filter (where deleted_at is not null) as removed
          from connectors where charger_id = c.id and evse_number = e.number
        ) k on true
      where c.network_id = ${networkId}
        ${chargerUuid === undefined ? sql`` : sql`and c.uuid = ${chargerUuid}`}
        ${locationUuid === undefined ? sql`` : sql`and l.uuid = ${locationUuid}`}
    ) ports
    where "createdAt" < ${new Date(to)} and ("removedAt" is null or "removedAt" > ${new Date(from)})
    order by "chargerId", number`;
}

/** Excluded time of all EVSEs of a location, or of all or one of a charger. */
export interface ExcludedPeriod {
  locationId: number | null;
  chargerId: number | null;
  evseNumber: number | null;
  cause: ExclusionCause;
  beginsAt: Date;
  endsAt: Date;
}

/** Returns the excluded times of a network that overlap a period, by their begin. */
export function listExcludedPeriods(
  sql: Queryable,
  networkId: number,
  { from, to }: Interval,
): Promise<ExcludedPeriod[]> {
  return sql<ExcludedPeriod[]>`
    select location_id as "locationId", charger_id as "chargerId", evse_number as "evseNumber", cause,
      begins_at as "beginsAt", ends_at as "endsAt"
    from availability_exclusions
    where network_id = ${networkId} and begins_at < ${new Date(to)} and ends_at > ${new Date(from)}
    order by begins_at, id`;
}
