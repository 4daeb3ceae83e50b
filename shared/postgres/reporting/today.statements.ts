import type { Interval } from '#shared/domain/kernel/intervals.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Sessions that run, as their live values are stored. */
export interface RunningSums {
  sessions: number;
  /** Those with a power that is at most 15 minutes old. */
  measured: number;
  /** Sum of these powers. */
  powerW: number;
  /** Time of the oldest and the newest of them; null: none. */
  oldestAt: Date | null;
  newestAt: Date | null;
}

/** Age from which a power is not counted: chargers report once in 15 minutes at least. */
const usableFor = '15 minutes';

/** Sums the running sessions of networks. */
export async function sumRunning(sql: Queryable, networkIds: readonly number[]): Promise<RunningSums> {
  const [row] = await sql<RunningSums[]>`
    select count(*)::integer as sessions, count(power)::integer as measured, coalesce(sum(power), 0)::float8 as "powerW",
      min(live_at) filter (where power is not null) as "oldestAt", max(live_at) filter (where power is not null) as "newestAt"
    from (
      select live_at, case when live_at > now() - ${usableFor}::interval then power_w end as power from sessions
      where network_id = any(${[...networkIds]}::integer[]) and status in ('ACTIVE', 'STOPPING')
    ) running`;
  if (row === undefined) throw new Error('a sum of running sessions returned no row');
  return row;
}

/** Counts the sessions of networks that ended in a window and whose price is in review. */
export async function countEndedInReview(
  sql: Queryable,
  networkIds: readonly number[],
  { from, to }: Interval,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from sessions
    where network_id = any(${[...networkIds]}::integer[]) and status = 'COMPLETED' and price_state = 'REVIEW'
      and ended_at >= ${new Date(from)} and ended_at < ${new Date(to)}`;
  return row?.count ?? 0;
}

/** Counts the sessions of networks that started in each bucket; the buckets follow one another without gaps. */
export async function countStarted(
  sql: Queryable,
  networkIds: readonly number[],
  buckets: readonly Interval[],
): Promise<number[]> {
  const [first] = buckets;
  const last = buckets.at(-1);
  if (first === undefined || last === undefined) return [];
  const starts = buckets.map(({ from }) => new Date(from).toISOString());
  const rows = await sql<{ bucket: number; sessions: number }[]>`
    select width_bucket(started_at, ${starts}::timestamptz[]) - 1 as bucket, count(*)::integer as sessions from sessions
    where network_id = any(${[...networkIds]}::integer[])
      and started_at >= ${new Date(first.from)} and started_at < ${new Date(last.to)}
    group by bucket`;
  const counts = buckets.map(() => 0);
  for (const { bucket, sessions } of rows) counts[bucket] = sessions;
  return counts;
}
