import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import type { Logger } from '#shared/log/log.ts';
import type { Fragment, Sql } from '#shared/postgres/kernel/client.ts';
import { findDue } from '#shared/postgres/kernel/due-work.ts';
import { type Job, JobRunner, type Periodic } from './periodic.ts';

/** A job that runs when its work is due. */
export interface DueJob extends Job {
  /** Minimum time between the starts of two runs, in ms. */
  everyMs: number;
  /** The condition that there may be work. */
  isDue: (sql: Sql) => Fragment;
}

/** Interval in ms at which the search looks for work. */
export const searchEveryMs = 1000;

/** Interval in ms at which a job runs although its condition finds nothing. */
export const sweepEveryMs = 60_000;

/**
 * Looks for the work of many jobs with one statement, and runs those that have some. An idle system so costs one statement a
 * second, however many jobs there are.
 */
export function runWhenDue(
  { sql, clock, log }: { sql: Sql; clock: Clock; log: Logger },
  jobs: readonly DueJob[],
): Periodic {
  const startedAt = clock.steady();
  const entries = jobs.map((job) => ({ job, runner: new JobRunner(job, log), ranAt: startedAt }));
  const search = new JobRunner({ name: 'due-work', work: find }, log);
  const timer = clock.every(searchEveryMs, () => search.run());

  async function find(): Promise<void> {
    const now = clock.steady();
    // All conditions each time: PostgreSQL keeps the plan of a statement whose text does not change.
    const due = await findDue(
      sql,
      jobs.map(({ isDue }) => isDue(sql)),
    );
    for (const [index, entry] of entries.entries()) {
      const sinceMs = now - entry.ranAt;
      // A timer may be early or late by a part of its interval.
      const isReady = due[index] === true && sinceMs >= entry.job.everyMs - searchEveryMs / 2;
      if (!isReady && sinceMs < sweepEveryMs) continue;
      entry.ranAt = now;
      entry.runner.run();
    }
  }

  return {
    async stop() {
      timer.cancel();
      await Promise.all([search, ...entries.map(({ runner }) => runner)].map((runner) => runner.stop()));
    },
  };
}
