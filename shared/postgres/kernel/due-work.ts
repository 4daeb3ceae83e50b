import type { Fragment, Sql } from './client.ts';

/**
 * Evaluates conditions in one statement and returns their values in order. Each condition is a boolean expression that an index
 * answers, so that a search that finds nothing costs little.
 */
export async function findDue(sql: Sql, conditions: readonly Fragment[]): Promise<boolean[]> {
  const [first, ...others] = conditions;
  if (first === undefined) return [];
  const list = others.reduce((before, condition) => sql`${before}, ${condition}`, first);
  const [row] = await sql<{ due: boolean[] }[]>`select array[${list}]::boolean[] as due`;
  return row?.due ?? [];
}
