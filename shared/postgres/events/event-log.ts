import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { EventFilter, PublicEvent } from '#shared/domain/events/event-types.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** Part of a page of events. */
export interface EventPage {
  events: PublicEvent[];
  /** Position up to which the log was read: the next page begins after it. */
  upTo: bigint;
  /** True when events that the filter may take follow. */
  hasMore: boolean;
}

/** Number of events that one page looks at: a filter that takes few of them costs no more. */
const lookedAt = 10_000;

/** The session of an event `o`: its subject, or the one that its data names. No session exists when one is requested. */
const sessionOf = (sql: Queryable) => sql`
  (case when o.type like 'session.%' and o.type <> 'session.requested' then o.subject_uuid else (o.data ->> 'sessionId')::uuid end)`;

/** The location of an event `o`: its subject, the one that its data names, or the present one of its charger `c`. */
const locationOf = (sql: Queryable) => sql`
  (case when o.type like 'location.%' then o.subject_uuid else coalesce((o.data ->> 'locationId')::uuid, l.uuid) end)`;

/** Returns true when a filter leaves events out. */
function isFilter({ types, chargerUuid, locationUuid, sessionUuid }: EventFilter): boolean {
  const uuids = [chargerUuid, locationUuid, sessionUuid];
  return (types?.length ?? 0) > 0 || uuids.some((uuid) => uuid !== undefined);
}

/** The common table expressions of the events of `next`, and of those among them that the filter takes: `matching`. */
const matching = (sql: Queryable, { types, chargerUuid, locationUuid, sessionUuid }: EventFilter) => sql`
  resolved as (
      select o.id, o.position, o.type, o.network_id as "networkId", n.uuid as "networkUuid",
        o.subject_uuid as "subjectUuid", c.uuid as "chargerUuid", c.uid as "chargerUid", ${locationOf(sql)} as "locationUuid",
        ${sessionOf(sql)} as "sessionUuid", o.data, o.occurred_at as "occurredAt"
      from next o
      left join networks n on n.id = o.network_id
      left join chargers c on c.id = o.charger_id
      left join locations l on l.id = c.location_id
    ), matching as (
      select * from resolved
      where true
        ${types === undefined || types.length === 0 ? sql`` : sql`and type = any(${[...types]}::text[])`}
        ${chargerUuid === undefined ? sql`` : sql`and "chargerUuid" = ${chargerUuid}`}
        ${locationUuid === undefined ? sql`` : sql`and "locationUuid" = ${locationUuid}`}
        ${sessionUuid === undefined ? sql`` : sql`and "sessionUuid" = ${sessionUuid}`}
    )`;

/**
 * Returns the public events in scope after a position, in the order of positions: at most `limit`, and only those that the filter
 * takes among the next 10,000. A page may hold none although more follow.
 */
export async function readEventLog(
  sql: Queryable,
  scope: NetworkScope,
  filter: EventFilter,
  after: bigint,
  limit: number,
): Promise<EventPage> {
  const rows = await sql<(PublicEvent & { isTaken: boolean })[]>`
    with next as materialized (
      select * from outbox
      where ${inScope(sql, 'network_id', scope)} and subject_uuid is not null and position > ${String(after)}::bigint
      order by position limit ${isFilter(filter) ? lookedAt : limit}
    ), ${matching(sql, filter)},
    taken as (
      select *, true as "isTaken" from matching order by position limit ${limit}
    ), last as (
      select *, false as "isTaken" from resolved order by position desc limit 1
    )
    select * from taken union all select * from last order by position`;
  // The last row that was looked at comes with those that were taken.
  const events: PublicEvent[] = rows.filter(({ isTaken }) => isTaken);
  const end = rows.at(-1)?.position ?? after;
  const isFull = events.length === limit;
  const upTo = isFull ? (events.at(-1)?.position ?? end) : end;
  return { events, upTo, hasMore: upTo < end || (await followsAny(sql, scope, upTo)) };
}

/**
 * Returns the position before the newest `count` public events in scope that the filter takes, of the newest 10,000, or
 * null.
 */
export async function positionBeforeLast(
  sql: Queryable,
  scope: NetworkScope,
  filter: EventFilter,
  count: number,
): Promise<bigint | null> {
  const [row] = await sql<{ position: bigint | null }[]>`
    with next as materialized (
      select * from outbox
      where ${inScope(sql, 'network_id', scope)} and subject_uuid is not null and position is not null
      order by position desc limit ${isFilter(filter) ? lookedAt : count}
    ), ${matching(sql, filter)}
    select min(position) - 1 as position
    from (select position from matching order by position desc limit ${count}) newest`;
  return row?.position ?? null;
}

/** Not with `exists`: PostgreSQL expects to find an event soon in the table, and reads all of it at the end of the log. */
async function followsAny(sql: Queryable, scope: NetworkScope, position: bigint): Promise<boolean> {
  const [row] = await sql<{ isAny: boolean }[]>`
    select (
      select position from outbox
      where ${inScope(sql, 'network_id', scope)} and subject_uuid is not null and position > ${String(position)}::bigint
      order by position limit 1
    ) is not null as "isAny"`;
  return row?.isAny === true;
}

/** Returns the position of the newest event, 0 without one: where a reader begins that wants new events only. */
export async function newestPosition(sql: Queryable): Promise<bigint> {
  const [row] = await sql<{ position: bigint }[]>`select coalesce(max(position), 0) as position from outbox`;
  return row?.position ?? 0n;
}
