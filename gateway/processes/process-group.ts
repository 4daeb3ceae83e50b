import { type ChildProcess, fork } from 'node:child_process';
import { AggregatorRegistry } from 'prom-client';
import type { Logger } from '#shared/log/log.ts';
import { importsStripped } from '#shared/stripping/options.ts';
import type { FromProcess, MetricsJson, ToProcess } from './process-messages.ts';
import { Questions } from '#gateway/shard/request-tracker.ts';
import type { Gateway } from './supervisor.ts';

const respawnAfterMs = 1000;

/** Longer than a process takes to stop by itself. */
const stopWithinMs = 30_000;

/**
 * Starts a gateway of several processes that share the port (SO_REUSEPORT), each with shard threads of its own:
 * the limit of open files is one per process. Resolves when all of them listen. One that dies is started again; its
 * chargers come back to whoever listens.
 * @throws {Error} when one of them cannot start; none is left behind.
 */
export async function startGatewayProcesses(options: { processes: number; log: Logger }): Promise<Gateway> {
  const { processes, log } = options;
  const group = Array.from({ length: processes }, (_, index) => new GatewayProcess(index, processes, log));
  try {
    await Promise.all(group.map((member) => member.start()));
  } catch (error) {
    await Promise.all(group.map((member) => member.stop()));
    throw error;
  }
  return {
    async metrics() {
      const collected = await Promise.all(group.map((member) => member.metrics()));
      return AggregatorRegistry.aggregate(collected.flatMap((metrics) => metrics ?? [])).metrics();
    },
    isReady: () => group.every((member) => member.isListening),
    async stop() {
      await Promise.all(group.map((member) => member.stop()));
    },
  };
}

/** One process of the group, kept alive. */
class GatewayProcess {
  readonly #index: number;
  readonly #processes: number;
  readonly #log: Logger;
  readonly #questions = new Questions<MetricsJson[]>();
  #child: ChildProcess | null = null;
  #stopping = false;
  isListening = false;

  constructor(index: number, processes: number, log: Logger) {
    this.#index = index;
    this.#processes = processes;
    this.#log = log;
  }

  /** Resolves when the process listens; rejects with its reason when it cannot. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const place = [String(this.#index), String(this.#processes)];
      const child = fork(new URL('./process.ts', import.meta.url), place, {
        execArgv: [...process.execArgv, ...importsStripped],
      });
      this.#child = child;
      child.on('message', (message: FromProcess) => {
        if (message.type === 'metrics') this.#questions.answer(message.id, message.metrics);
        else if (message.type === 'failed') reject(new Error(message.message));
        else {
          this.isListening = true;
          this.#log.info({ process: this.#index, processPid: child.pid }, 'a gateway process listens');
          resolve();
        }
      });
      child.on('error', reject);
      child.on('exit', (code, signal) => {
        reject(new Error(`the process ended (${signal ?? code}) before it listened`));
        this.#ended(signal ?? code);
      });
    });
  }

  /** The metrics of its shards; null when it is not there to answer. */
  metrics(): Promise<MetricsJson[] | null> {
    if (!this.isListening) return Promise.resolve(null);
    return this.#questions.ask((id) => this.#send({ type: 'collect-metrics', id }));
  }

  /** Lets it end by itself, in its own time; it is killed when that takes too long. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (child === null) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    // Not by a signal: a terminal or a service manager has sent it one already.
    this.#send({ type: 'stop' });
    const timer = setTimeout(() => {
      this.#log.error({ process: this.#index }, 'a gateway process did not stop in time');
      child.kill('SIGKILL');
    }, stopWithinMs);
    await exited;
    clearTimeout(timer);
  }

  /** What cannot be said to a process that is just going away is answered by its end. */
  #send(message: ToProcess): void {
    this.#child?.send(message, () => undefined);
  }

  #ended(how: string | number | null): void {
    const wasListening = this.isListening;
    this.isListening = false;
    this.#child = null;
    this.#questions.giveUp();
    if (this.#stopping || !wasListening) return;
    this.#log.error({ process: this.#index, how }, 'a gateway process ended; it is started again');
    setTimeout(() => this.#respawn(), respawnAfterMs);
  }

  #respawn(): void {
    if (this.#stopping) return;
    this.start().catch((error: unknown) => {
      this.#log.error(
        { err: error, process: this.#index },
        'a gateway process could not start; it is tried again',
      );
      setTimeout(() => this.#respawn(), respawnAfterMs);
    });
  }
}
