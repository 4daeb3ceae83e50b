import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';

/** Work that is done again and again. */
export interface Periodic {
  /** Ends after the current run. */
  stop(): Promise<void>;
}

/** A job in the background. */
export interface Job {
  name: string;
  /** Does the work. A run that could be long ends early when `stopping` is aborted. */
  work: (stopping: AbortSignal) => Promise<void>;
}

/** Runs a job, never twice at once. A failure is logged and does not stop later runs. */
export class JobRunner {
  readonly #job: Job;
  readonly #outages: OutageLog;
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;

  constructor(job: Job, log: Logger) {
    this.#job = job;
    this.#outages = new OutageLog(log, {
      failed: 'a periodic job failed; it is run again',
      recovered: 'a periodic job succeeds again',
    });
  }

  /** Starts a run, unless one is in progress or the job was stopped. */
  run(): void {
    if (this.#stopping.signal.aborted) return;
    const about = { job: this.#job.name };
    this.#running ??= this.#job
      .work(this.#stopping.signal)
      .then(
        () => this.#outages.recovered(about),
        (error: unknown) => this.#outages.failed(error, about),
      )
      .finally(() => {
        this.#running = null;
      });
  }

  /** Lets the run in progress end, early where it can; resolves when it has. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }
}

/** Runs `work` every `everyMs`, the first time after that; never twice at once. */
export function runPeriodically(
  { clock, log }: { clock: Clock; log: Logger },
  { everyMs, ...job }: Job & { everyMs: number },
): Periodic {
  const runner = new JobRunner(job, log);
  const timer = clock.every(everyMs, () => runner.run());
  return {
    stop() {
      timer.cancel();
      return runner.stop();
    },
  };
}
