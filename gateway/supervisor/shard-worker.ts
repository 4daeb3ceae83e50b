import { RequestTracker } from '#shared/domain/kernel/request-tracker.ts';
import type { Logger } from '#shared/log/log.ts';
import type { FromShard, MetricsJson, ToShard } from './shard-messages.ts';

/** Running thread of a shard. */
export interface WorkerHandle {
  send(message: ToShard): void;
  kill(): void;
  /** Resolves when the thread has exited. */
  exited: Promise<void>;
}

/** Events that a launched thread reports. */
export interface WorkerEvents {
  message(message: FromShard): void;
  failed(error: Error): void;
  exited(code: number): void;
}

interface ShardWorkerOptions {
  /** Index of the shard. */
  shard: number;
  launch(events: WorkerEvents): WorkerHandle;
  log: Logger;
}

const respawnAfterMs = 1000;

/** Time after which a thread that does not stop is killed. */
const stopWithinMs = 20_000;

/** Time for a reply with metrics. */
const metricsWithinMs = 5000;

/** Starts the thread of a shard, starts it again after it exits, collects its metrics and stops it. */
export class ShardWorker {
  readonly #options: ShardWorkerOptions;
  readonly #requests = new RequestTracker<MetricsJson>();
  #worker: WorkerHandle | null = null;
  #isStopping = false;
  isListening = false;

  constructor(options: ShardWorkerOptions) {
    this.#options = options;
  }

  /** Resolves when the shard listens; rejects with its reason when it cannot. */
  start(): Promise<void> {
    const { log, shard } = this.#options;
    return new Promise((resolve, reject) => {
      this.#worker = this.#options.launch({
        message: (message) => {
          if (message.type === 'metrics') this.#requests.settle(message.id, message.metrics);
          else if (message.type === 'failed') {
            this.#worker?.kill();
            reject(new Error(message.message));
          } else {
            this.isListening = true;
            log.info({ shard }, 'shard listening');
            resolve();
          }
        },
        failed(error) {
          log.error({ err: error, shard }, 'shard failed');
          reject(error);
        },
        exited: (code) => {
          reject(new Error(`the shard exited (${code}) before it listened`));
          this.#exited(code);
        },
      });
    });
  }

  /** Returns the metrics of the shard, or null when it does not listen or does not reply in time. */
  async metrics(): Promise<MetricsJson | null> {
    const { shard, log } = this.#options;
    if (!this.isListening) return null;
    const { id, reply } = this.#requests.open(
      metricsWithinMs,
      () => new Error(`no reply within ${metricsWithinMs} ms`),
    );
    this.#worker?.send({ type: 'collect-metrics', id });
    try {
      return await reply;
    } catch (error) {
      log.warn({ err: error, shard }, 'metrics of shard not collected');
      return null;
    }
  }

  /**
   * Stops the thread after the work in progress, or ends its start; kills it when that takes too long. Killing a thread while it
   * loads a native module can abort the process, so the thread ends itself when it has loaded.
   */
  async stop(): Promise<void> {
    const { shard, log } = this.#options;
    this.#isStopping = true;
    const worker = this.#worker;
    if (worker === null) return;
    worker.send({ type: 'stop' });
    const timer = setTimeout(() => {
      log.warn({ shard, stopWithinMs }, 'shard killed: it did not stop in time');
      worker.kill();
    }, stopWithinMs);
    await worker.exited;
    clearTimeout(timer);
  }

  #exited(code: number): void {
    const { shard, log } = this.#options;
    const wasListening = this.isListening;
    this.isListening = false;
    this.#worker = null;
    this.#requests.failAll(() => new Error('the shard exited'));
    if (this.#isStopping || !wasListening) return;
    log.error({ shard, code, respawnAfterMs }, 'shard exited; restarting');
    setTimeout(() => this.#respawn(), respawnAfterMs);
  }

  #respawn(): void {
    const { shard, log } = this.#options;
    if (this.#isStopping) return;
    this.start().catch((error: unknown) => {
      log.warn({ err: error, shard, respawnAfterMs }, 'shard did not start; trying again');
      setTimeout(() => this.#respawn(), respawnAfterMs);
    });
  }
}
