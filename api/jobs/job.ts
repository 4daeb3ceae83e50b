import type { ApiDeps } from '#api/services/deps.ts';
import type { Logger } from '#shared/log/log.ts';
import type { Fragment, Sql } from '#shared/postgres/kernel/client.ts';

/** Work that is done in the background again and again. */
export interface Job {
  name: string;
  /** Minimum time between the starts of two runs, in ms. The first run starts after that time. */
  every: number;
  /** Condition that there may be work. A job without one has a run each time. */
  due?: (sql: Sql) => Fragment;
  /**
   * Scope of the interval; each process without it. For the installation, the time of the next run is in PostgreSQL: one process does
   * it, processes that restart often run it as well, and an upgrade does not run it at once.
   */
  oncePer?: 'installation';
  /** Does the work and returns its amount, if it is counted. A long run ends early when `stopping` is aborted. */
  run: (stopping: AbortSignal) => Promise<number | void>;
  /** Log message of a run that did some work. */
  done?: string;
  /** Ends work that runs have left in progress. */
  stop?: () => Promise<void>;
}

/** Dependencies of jobs. */
export type JobDeps = ApiDeps & {
  log: Logger;
  /** Pools for statements that take minutes. */
  longJobs: Pick<ApiDeps, 'sql' | 'staleReads'>;
};
