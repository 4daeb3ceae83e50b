import { setTimeout as wait } from 'node:timers/promises';
import { isLockConflict, type Queryable } from './client.ts';

/** Session that holds a lock for which another one waits. */
export interface Blocker {
  /** Process of the server. 0: a prepared transaction. */
  pid: number;
  /** Null, as are the next ones: the session has ended, or the user may not see it. */
  application: string | null;
  user: string | null;
  state: string | null;
  transactionSeconds: number | null;
}

/** Failure of a statement that got no lock in time, or that ended for a deadlock. */
export class LockRefused extends Error {
  /** Sessions for which it waited, by the latest look that found any. */
  readonly blockers: readonly Blocker[];

  constructor(blockers: readonly Blocker[], cause: unknown) {
    super('a statement got no lock', { cause });
    this.blockers = blockers;
  }
}

/** Looks for the sessions that a backend waits for. */
interface BlockerLooks {
  /** Runs the looks, on another connection than that of the backend. */
  sql: Queryable;
  everyMs: number;
  /** Receives the sessions of each look that found any. */
  onSeen?: (blockers: readonly Blocker[]) => void;
}

/**
 * Runs statements on the backend `pid`, and looks meanwhile which sessions it waits for.
 * @throws {LockRefused} with those sessions when a statement gets no lock.
 */
export async function watchBlockers(
  pid: number,
  { sql, everyMs, onSeen }: BlockerLooks,
  work: () => Promise<void>,
): Promise<void> {
  const stopping = new AbortController();
  let latest: readonly Blocker[] = [];
  const look = async (): Promise<void> => {
    for (;;) {
      await wait(everyMs, undefined, { signal: stopping.signal });
      const blockers = await listBlockers(sql, pid);
      if (blockers.length === 0) continue;
      latest = blockers;
      onSeen?.(blockers);
    }
  };
  // A look fails when the server is lost, which the statements report themselves.
  const looking = look().catch(() => undefined);
  try {
    await work();
  } catch (error) {
    if (!isLockConflict(error)) throw error;
    throw new LockRefused(latest, error);
  } finally {
    stopping.abort();
    await looking;
  }
}

async function listBlockers(sql: Queryable, pid: number): Promise<Blocker[]> {
  return sql<Blocker[]>`
    select b.pid, a.application_name as application, a.usename as user, a.state,
      extract(epoch from clock_timestamp() - a.xact_start)::double precision as "transactionSeconds"
    from (select distinct unnest(pg_blocking_pids(${pid})) as pid) b left join pg_stat_activity a on a.pid = b.pid
    order by a.xact_start`;
}

/** Returns the sessions as a sentence for an operator. */
export function describeBlockers(blockers: readonly Blocker[]): string {
  if (blockers.length === 0) return 'No session that held them was seen.';
  const sessions = blockers.map(({ pid, application, user, state, transactionSeconds }) => {
    if (pid === 0) return 'a prepared transaction (pg_prepared_xacts)';
    const age =
      transactionSeconds === null ? '' : `, in a transaction for ${Math.round(transactionSeconds)} s`;
    return `${application ?? 'unknown'} (process ${pid}, user ${user ?? 'unknown'}, ${state ?? 'unknown state'}${age})`;
  });
  return `They were held by ${sessions.join('; ')}.`;
}
