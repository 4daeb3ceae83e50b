import type { Interval } from '#shared/domain/kernel/intervals.ts';

/** Maximum query size for statements that contain the start of every requested day. */
export const longStatement = { max_query_size: String(4 * 1024 * 1024) } as const;

/** The tables' versions of a row are all in one partition. Small reads side by side are faster on a thread each. */
export const analyticsSettings = {
  do_not_merge_across_partitions_select_final: 1,
  max_threads: 1,
  ...longStatement,
} as const;

/**
 * The last of some times, in seconds, that is not after a column's. Written out, since a parameter would not fit into a
 * URL, and as text, which is faster to read than hundreds of numbers.
 */
export function startOf(column: string, times: readonly number[]): string {
  return `roundDown(${column}, cast('[${times.join()}]', 'Array(UInt32)'))`;
}

/** The condition that a column's time is within one of some times. */
export function within(column: string, times: readonly Interval[]): string {
  const each = times.map(({ from, to }) => `${column} >= ${instant(from)} and ${column} < ${instant(to)}`);
  return `(${each.join(' or ')})`;
}

/** A literal of ms since 1970. */
export function instant(time: number): string {
  return `fromUnixTimestamp64Milli(${time}, 'UTC')`;
}
