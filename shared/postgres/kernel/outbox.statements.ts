import type { PublicEventType } from '#shared/domain/events/event-types.ts';
import { type EventType, eventsOfReader, type OutboxReader } from '#shared/domain/kernel/outbox.ts';
import type { Fragment, Queryable, Sql, Transaction } from './client.ts';

/** Held while positions are assigned, so that they become visible in their order. The number means nothing beyond being ours. */
const positionLock = 7_140_900_030;

/** Events that get their positions in one transaction. */
const positionsAtOnce = 10_000;

/**
 * Ends the transaction of a process that freezes while it holds a lock of the readers: without it the readers of all
 * processes wait until PostgreSQL notices the lost connection.
 */
export const guardAgainstFreeze = (transaction: Transaction) =>
  transaction`select set_config('idle_in_transaction_session_timeout', '30s', true)`;

/**
 * Assigns positions to the committed events that have none, in the order of writing. One process does so at a time, and each
 * transaction ends before the next begins. So no event appears before a position that a reader has passed, however long the
 * transaction of the event was open. See docs/adr/0041-outbox-and-public-events.md.
 */
export async function assignPositions(sql: Sql, stopping = AbortSignal.any([])): Promise<void> {
  while ((await assignSomePositions(sql)) === positionsAtOnce && !stopping.aborted);
}

/** Assigns positions to at most 10,000 events, which readers then see; returns their number. See `assignPositions`. */
export async function assignSomePositions(sql: Sql): Promise<number> {
  const [found] = await sql<{ isAny: boolean }[]>`
    select exists (select from outbox where position is null) as "isAny"`;
  if (found?.isAny !== true) return 0;
  return sql.begin(async (transaction) => {
    await guardAgainstFreeze(transaction);
    const [lock] = await transaction<{ isMine: boolean }[]>`
      select pg_try_advisory_xact_lock(${positionLock}) as "isMine"`;
    if (lock?.isMine !== true) return 0;
    // A statement of its own: it sees the commits of the process that held the lock before. Rows are found by their address: with
    // stale statistics a join by id compares every event of a burst with every one that is assigned.
    const { count } = await transaction`
      with assigned as materialized (
        select address, nextval('outbox_position') as position
        from (select ctid as address from outbox where position is null order by id limit ${positionsAtOnce}) unassigned
      )
      update outbox o set position = a.position from assigned a where o.ctid = a.address`;
    return count;
  });
}

/** Part of the outbox that a reader takes in its transaction: the events after one position, up to another. */
export interface EventRange {
  reader: OutboxReader;
  after: bigint;
  upTo: bigint;
  /** Number of events in it that the reader takes. */
  count: number;
}

/**
 * Returns the next range of a reader with at most `limit` events; null while another process reads. The reader's row is locked until
 * the transaction ends. `advanceReader` moves the reader on in the same transaction.
 */
export async function claimEvents(
  transaction: Transaction,
  reader: OutboxReader,
  limit: number,
): Promise<EventRange | null> {
  const [row] = await transaction<{ position: bigint }[]>`
    select position from outbox_readers where name = ${reader} for update skip locked`;
  return row === undefined ? null : nextRange(transaction, reader, row.position, limit);
}

/** Returns the range that follows a position, whose reader is locked. */
export async function nextRange(
  transaction: Transaction,
  reader: OutboxReader,
  after: bigint,
  limit: number,
): Promise<EventRange> {
  const [range] = await transaction<{ upTo: bigint; count: number }[]>`
    select count(*)::integer as count, case when count(*) = ${limit} then max(position)
      else coalesce((select max(position) from outbox), ${String(after)}::bigint) end as "upTo"
    from (
      select position from outbox
      where position > ${String(after)}::bigint and type = any(${[...eventsOfReader[reader]]}::text[])
      order by position limit ${limit}
    ) next`;
  if (range === undefined) throw new Error('counting events returned no row');
  return { reader, after, ...range };
}

/** Returns the position up to which a reader has read. */
export async function readerPosition(sql: Sql, reader: OutboxReader): Promise<bigint> {
  const [row] = await sql<{ position: bigint }[]>`select position from outbox_readers where name = ${reader}`;
  if (row === undefined) throw new Error(`the outbox has no reader ${reader}`);
  return row.position;
}

/** Lets a reader read the events after a position again. */
export async function rewindReader(sql: Sql, reader: OutboxReader, position: bigint): Promise<void> {
  await sql`
    update outbox_readers set position = least(position, ${String(position)}::bigint) where name = ${reader}`;
}

