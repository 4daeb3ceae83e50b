import type { ApiDeps } from '#api/services/deps.ts';
import { type JobName, type JobPayloads, jobPolicies } from '#shared/domain/kernel/jobs.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import {
  type ClaimedJob,
  claimJobs,
  endJob,
  jobChannel,
  retryJob,
} from '#shared/postgres/kernel/jobs.statements.ts';

/** Work of each job by name. A job that throws runs again later. */
export type JobHandlers = { [Name in JobName]?: (payload: JobPayloads[Name]) => Promise<void> };

type WorkerDeps = Pick<ApiDeps, 'sql'> & { log: Logger };

/** Runs queued jobs of several names in this process, each once over all processes. */
export class QueueWorker {
  readonly #lanes: ReadonlyMap<string, NameLane>;
  readonly #listening: Promise<{ unlisten(): Promise<void> } | null>;

  constructor(deps: WorkerDeps, handlers: JobHandlers) {
    const names = Object.keys(handlers) as JobName[];
    this.#lanes = new Map(
      names.map((name) => [
        name,
        // The handler and the name have the same type; TypeScript cannot follow that through the table.
        new NameLane(deps, name, handlers[name] as (payload: unknown) => Promise<void>),
      ]),
    );
    this.#listening = deps.sql
      .listen(jobChannel, (name) => this.#lanes.get(name)?.look())
      .catch((error: unknown) => {
        deps.log.warn({ err: error }, 'cannot listen to PostgreSQL: queued jobs are found by polling only');
        return null;
      });
  }

  /** Starts due jobs of all names. */
  look(): void {
    for (const lane of this.#lanes.values()) lane.look();
  }

  /** Claims nothing more; resolves when the runs in progress have ended. */
  async stop(): Promise<void> {
    const stopped = [...this.#lanes.values()].map((lane) => lane.stop());
    // A lost server needs no UNLISTEN.
    await (await this.#listening)?.unlisten().catch(() => undefined);
    await Promise.all(stopped);
  }
}

/** Jobs of one name, several side by side. */
class NameLane {
  readonly #deps: WorkerDeps;
  readonly #name: JobName;
  readonly #run: (payload: unknown) => Promise<void>;
  readonly #outages: OutageLog;
  readonly #running = new Set<Promise<void>>();
  #claiming: Promise<void> | null = null;
  #isWoken = false;
  #isStopping = false;

  constructor(deps: WorkerDeps, name: JobName, run: (payload: unknown) => Promise<void>) {
    this.#deps = deps;
    this.#name = name;
    this.#run = run;
    this.#outages = new OutageLog(deps.log, {
      failed: 'queued jobs wait: PostgreSQL is unavailable',
      recovered: 'queued jobs run again',
    });
  }

  /** Claims as many due jobs as may run alongside those in progress. */
  look(): void {
    this.#isWoken = true;
    if (this.#isStopping) return;
    this.#claiming ??= this.#claim().finally(() => {
      this.#claiming = null;
      if (this.#isWoken) this.look();
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#claiming;
    await Promise.all(this.#running);
  }

  async #claim(): Promise<void> {
    // Another look during a claim may be for a job that the claim did not see.
    while (this.#isWoken && !this.#isStopping) {
      this.#isWoken = false;
      const free = jobPolicies[this.#name].concurrency - this.#running.size;
      if (free === 0) return;
      try {
        const jobs = await claimJobs(this.#deps.sql, this.#name, free);
        this.#outages.recovered();
        for (const job of jobs) this.#start(job);
      } catch (error) {
        this.#outages.failed(error, { job: this.#name });
      }
    }
  }

  #start(job: ClaimedJob): void {
    const run = this.#perform(job).finally(() => {
      this.#running.delete(run);
      this.look();
    });
    this.#running.add(run);
  }

  /** Runs a job. One that is neither ended nor scheduled again, because PostgreSQL is down, is due when its claim ends. */
  async #perform(job: ClaimedJob): Promise<void> {
    const { sql } = this.#deps;
    const about = { job: this.#name, attempts: job.attempts };
    try {
      await this.#run(job.payload);
      await endJob(sql, job);
    } catch (err) {
      await this.#retry(job, { err, ...about });
    }
  }

  async #retry(job: ClaimedJob, about: object): Promise<void> {
    const { sql, log } = this.#deps;
    try {
      if (await retryJob(sql, this.#name, job)) log.warn(about, 'a queued job failed; it is run again');
      else log.error(about, 'a queued job failed for the last time; it is removed');
    } catch (error) {
      log.warn(about, 'a queued job failed; it is run again when its claim ends');
      this.#outages.failed(error, { job: this.#name });
    }
  }
}
