import type { Fragment, Queryable, Sql } from './client.ts';

/** Schedules the first runs of jobs `everyMs` from now, unless they are scheduled. */
export async function scheduleRuns(sql: Sql, names: readonly string[], everyMs: number): Promise<void> {
  await sql`
    insert into periodic_runs (name, due_at) select name, now() + ${everyMs} * interval '1 ms' from unnest(${names}::text[]) as name
    on conflict do nothing`;
}

/** Condition that a run of one of these jobs is due. */
export const areRunsDue = (sql: Sql, names: readonly string[]): Fragment =>
  sql`exists (select from periodic_runs where name = any(${names}::text[]) and due_at <= now())`;

/** Takes the runs that are due, and schedules the next ones `everyMs` from now. Returns each run to one process. */
export async function takeDueRuns(sql: Sql, names: readonly string[], everyMs: number): Promise<string[]> {
  const due = await sql<{ name: string }[]>`
    update periodic_runs set due_at = now() + ${everyMs} * interval '1 ms'
    where name = any(${names}::text[]) and due_at <= now() returning name`;
  return due.map(({ name }) => name);
}

/** Stores that a run succeeded. */
export async function recordSuccess(sql: Sql, name: string): Promise<void> {
  await sql`update periodic_runs set succeeded_at = now() where name = ${name}`;
}

/** Time since the latest success of a job, or since its scheduling before the first one. */
export interface RunAge {
  name: string;
  ageSeconds: number;
}

/** Reads how long ago each job succeeded. */
export function readRunAges(sql: Queryable): Promise<RunAge[]> {
  return sql<RunAge[]>`
    select name, extract(epoch from now() - succeeded_at)::double precision as "ageSeconds" from periodic_runs`;
}