/** Moves a reader to the end of its range. */
export async function advanceReader(
  transaction: Transaction,
  { reader, after, upTo }: EventRange,
): Promise<void> {
  if (upTo === after) return;
  await transaction`update outbox_readers set position = ${String(upTo)}::bigint where name = ${reader}`;
}

/** The condition that a row of `outbox` belongs to a range. */
export function inRange(sql: Queryable, { reader, after, upTo }: EventRange): Fragment {
  return sql`
    position > ${String(after)}::bigint and position <= ${String(upTo)}::bigint
      and type = any(${[...eventsOfReader[reader]]}::text[])`;
}

/** The condition that a reader has events to read, with a position or still without one. */
export const hasEvents = (sql: Queryable, reader: OutboxReader): Fragment => sql`
  (exists (select from outbox where position is null)
    or (select position from outbox_readers where name = ${reader}) < coalesce((select max(position) from outbox), 0))`;

/** Time of the oldest event that a reader has not passed, with a position or still without one, or null. */
export const oldestUnread = (sql: Queryable, reader: OutboxReader): Fragment => sql`
  least((select occurred_at from outbox where position is null order by id limit 1),
    (select occurred_at from outbox where position > (select position from outbox_readers where name = ${reader})
      order by position limit 1))`;

/** Returns true when events follow the position of a reader: an idle reader needs no transaction. */
export async function hasUnread(sql: Sql, reader: OutboxReader): Promise<boolean> {
  const [row] = await sql<{ isBehind: boolean }[]>`
    select position < coalesce((select max(position) from outbox), 0) as "isBehind"
    from outbox_readers where name = ${reader}`;
  return row?.isBehind === true;
}

/**
 * Reads what a reader has not read yet, at most `limit` events in a transaction. `take` stores what follows from a range in the
 * same transaction. Ends after a transaction once `stopping` is aborted.
 */
export async function readEvents(
  sql: Sql,
  reader: OutboxReader,
  limit: number,
  take: (transaction: Transaction, range: EventRange) => Promise<unknown>,
  stopping = AbortSignal.any([]),
): Promise<void> {
  await assignPositions(sql, stopping);
  if (!(await hasUnread(sql, reader))) return;
  let count: number;
  do {
    count = await sql.begin(async (transaction) => {
      await guardAgainstFreeze(transaction);
      const range = await claimEvents(transaction, reader, limit);
      if (range === null) return 0;
      if (range.count > 0) await take(transaction, range);
      await advanceReader(transaction, range);
      return range.count;
    });
  } while (count === limit && !stopping.aborted);
}

/**
 * Deletes up to `limit` events that every reader has passed and that are older than `days`. Returns their number.
 * @param kept position after which events are kept in any case; null: none.
 */
export async function removeOldOutbox(
  sql: Sql,
  days: number,
  limit: number,
  kept: bigint | null = null,
): Promise<number> {
  const [removed] = await sql<{ count: number }[]>`
    with removed as (
      delete from outbox where position in (
        select position from outbox
        where position <= least((select min(position) from outbox_readers), ${kept === null ? null : String(kept)}::bigint)
          and occurred_at < now() - make_interval(days => ${days})
          -- Positions follow times within seconds: the scan ends at the first event that is kept.
          and position < coalesce((select position from outbox where position is not null
            and occurred_at >= now() - make_interval(days => ${days}) order by position limit 1), 9223372036854775807)
        order by position limit ${limit})
      returning position
    ), counted as (
      select count(*)::integer as count, max(position) as up_to from removed
    ), noted as (
      update outbox_retention set removed_up_to = greatest(removed_up_to, up_to) from counted where count > 0
    )
    select count from counted`;
  return removed?.count ?? 0;
}

/** Event to be written, in the transaction of the change that it reports. */
export interface NewEvent {
  type: PublicEventType | EventType;
  /** Null: an event of the whole system. */
  networkId: number | null;
  /** Internal id of the subject. */
  subjectId: number | bigint;
  /** Its uuid: the event is public. Null: only for the product's own readers. */
  subjectUuid: string | null;
  /** Charger that the event concerns. */
  chargerId?: number | null;
  data?: Record<string, unknown>;
}

/** Writes events of a transaction in one statement, in their order. */
export async function recordEvents(transaction: Queryable, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ subjectId, chargerId = null, data = {}, ...event }) => ({
    ...event,
    subjectId: String(subjectId),
    chargerId,
    data,
  }));
  await transaction`
    insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
    select "networkId", type, "subjectId", "subjectUuid", "chargerId", data
    from rows from (jsonb_to_recordset(${transaction.json(rows as never)}) as ("networkId" integer, type text,
      "subjectId" bigint, "subjectUuid" uuid, "chargerId" integer, data jsonb)) with ordinality
    order by ordinality`;
}
