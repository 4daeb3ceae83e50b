import type { Logger } from '#shared/log/log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import {
  areRunsDue,
  recordSuccess,
  scheduleRuns,
  takeDueRuns,
} from '#shared/postgres/kernel/periodic-runs.ts';
import type { DueJob } from './due-jobs.ts';
import { type Job, JobRunner } from './periodic.ts';

const everyMs = 3_600_000;

/**
 * Jobs that one of the processes runs each hour. The time of the next run is in PostgreSQL, so that processes that restart often run
 * them as well. The first run ever is an hour after the start: nothing is removed at once by an upgrade.
 */
export class HourlyJobs {
  readonly #sql: Sql;
  readonly #runners: ReadonlyMap<string, JobRunner>;
  readonly #names: readonly string[];

  private constructor(sql: Sql, jobs: readonly Job[], log: Logger) {
    this.#sql = sql;
    this.#runners = new Map(jobs.map((job) => [job.name, new JobRunner(recorded(sql, job), log)]));
    this.#names = [...this.#runners.keys()];
  }

  /** Schedules jobs that no process scheduled before. */
  static async open({ sql, log }: { sql: Sql; log: Logger }, jobs: readonly Job[]): Promise<HourlyJobs> {
    const hourly = new HourlyJobs(sql, jobs, log);
    await scheduleRuns(sql, hourly.#names, everyMs);
    return hourly;
  }

  /** Job that starts the runs that are due. */
  get dueJob(): DueJob {
    return {
      name: 'hourly-jobs',
      everyMs: 10_000,
      isDue: (sql) => areRunsDue(sql, this.#names),
      work: (stopping) => this.startDue(stopping),
    };
  }

  /** Starts the runs that are due and that no other process took. A run that fails is repeated after an hour. */
  async startDue(stopping = AbortSignal.any([])): Promise<void> {
    if (stopping.aborted) return;
    for (const name of await takeDueRuns(this.#sql, this.#names, everyMs)) this.#runners.get(name)?.run();
  }

  /** Lets the runs in progress end; resolves when they have. */
  async stop(): Promise<void> {
    await Promise.all([...this.#runners.values()].map((runner) => runner.stop()));
  }
}

/** Returns the job with a record of each success. A run that the stop of the process cut short does not count. */
function recorded(sql: Sql, { name, work }: Job): Job {
  return {
    name,
    async work(stopping) {
      await work(stopping);
      if (!stopping.aborted) await recordSuccess(sql, name);
    },
  };
}
