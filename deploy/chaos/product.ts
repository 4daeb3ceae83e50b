import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '#shared/testing/until.ts';

/** Start of one process of the product. */
interface ProductPlan {
  name: string;
  entry: 'gateway/main.ts' | 'api/main.ts';
  env: Record<string, string>;
  healthUrl: string;
  /** File that receives its output. */
  log: string;
  /** File that holds how far its clock is ahead, in ms. */
  clock: string;
  /** Checkout of the version that it starts with. */
  checkout: string;
  /** Returns true while it cannot reach a store. */
  isCutOff: () => boolean;
}

/** The present version. */
export const presentCheckout = join(import.meta.dirname, '../..');

const restartDelayMs = 200;

/** Process of the product that is started again whenever it ends, as a service manager does. */
export class Product {
  readonly name: string;
  readonly #plan: ProductPlan;
  #child: ChildProcess;
  #checkout: string;
  #isStopping = false;
  /** End that is expected. */
  #ending: 'killed' | 'in order' | null = null;
  /** True from the start of a process until it is ready. */
  #isStarting = true;
  /** Number of times that the process ended by itself, or not in order when it was asked to. */
  unexpectedExits = 0;
  /** Number of processes that were cut off from a store at their start, and ended with exit code 1 as they should. */
  failedStarts = 0;

  constructor(plan: ProductPlan) {
    this.name = plan.name;
    this.#plan = plan;
    this.#checkout = plan.checkout;
    this.stepClock(0);
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
    await until(`${this.name} to be ready`, isReady);
  }

  /** Ends the process with SIGKILL; a new one is started after 200 ms. */
  kill(): void {
    this.#ending = 'killed';
    this.#child.kill('SIGKILL');
  }

  /** Ends the process in order; the present version is started in its place. */
  upgrade(): void {
    this.#ending = 'in order';
    this.#checkout = presentCheckout;
    this.#child.kill('SIGTERM');
  }

  /** Stops the process with SIGSTOP; returns the function that continues it. */
  freeze(): () => void {
    const child = this.#child;
    child.kill('SIGSTOP');
    return () => void child.kill('SIGCONT');
  }

  /** Sets how far the wall clock of the process is ahead, in ms. Negative: it is behind. */
  stepClock(aheadMs: number): void {
    const next = `${this.#plan.clock}.next`;
    writeFileSync(next, String(aheadMs));
    renameSync(next, this.#plan.clock);
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
    const preload = new URL('./clock.js', import.meta.url);
    preload.searchParams.set('file', this.#plan.clock);
    const log = openSync(this.#plan.log, 'a');
    const child = spawn(process.execPath, ['deploy/run.js', this.#plan.entry], {
      cwd: this.#checkout,
      env: {
        PATH: process.env.PATH ?? '',
        NODE_OPTIONS: `--import=${preload.href}`,
        ...this.#plan.env,
      },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child.once('exit', (code) => void this.#restart(code));
    this.#isStarting = true;
    const started = (): void => {
      if (child === this.#child) this.#isStarting = false;
    };
    this.ready().then(started, () => undefined);
    return child;
  }

  /** @param code null: it ended by a signal. */
  async #restart(code: number | null): Promise<void> {
    if (this.#isStopping) return;
    const isExpected = this.#ending === 'killed' || (this.#ending === 'in order' && code === 0);
    const isFailedStart = this.#isStarting && code === 1 && this.#plan.isCutOff();
    if (this.#ending === null && isFailedStart) this.failedStarts++;
    else if (!isExpected) this.unexpectedExits++;
    this.#ending = null;
    await wait(restartDelayMs);
    if (!this.#isStopping) this.#child = this.#start();
  }
}
