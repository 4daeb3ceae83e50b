import type { Fragment, Sql } from './client.ts';

/**
 * Evaluates conditions in one statement and returns their values in order. Each condition is a boolean expression that an index
 * answers, so that a search that finds nothing costs little.
 */
export async function findDue(sql: Sql, conditions: readonly Fragment[]): Promise<boolean[]> {
  if (conditions.length === 0) return [];
  const [row] = await sql<{ due: boolean[] }[]>`select array[${listOf(sql, conditions)}]::boolean[] as due`;
  return row?.due ?? [];
}

/** Evaluates expressions of times in one statement, and returns the seconds since each of them in order; 0: it is null. */
export async function secondsSince(sql: Sql, times: readonly Fragment[]): Promise<number[]> {
  const ages = times.map(
    (time) => sql`greatest(0, coalesce(extract(epoch from clock_timestamp() - ${time}), 0))`,
  );
  const [row] = await sql<
    { ages: number[] }[]
  >`select array[${listOf(sql, ages)}]::double precision[] as ages`;
  return row?.ages ?? [];
}

function listOf(sql: Sql, items: readonly Fragment[]): Fragment {
  return items.reduce((before, item) => sql`${before}, ${item}`);
}
