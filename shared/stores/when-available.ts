import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';

/** Pause between two attempts, in ms. */
const pauseMs = 500;

/** A store that is waited for. */
export interface Awaited {
  name: 'PostgreSQL' | 'ClickHouse' | 'Redis';
  /** Returns true for errors that end when the store is back. */
  isDown: (error: unknown) => boolean;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Ends the wait, with the last error. */
  signal?: AbortSignal | undefined;
}

/**
 * Repeats an attempt until its store is available.
 * @throws the error of an attempt that failed otherwise: a wrong password does not become right.
 */
export async function whenAvailable<Result>(
  { name, isDown, log, signal }: Awaited,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const outages = new OutageLog(log, {
    failed: `${name} is unavailable; this process waits for it`,
    recovered: `${name} is available`,
  });
  for (;;) {
    try {
      const result = await attempt();
      outages.recovered();
      return result;
    } catch (error) {
      if (!isDown(error) || signal?.aborted === true) throw error;
      outages.failed(error);
    }
    await wait(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
