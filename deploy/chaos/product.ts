import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '#shared/testing/until.ts';

/** Start of one process of the product. */
export interface ProductPlan {
  name: string;
  entry: 'gateway/main.ts' | 'api/main.ts';
  env: Record<string, string>;
  healthUrl: string;
  /** File that receives its output. */
  log: string;
}

const restartDelayMs = 200;
const startWithinMs = 120_000;

/** Process of the product that is started again whenever it ends, as a service manager does. */
export class Product {
  readonly name: string;
  readonly #plan: ProductPlan;
  #child: ChildProcess;
  #isStopping = false;
  #isKilled = false;
  /** Number of times that the process ended by itself. */
  unexpectedExits = 0;

  constructor(plan: ProductPlan) {
    this.name = plan.name;
    this.#plan = plan;
    this.#child = this.#start();
    process.once('exit', () => this.#child.kill('SIGKILL'));
  }

  /** Resolves when the process answers that it is ready. */
  async ready(): Promise<void> {
    const isReady = () =>
      fetch(this.#plan.healthUrl).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(`${this.name} to be ready`, isReady, startWithinMs);
  }

  /** Ends the process with SIGKILL; a new one is started after 200 ms. */
  kill(): void {
    this.#isKilled = true;
    this.#child.kill('SIGKILL');
  }

  /** Stops the process with SIGSTOP; returns the function that continues it. */
  freeze(): () => void {
    const child = this.#child;
    child.kill('SIGSTOP');
    return () => void child.kill('SIGCONT');
  }

  /** Ends the process in order and for good. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }

  #start(): ChildProcess {
    const log = openSync(this.#plan.log, 'a');
    const child = spawn(process.execPath, ['deploy/run.js', this.#plan.entry], {
      env: { PATH: process.env.PATH ?? '', ...this.#plan.env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child.once('exit', () => void this.#restart());
    return child;
  }

  async #restart(): Promise<void> {
    if (this.#isStopping) return;
    if (!this.#isKilled) this.unexpectedExits++;
    this.#isKilled = false;
    await wait(restartDelayMs);
    if (!this.#isStopping) this.#child = this.#start();
  }
}
