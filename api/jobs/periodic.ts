import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import type { Job } from './job.ts';

/** Work that is done again and again. */
export interface Periodic {
  /** Ends after the current run. */
  stop(): Promise<void>;
}

/** Runs a job, never twice at once. A failure is logged and does not stop later runs. */
export class JobRunner {
  readonly #job: Pick<Job, 'name' | 'run' | 'done' | 'stop'>;
  readonly #log: Logger;
  readonly #outages: OutageLog;
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;

  constructor(job: Pick<Job, 'name' | 'run' | 'done' | 'stop'>, log: Logger) {
    this.#job = job;
    this.#log = log;
    this.#outages = new OutageLog(log, {
      failed: 'a periodic job failed; it is run again',
      recovered: 'a periodic job succeeds again',
    });
  }

  /** Starts a run, unless one is in progress or the job was stopped. */
  run(): void {
    if (this.#stopping.signal.aborted) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Lets the run in progress end, early where it can; resolves when it has. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#job.stop?.(), this.#running]);
  }

  async #run(): Promise<void> {
    const { name, run, done } = this.#job;
    try {
      const count = (await run(this.#stopping.signal)) ?? 0;
      this.#outages.recovered({ job: name });
      if (done !== undefined && count > 0) this.#log.info({ job: name, count }, done);
    } catch (error) {
      this.#outages.failed(error, { job: name });
    }
  }
}

/** Runs a job at its interval in this process, the first time after one; never twice at once. */
export function runPeriodically(
  { clock, log }: { clock: Clock; log: Logger },
  { every, ...job }: Pick<Job, 'name' | 'every' | 'run'>,
): Periodic {
  const runner = new JobRunner(job, log);
  const timer = clock.every(every, () => runner.run());
  return {
    stop() {
      timer.cancel();
      return runner.stop();
    },
  };
}
