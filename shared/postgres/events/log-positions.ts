import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Ends of the log. */
export interface LogBounds {
  /** Position of the newest event with a position, also when it was deleted since. */
  newest: bigint;
  /** Position up to which events were deleted. A reader that stands before it may have missed some. */
  removedUpTo: bigint;
}

/** Returns the ends of the log. Events that have no position yet will get higher ones than `newest`. */
export async function readLogBounds(sql: Queryable): Promise<LogBounds> {
  const [row] = await sql<LogBounds[]>`
    select removed_up_to as "removedUpTo",
      greatest(removed_up_to, (select max(position) from outbox)) as newest
    from outbox_retention`;
  if (row === undefined) throw new Error('the retention of the outbox has no row');
  return row;
}

/** Returns true when events wait for a position, and the position of the newest event that has one. */
export async function lookForEvents(sql: Queryable): Promise<{ isAnyWaiting: boolean; newest: bigint }> {
  const [row] = await sql<{ isAnyWaiting: boolean; newest: bigint }[]>`
    select exists (select from outbox where position is null) as "isAnyWaiting",
      coalesce((select max(position) from outbox), 0) as newest`;
  return row ?? { isAnyWaiting: false, newest: 0n };
}

/**
 * Seconds by which the time of an event may be behind its neighbours' in the order of positions: an event gets its position after
 * its transaction, which takes no longer in requests and in the gateway.
 */
const disorderSeconds = 60;

/**
 * Returns a position before the events that occurred at a time or later. Positions follow times within the disorder, so a binary
 * search over the index of positions finds it, without an index of times.
 */
export async function positionBefore(sql: Queryable, time: Date): Promise<bigint> {
  const [row] = await sql<{ position: bigint }[]>`
    with recursive search as (
      select coalesce(min(o.position), r.removed_up_to + 1) as low, coalesce(max(o.position), r.removed_up_to) + 1 as high
      from outbox_retention r left join outbox o on o.position is not null group by r.removed_up_to
      union all
      select case when probe.is_earlier then probe.position + 1 else s.low end,
        case when probe.is_earlier then s.high else s.low + (s.high - s.low) / 2 end
      from search s
      left join lateral (
        select position, occurred_at < ${time}::timestamptz - make_interval(secs => ${disorderSeconds}) as is_earlier
        from outbox where position >= s.low + (s.high - s.low) / 2 order by position limit 1
      ) probe on true
      where s.low < s.high
    )
    select low - 1 as position from search where low >= high`;
  return row?.position ?? 0n;
}
