import { setTimeout as wait } from 'node:timers/promises';
import { backoffMs } from '#shared/domain/kernel/backoff.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';

const pauses = { firstMs: 250, longestMs: 2000 };

/** A store that is waited for. */
export interface Awaited {
  name: 'PostgreSQL' | 'ClickHouse' | 'Redis';
  /** Returns true for errors that end when the store is back. */
  isDown: (error: unknown) => boolean;
  log: Pick<Logger, 'info' | 'warn'>;
  /** End of the line in the log of an outage. */
  meanwhile?: string;
  /** Longest pause between two attempts, in ms; 2 s by default. */
  longestPauseMs?: number;
  /** Ends the wait, with an `AbortError`. */
  signal?: AbortSignal | undefined;
}

/**
 * Repeats an attempt until its store is available.
 * @throws the error of an attempt that failed otherwise: a wrong password does not become right.
 */
export async function whenAvailable<Result>(
  {
    name,
    isDown,
    log,
    meanwhile = 'this process waits for it',
    longestPauseMs = pauses.longestMs,
    signal,
  }: Awaited,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const outages = new OutageLog(log, {
    failed: `${name} is unavailable; ${meanwhile}`,
    recovered: `${name} is available`,
  });
  for (let failed = 0; ; failed++) {
    try {
      const result = await attempt();
      outages.recovered();
      return result;
    } catch (error) {
      if (!isDown(error)) throw error;
      outages.failed(error);
    }
    // Rejects when the signal is aborted.
    await wait(backoffMs({ ...pauses, longestMs: longestPauseMs }, failed), undefined, { signal });
  }
}
