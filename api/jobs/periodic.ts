import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';

/** Work that is done again and again. */
export interface Periodic {
  /** Ends after the current run. */
  stop(): Promise<void>;
}

/**
 * Runs `work` every `everyMs`, the first time after that; never twice at once. A failure is logged and does
 * not stop later runs.
 */
export function runPeriodically(options: {
  name: string;
  everyMs: number;
  work: () => Promise<void>;
  log: Logger;
}): Periodic {
  const { name, everyMs, work, log } = options;
  const outages = new OutageLog(log, {
    failed: 'a periodic job failed; it is run again',
    recovered: 'a periodic job succeeds again',
  });
  let running = Promise.resolve();
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    running = work()
      .then(
        () => outages.recovered({ job: name }),
        (error: unknown) => outages.failed(error, { job: name }),
      )
      .finally(() => {
        isRunning = false;
      });
  }, everyMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}
