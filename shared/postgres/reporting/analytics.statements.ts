import type { IdleTime } from '#shared/domain/charging/idle.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import type { SessionSums } from '#shared/domain/charging/session-sums.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Fragment, Queryable, Sql } from '#shared/postgres/kernel/client.ts';
import { isOnline } from '#shared/postgres/fleet/connections.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** Network that analytics are computed for. */
export interface AnalyzedNetwork {
  id: number;
  uuid: string;
  /** ISO 4217. */
  currency: string;
  /** IANA name. */
  timeZone: string;
}

/** The networks in scope, oldest first. */
export async function listAnalyzedNetworks(sql: Queryable, scope: NetworkScope): Promise<AnalyzedNetwork[]> {
  return sql<AnalyzedNetwork[]>`
    select id, uuid, currency, time_zone as "timeZone" from networks
    where deleted_at is null and ${inScope(sql, 'id', scope)} order by id`;
}

/** Current chargers of a network. One that is not online is offline, whatever its status is. */
export interface ChargerCounts {
  networkId: number;
  total: number;
  /** Online, and free to charge. */
  available: number;
  /** Online and charging. */
  charging: number;
  offline: number;
}

/** Counts the chargers of these networks; those without chargers are left out. */
export async function countChargers(sql: Sql, networkIds: readonly number[]): Promise<ChargerCounts[]> {
  return sql<ChargerCounts[]>`
    select network_id as "networkId", count(*)::integer as total,
      (count(*) filter (where online and lower(status) = 'available'))::integer as available,
      (count(*) filter (where online and lower(status) = 'charging'))::integer as charging,
      (count(*) filter (where not online))::integer as offline
    from (
      select c.network_id, c.status, ${isOnline(sql)} as online
      from chargers c where c.network_id = any(${[...networkIds]}::integer[]) and c.deleted_at is null
    ) chargers
    group by network_id`;
}

/** The connectors that a network had within a window. */
export interface ConnectorLives {
  networkId: number;
  /** Number present during the whole window. */
  throughout: number;
  /** Presence of the others: ms since 1970, cut to the window. */
  others: Interval[];
}

/** The connectors of these networks that existed within a window; a charger takes its connectors with it. */
export async function listConnectorLives(
  sql: Sql,
  networkIds: readonly number[],
  { from, to }: Interval,
  chargerIds: readonly number[] | null = null,
): Promise<ConnectorLives[]> {
  return sql<ConnectorLives[]>`
    select network_id as "networkId", (count(*) filter (where since <= ${from} and until >= ${to}))::integer as throughout,
      coalesce(
        json_agg(json_build_object('from', since, 'to', until)) filter (where since > ${from} or until < ${to}),
        '[]') as others
    from (
      select c.network_id, greatest(floor(extract(epoch from
          -- The history of a charger that was registered late begins with its first session.
          case when k.created_at > to_timestamp(${from / 1000}) then least(k.created_at, (
            select s.started_at from sessions s where s.connector_id = k.id and s.status = 'COMPLETED'
            order by s.ended_at limit 1)) else k.created_at end) * 1000), ${from})::float8 as since,
        least(floor(extract(epoch from least(k.deleted_at, c.deleted_at)) * 1000), ${to})::float8 as until
      from connectors k join chargers c on c.id = k.charger_id
      where c.network_id = any(${[...networkIds]}::integer[]) ${atChargers(sql, 'c.id', chargerIds)}
    ) lives
    where since < until
    group by network_id`;
}

function atChargers(sql: Sql, column: string, chargerIds: readonly number[] | null): Fragment {
  return chargerIds === null ? sql`` : sql`and ${sql(column)} = any(${[...chargerIds]}::integer[])`;
}

/** A session that runs, or one that ended at the same connector since it began. */
export interface OverlappingSession extends IdleTime {
  networkId: number;
  connectorId: number;
  startedAt: Date;
  /** Null while it runs. */
  endedAt: Date | null;
}

/** The sessions that run in these networks, with those that ended at their connectors meanwhile. */
export async function listRunningAndOverlapping(
  sql: Sql,
  networkIds: readonly number[],
  chargerIds: readonly number[] | null = null,
): Promise<OverlappingSession[]> {
  const columns = sql`
    s.network_id as "networkId", s.connector_id as "connectorId", s.started_at as "startedAt",
    s.idle_periods as "idlePeriods", s.idle_started_at as "idleStartedAt", s.idle_cause as "idleCause"`;
  return sql<OverlappingSession[]>`
    with running as materialized (
      select * from sessions
      where network_id = any(${[...networkIds]}::integer[]) and status in ('ACTIVE', 'STOPPING')
        ${atChargers(sql, 'charger_id', chargerIds)}
    ), first as (
      select connector_id, min(started_at) as started_at from running group by connector_id
    )
    select ${columns}, null::timestamptz as "endedAt" from running s
    union all
    select ${columns}, s.ended_at as "endedAt"
    from first join sessions s on s.connector_id = first.connector_id and s.ended_at > first.started_at
      and s.status = 'COMPLETED' and s.network_id = any(${[...networkIds]}::integer[])`;
}

/** Energy of a running session, as of the last time that it was reported. */
interface RunningEnergy extends IdleTime {
  startedAt: Date;
  liveAt: Date;
  energyWh: number;
}

/** Returns the energy of the sessions that run in these networks. */
export function listRunningEnergy(sql: Sql, networkIds: readonly number[]): Promise<RunningEnergy[]> {
  return sql<RunningEnergy[]>`
    select started_at as "startedAt", live_at as "liveAt", energy_wh as "energyWh", idle_periods as "idlePeriods",
      idle_started_at as "idleStartedAt", idle_cause as "idleCause"
    from sessions
    where network_id = any(${[...networkIds]}::integer[]) and status in ('ACTIVE', 'STOPPING') and live_at is not null
      and energy_wh > 0`;
}

/**
 * Sums the sessions of one driver in these networks that ended in the buckets, by network, currency and bucket: few
 * enough to be counted one by one. The buckets follow one another without gaps.
 */
export async function sumDriverSessions(
  sql: Sql,
  userId: number,
  networkIds: readonly number[],
  buckets: readonly Interval[],
): Promise<SessionSums[]> {
  const first = buckets[0];
  const last = buckets.at(-1);
  if (first === undefined || last === undefined) return [];
  const starts = buckets.map(({ from }) => new Date(from).toISOString());
  return sql<SessionSums[]>`
    select network_id as "networkId", currency,
      width_bucket(ended_at, ${starts}::timestamptz[]) - 1 as bucket, count(*)::integer as sessions,
      count(cost)::integer as "pricedSessions",
      sum(greatest(extract(epoch from date_trunc('milliseconds', ended_at) - date_trunc('milliseconds', started_at)), 0)
        * 1000)::float8 as "durationMs",
      sum(floor(energy_wh * 1000 + 0.5)) as "energyMilliWh",
      coalesce(sum((cost ->> 'totalExclVatMinor')::bigint), 0)::bigint as "costExclVatMinor",
      coalesce(sum((cost ->> 'totalInclVatMinor')::bigint), 0)::bigint as "costInclVatMinor"
    from sessions
    where user_id = ${userId} and network_id = any(${[...networkIds]}::integer[]) and status = 'COMPLETED'
      and price_state <> 'REVIEW' and ended_at >= ${new Date(first.from)} and ended_at < ${new Date(last.to)}
    group by network_id, currency, bucket`;
}
