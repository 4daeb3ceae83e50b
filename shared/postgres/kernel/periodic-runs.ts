import type { Fragment, Queryable, Sql } from './client.ts';

/** Work that one of the processes does every `every` ms. */
interface SharedRun {
  name: string;
  every: number;
}

/** Schedules the first runs an interval from now, unless they are scheduled. */
export async function scheduleRuns(sql: Sql, runs: readonly SharedRun[]): Promise<void> {
  await sql`
    insert into periodic_runs (name, due_at)
    select name, now() + every * interval '1 ms' from ${rowsOf(sql, runs)} on conflict do nothing`;
}

/** Condition that a run with one of these names is due. */
export const areRunsDue = (sql: Sql, names: readonly string[]): Fragment =>
  sql`exists (select from periodic_runs where name = any(${names}::text[]) and due_at <= now())`;

/** Takes the runs that are due, and schedules the next ones an interval from now. Returns each run to one process. */
export async function takeDueRuns(sql: Sql, runs: readonly SharedRun[]): Promise<string[]> {
  const due = await sql<{ name: string }[]>`
    update periodic_runs p set due_at = now() + r.every * interval '1 ms'
    from ${rowsOf(sql, runs)} where p.name = r.name and p.due_at <= now() returning p.name`;
  return due.map(({ name }) => name);
}

function rowsOf(sql: Sql, runs: readonly SharedRun[]): Fragment {
  const names = runs.map(({ name }) => name);
  const intervals = runs.map(({ every }) => every);
  return sql`unnest(${names}::text[], ${intervals}::double precision[]) as r (name, every)`;
}

/** Stores that a run succeeded. */
export async function recordSuccess(sql: Sql, name: string): Promise<void> {
  await sql`update periodic_runs set succeeded_at = now() where name = ${name}`;
}

/** Time since the latest success of a job, or since its scheduling before the first one. */
interface RunAge {
  name: string;
  ageSeconds: number;
}

/** Reads how long ago each job succeeded. */
export function readRunAges(sql: Queryable): Promise<RunAge[]> {
  return sql<RunAge[]>`
    select name, extract(epoch from now() - succeeded_at)::double precision as "ageSeconds" from periodic_runs`;
}
