import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from './client.ts';

/**
 * Locks for work that one process does at a time. The numbers mean nothing beyond being ours. Versions up to migration 0692 of
 * PostgreSQL migrate under 7_140_900_001, for which a process that restarts waits in a statement. The build of an index would wait for
 * the snapshot of that statement, so the number is another one since.
 */
const locks = {
  'postgres-migrations': 7_140_900_091,
  'clickhouse-migrations': 7_140_900_002,
};

type LockName = keyof typeof locks;

/** Interval in ms between two attempts to get a lock that another process has. */
const retryMs = 500;

/**
 * Runs `work` while no other process holds the lock. A connection of the pool holds it without a transaction: a process waits with
 * short statements, none of which holds back others. The lock ends with the statement that runs on `held`, also when the process
 * was killed before.
 * @param onWait is called once when another process holds the lock.
 */
export async function withLock(
  sql: Sql,
  name: LockName,
  work: (held: Sql) => Promise<void>,
  onWait: () => void = () => undefined,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const held = await sql.reserve();
    if (await isLocked(held, name)) {
      try {
        await work(held);
        return;
      } finally {
        if (await isUnlocked(held, name)) held.release();
      }
    }
    held.release();
    if (attempt === 1) onWait();
    await wait(retryMs);
  }
}

/** Tries to lock; returns false when another process holds the lock. */
async function isLocked(held: Awaited<ReturnType<Sql['reserve']>>, name: LockName): Promise<boolean> {
  try {
    const [lock] = await held<{ isMine: boolean }[]>`select pg_try_advisory_lock(${locks[name]}) as "isMine"`;
    return lock?.isMine === true;
  } catch (error) {
    held.release();
    throw error;
  }
}

/** Unlocks, and returns false when the connection was lost, and the lock with it. */
async function isUnlocked(held: Sql, name: LockName): Promise<boolean> {
  try {
    const [lock] = await held<{ wasMine: boolean }[]>`select pg_advisory_unlock(${locks[name]}) as "wasMine"`;
    return lock?.wasMine === true;
  } catch {
    return false;
  }
}
