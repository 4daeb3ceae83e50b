import { RequestTracker } from '#shared/domain/kernel/request-tracker.ts';
import type { Logger } from '#shared/log/log.ts';
import type { FromWorker, MetricsJson, ToWorker } from './worker-messages.ts';

/** Running worker: a thread or a child process. */
export interface WorkerHandle {
  /** Id of a child process; undefined for a thread. */
  pid?: number | undefined;
  send(message: ToWorker): void;
  kill(): void;
  /** Resolves when the worker has exited. */
  exited: Promise<void>;
}

/** Events that a launched worker reports. */
export interface WorkerEvents {
  message(message: FromWorker): void;
  failed(error: Error): void;
  /** `code` is the exit code, or the signal that ended the worker. */
  exited(code: number | string | null): void;
}

export interface SupervisedWorkerOptions {
  /** Kind of worker for log messages, such as `shard`. */
  kind: string;
  /** Log fields that identify the worker. */
  fields: Record<string, number>;
  launch(events: WorkerEvents): WorkerHandle;
  /** Time after which a worker that does not stop is killed. */
  stopWithinMs: number;
  /** Time for a reply with metrics. */
  metricsWithinMs: number;
  log: Logger;
}

const respawnAfterMs = 1000;

/** Starts a worker, starts it again after it exits, collects its metrics and stops it. */
export class SupervisedWorker {
  readonly #options: SupervisedWorkerOptions;
  readonly #requests = new RequestTracker<MetricsJson[]>();
  #worker: WorkerHandle | null = null;
  #isStopping = false;
  isListening = false;

  constructor(options: SupervisedWorkerOptions) {
    this.#options = options;
  }

  /** Resolves when the worker listens; rejects with its reason when it cannot. */
  start(): Promise<void> {
    const { kind, log, fields } = this.#options;
    return new Promise((resolve, reject) => {
      this.#worker = this.#options.launch({
        message: (message) => {
          if (message.type === 'metrics') this.#requests.settle(message.id, message.metrics);
          else if (message.type === 'failed') {
            this.#worker?.kill();
            reject(new Error(message.message));
          } else {
            this.isListening = true;
            log.info({ ...fields, processPid: this.#worker?.pid }, `${kind} listening`);
            resolve();
          }
        },
        failed(error) {
          log.error({ err: error, ...fields }, `${kind} failed`);
          reject(error);
        },
        exited: (code) => {
          reject(new Error(`the ${kind} exited (${code}) before it listened`));
          this.#exited(code);
        },
      });
    });
  }

  /** Returns the metrics of the worker's shards, or none when it does not listen or does not reply in time. */
  async metrics(): Promise<MetricsJson[]> {
    const { kind, fields, metricsWithinMs, log } = this.#options;
    if (!this.isListening) return [];
    const { id, reply } = this.#requests.open(
      metricsWithinMs,
      () => new Error(`no reply within ${metricsWithinMs} ms`),
    );
    this.#worker?.send({ type: 'collect-metrics', id });
    try {
      return await reply;
    } catch (error) {
      log.warn({ err: error, ...fields }, `metrics of ${kind} not collected`);
      return [];
    }
  }

  /**
   * Stops the worker after the work in progress, or ends its start; kills it when that takes too long. Killing a thread while it
   * loads a native module can abort the process, so the thread ends itself when it has loaded.
   */
  async stop(): Promise<void> {
    const { kind, fields, stopWithinMs, log } = this.#options;
    this.#isStopping = true;
    const worker = this.#worker;
    if (worker === null) return;
    worker.send({ type: 'stop' });
    const timer = setTimeout(() => {
      log.warn({ ...fields, stopWithinMs }, `${kind} killed: it did not stop in time`);
      worker.kill();
    }, stopWithinMs);
    await worker.exited;
    clearTimeout(timer);
  }

  #exited(code: number | string | null): void {
    const { kind, fields, log } = this.#options;
    const wasListening = this.isListening;
    this.isListening = false;
    this.#worker = null;
    this.#requests.failAll(() => new Error(`the ${kind} exited`));
    if (this.#isStopping || !wasListening) return;
    log.error({ ...fields, code, respawnAfterMs }, `${kind} exited; restarting`);
    setTimeout(() => this.#respawn(), respawnAfterMs);
  }

  #respawn(): void {
    const { kind, fields, log } = this.#options;
    if (this.#isStopping) return;
    this.start().catch((error: unknown) => {
      log.warn({ err: error, ...fields, respawnAfterMs }, `${kind} did not start; trying again`);
      setTimeout(() => this.#respawn(), respawnAfterMs);
    });
  }
}
