import { setTimeout as wait } from 'node:timers/promises';

interface Settling {
  /** Period without a change, in ms. */
  quietMs: number;
  /** Longest wait, in ms. */
  maxMs: number;
}

/** A smaller change does not count. */
const quietBytes = 2 ** 20;
const stepMs = 250;

/**
 * Returns resident memory when it has not changed for a while. A thread that idles collects garbage and gives back memory
 * that it does not need, though not at once: some of it half a minute after its last work.
 */
export async function settledBytes(read: () => number, { quietMs, maxMs }: Settling): Promise<number> {
  const deadline = performance.now() + maxMs;
  let quiet = read();
  let quietSince = performance.now();
  while (performance.now() < Math.min(quietSince + quietMs, deadline)) {
    await wait(stepMs);
    const now = read();
    if (Math.abs(now - quiet) <= quietBytes) continue;
    quiet = now;
    quietSince = performance.now();
  }
  return read();
}
