import { Session } from 'node:inspector/promises';
import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import type { Logger } from '#shared/log/log.ts';

const checkEveryMs = 5000;

/** Maximum share of a period that a quiet shard spends with work. */
const maxUtilization = 0.2;

/** Change of the number of connections after which memory is released: at least so many, and this share of them. */
const minChange = 500;
const minChangeShare = 0.1;

export interface MemoryReleaseOptions {
  /** Returns the number of connected chargers. */
  connections: () => number;
  /** Returns the share of time that the event loop worked since the last call, from 0 to 1. */
  utilization: () => number;
  /** Collects all garbage and returns free memory to the operating system; blocks the thread. */
  collect: () => Promise<void>;
  log: Logger;
}

/**
 * Returns memory to the operating system once chargers have come or gone in numbers and the shard is quiet. V8 collects
 * the old generation only when it has grown to a multiple of its live size: a shard that idles after a connect storm
 * never allocates as much, and keeps the garbage of the storm (ADR 48). A period with a command is not quiet: its caller
 * waits for the answer, and the next command would wait for the collection.
 */
export class MemoryRelease {
  readonly #options: MemoryReleaseOptions;
  /** Connections at the last collection. */
  #collectedFor = 0;
  #collecting = false;
  /** True when a command arrived since the last check. */
  #commanded = false;

  constructor(options: MemoryReleaseOptions) {
    this.#options = options;
  }

  /**
   * Begins regular checks; returns the function that ends them. `phase`, from 0 to 1, moves the checks within their period, so
   * that shards do not collect at once: each collection also keeps helper threads busy.
   */
  start(phase: number): () => void {
    let timer = setTimeout(() => {
      timer = setInterval(() => void this.check(), checkEveryMs).unref();
    }, phase * checkEveryMs).unref();
    return () => clearTimeout(timer);
  }

  /** Notes that a command arrived. */
  commandArrived(): void {
    this.#commanded = true;
  }

  /** Collects if memory can be released now. Never rejects. */
  async check(): Promise<void> {
    const { connections, utilization, collect, log } = this.#options;
    const isQuiet = utilization() < maxUtilization && !this.#commanded;
    this.#commanded = false;
    const now = connections();
    const change = Math.abs(now - this.#collectedFor);
    if (this.#collecting || !isQuiet || change < minChange || change < minChangeShare * now) return;
    this.#collecting = true;
    const startedAt = performance.now();
    try {
      await collect();
      this.#collectedFor = now;
      log.debug({ connections: now, ms: Math.round(performance.now() - startedAt) }, 'memory released');
    } catch (error) {
      log.debug({ err: error }, 'memory not released');
    } finally {
      this.#collecting = false;
    }
  }
}

/** Returns a function that reads the utilization of this thread's event loop since its last call. */
export function loopUtilization(): () => number {
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

/** Reports low memory to V8 in this thread, which Node.js offers through the inspector only. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
