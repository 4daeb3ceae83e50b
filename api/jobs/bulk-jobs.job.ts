import type { ApiDeps } from '#api/services/deps.ts';
import { runBulkJob } from '#api/services/commands/bulk-job-runner.ts';
import type { Logger } from '#shared/log/log.ts';
import { type BulkWork, listBulkWork, releaseLostItems } from '#shared/postgres/commands/bulk-job-work.ts';
import { Lanes } from './lanes.ts';

/** Sends the commands of bulk jobs, in the background of any number of processes. No job waits for another. */
export class BulkJobWorker {
  readonly #deps: ApiDeps & { log: Logger };
  readonly #jobs = new Map<number, BulkWork>();
  readonly #lanes: Lanes<number>;
  #isStopping = false;

  constructor(deps: ApiDeps & { log: Logger }) {
    this.#deps = deps;
    this.#lanes = new Lanes(
      (id) => this.#run(id),
      (err, id) => deps.log.warn({ err, bulkJobId: id }, 'a bulk job paused; it continues'),
    );
  }

  /** Starts the work on unfinished jobs, and closes the attempts of processes that died. */
  async look(): Promise<void> {
    const { sql, secrets, log } = this.#deps;
    const lost = await releaseLostItems(sql);
    if (lost > 0) log.warn({ lost }, 'commands of bulk jobs were sent by processes that died');
    for (const job of await listBulkWork(sql, secrets.knownIds)) {
      this.#jobs.set(job.id, job);
      this.#lanes.start(job.id);
    }
  }

  /** Sends no further command; resolves when those in progress have their outcome. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#lanes.stop();
  }

  async #run(id: number): Promise<void> {
    const job = this.#jobs.get(id);
    this.#jobs.delete(id);
    if (job !== undefined) await runBulkJob(this.#deps, job, () => this.#isStopping);
  }
}
