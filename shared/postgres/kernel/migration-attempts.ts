import { setTimeout as wait } from 'node:timers/promises';
import type { Queryable, Sql } from './client.ts';
import { type Blocker, describeBlockers, LockRefused, watchBlockers } from './migration-blockers.ts';
import { concurrentIndex } from './migration-file.ts';

/** Times of the attempts to apply a migration. */
export interface MigrationTiming {
  /** Time for which a statement waits for a lock: what comes after it waits as well. */
  lockTimeoutMs: number;
  /** Pauses after the attempts that got no lock. There is one attempt more. */
  pausesMs: readonly number[];
  /** Interval between looks for the sessions that hold a lock. */
  lookMs: number;
  /** Minimum interval between reports of a build that waits for old transactions. */
  reportMs: number;
}

/** Nine attempts within about five minutes. The pauses grow, so that the system recovers from one before the next. */
export const migrationTiming: MigrationTiming = {
  lockTimeoutMs: 3000,
  pausesMs: [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000],
  lookMs: 1000,
  reportMs: 60_000,
};

/** State of a migration that other sessions hold back. */
export interface BlockedMigration {
  migration: string;
  attempt: number;
  blockers: readonly Blocker[];
  /** Time until the next attempt. Null: this one goes on, and others can read and write meanwhile. */
  retryInMs: number | null;
}

/** Migration to be applied. */
interface Migration {
  name: string;
  text: string;
}

/** Connections of a migration: those of a pool, and one that holds the lock of all migrations. */
interface MigrationConnections {
  sql: Sql;
  held: Sql;
}

/**
 * Applies a migration and records it. An attempt that gets no lock is repeated after a pause, in which others get their turn.
 * @throws {Error} naming the sessions that held the locks, after the last attempt.
 */
export async function applyMigration(
  connections: MigrationConnections,
  migration: Migration,
  timing: MigrationTiming,
  onBlocked: (blocked: BlockedMigration) => void,
): Promise<void> {
  const { name } = migration;
  const index = concurrentIndex(name, migration.text);
  for (let attempt = 1; ; attempt += 1) {
    const report = (blockers: readonly Blocker[], retryInMs: number | null): void =>
      onBlocked({ migration: name, attempt, blockers, retryInMs });
    try {
      if (index === null) await applyInTransaction(connections, migration, timing);
      else await buildIndex(connections, migration, index, timing, (blockers) => report(blockers, null));
      return;
    } catch (error) {
      if (!(error instanceof LockRefused)) throw error;
      const retryInMs = timing.pausesMs[attempt - 1];
      if (retryInMs === undefined) throw noLock(name, attempt, error);
      report(error.blockers, retryInMs);
      await wait(retryInMs);
    }
  }
}

function noLock(name: string, attempts: number, { blockers, cause }: LockRefused): Error {
  return new Error(
    `The migration ${name} did not get its locks in ${attempts} attempts. ${describeBlockers(blockers)} ` +
      'End these transactions and start again.',
    { cause },
  );
}

/** Runs a migration and records it in the same transaction, so that its locks end with it while the previous version runs. */
async function applyInTransaction(
  { sql, held }: MigrationConnections,
  { name, text }: Migration,
  { lockTimeoutMs, lookMs }: MigrationTiming,
): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`;
    await watchBlockers(await backendOf(transaction), { sql: held, everyMs: lookMs }, async () => {
      await transaction.unsafe(text);
      await transaction`insert into schema_migrations (name) values (${name})`;
    });
  });
}

/**
 * Builds an index while others write to its table, and records the migration. The build waits for transactions that are older, for
 * any time: it blocks no other statement. It runs on the connection of the lock, so that no other process begins one alongside it.
 */
async function buildIndex(
  { sql, held }: MigrationConnections,
  { name, text }: Migration,
  index: string,
  { lookMs, reportMs }: MigrationTiming,
  onBlocked: (blockers: readonly Blocker[]) => void,
): Promise<void> {
  await held`select set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false)`;
  let reportedAt = Number.NEGATIVE_INFINITY;
  const onSeen = (blockers: readonly Blocker[]): void => {
    if (performance.now() - reportedAt < reportMs) return;
    reportedAt = performance.now();
    onBlocked(blockers);
  };
  await watchBlockers(await backendOf(held), { sql, everyMs: lookMs, onSeen }, async () => {
    // An interrupted build leaves an index that every write maintains and no read uses.
    const left = await held`select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`;
    if (left.length > 0) await held.unsafe(`drop index concurrently if exists ${index}`);
    await held.unsafe(text);
    await held`insert into schema_migrations (name) values (${name})`;
  });
}

async function backendOf(sql: Queryable): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  if (row === undefined) throw new Error('the server returned no process id');
  return row.pid;
}
