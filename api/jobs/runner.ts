import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import type { Logger } from '#shared/log/log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { findDue } from '#shared/postgres/kernel/due-work.ts';
import {
  areRunsDue,
  recordSuccess,
  scheduleRuns,
  takeDueRuns,
} from '#shared/postgres/kernel/periodic-runs.ts';
import type { Job } from './job.ts';
import { JobRunner, type Periodic } from './periodic.ts';

/** Interval in ms at which the runner looks for work while there is some. */
export const searchEveryMs = 1000;

/** Interval in ms of its searches after a time without work. */
export const idleSearchEveryMs = 3000;
const idleAfterMs = 10_000;

/** Interval in ms at which a job runs although its condition finds nothing. */
export const sweepEveryMs = 300_000;

/**
 * Runs jobs, each never twice at once. Evaluates the conditions of all jobs with one statement, so that an idle system costs one
 * statement in three seconds, however many jobs there are. The stop starts nothing more and lets the runs in progress end.
 */
export async function runJobs(
  { sql, clock, log }: { sql: Sql; clock: Clock; log: Logger },
  jobs: readonly Job[],
): Promise<Periodic> {
  const shared = jobs.filter(({ oncePer }) => oncePer === 'installation');
  await scheduleRuns(sql, shared);
  const sharedRunners = new Map(shared.map((job) => [job.name, new JobRunner(recorded(sql, job), log)]));
  const startedAt = clock.steady();
  const own = jobs
    .filter(({ oncePer }) => oncePer === undefined)
    .map((job) => ({ job, runner: new JobRunner(job, log), ranAt: startedAt }));
  const timed = own.filter(({ job }) => job.due === undefined);
  const searched = own.flatMap((entry) => (entry.job.due === undefined ? [] : { entry, due: entry.job.due }));
  const search = new JobRunner({ name: 'due-work', run: runDue }, log);
  let workedAt = startedAt;
  let searchedAt = startedAt;
  const timer = clock.every(searchEveryMs, () => {
    // Apart from the search, which may wait for PostgreSQL.
    for (const entry of timed) runIfReady(entry, true);
    const now = clock.steady();
    const every = now - workedAt > idleAfterMs ? idleSearchEveryMs : searchEveryMs;
    if (isReached(now - searchedAt, every)) {
      searchedAt = now;
      search.run();
    }
  });

  async function runDue(stopping: AbortSignal): Promise<void> {
    // All conditions each time: PostgreSQL keeps the plan of a statement whose text does not change.
    const names = [...sharedRunners.keys()];
    const [isSharedDue, ...due] = await findDue(sql, [
      areRunsDue(sql, names),
      ...searched.map((job) => job.due(sql)),
    ]);
    if (isSharedDue === true || due.includes(true)) workedAt = clock.steady();
    if (isSharedDue === true && !stopping.aborted) {
      for (const name of await takeDueRuns(sql, shared)) sharedRunners.get(name)?.run();
    }
    for (const [index, { entry }] of searched.entries()) runIfReady(entry, due[index] === true);
  }

  function runIfReady(entry: (typeof own)[number], isDue: boolean): void {
    const now = clock.steady();
    const sinceMs = now - entry.ranAt;
    const isReady = isDue && isReached(sinceMs, entry.job.every);
    if (!isReady && (entry.job.due === undefined || sinceMs < sweepEveryMs)) return;
    entry.ranAt = now;
    entry.runner.run();
  }

  return {
    async stop() {
      timer.cancel();
      const runners = [search, ...sharedRunners.values(), ...own.map(({ runner }) => runner)];
      // All learn of the stop before any of them is waited for.
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
}

/** Returns whether an interval is over. A timer may be early or late by a part of its own interval. */
function isReached(sinceMs: number, every: number): boolean {
  return sinceMs >= every - searchEveryMs / 2;
}

/** Returns the job with a record of each success. A run that ended early because the process stops does not count. */
function recorded(sql: Sql, job: Job): Job {
  return {
    ...job,
    async run(stopping) {
      const count = await job.run(stopping);
      if (!stopping.aborted) await recordSuccess(sql, job.name);
      return count;
    },
  };
}
