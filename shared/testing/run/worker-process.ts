import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { importsStripped } from '#shared/stripping/options.ts';
import type { FileResult, WorkerOrder, WorkerReport } from './protocol.ts';

const loaded = (module: string): string => `--import=${new URL(module, import.meta.url).href}`;

const execArgv = [
  // A larger space for new objects saves a twentieth of the CPU time of API tests.
  '--max-semi-space-size=64',
  // All cores are busy: helper threads of the garbage collection would take a tenth more.
  '--single-threaded-gc',
  ...importsStripped,
  loaded('../without-domains.ts'),
  loaded('../exact-match.ts'),
];

/** Turns of `aliveTurnMs` without a sign of life after which a worker is killed: its event loop is blocked. */
const silentTurns = 60;
const aliveTurnMs = 5000;

/** Process that runs test files one after the other. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;

  constructor(environment: Record<string, string>) {
    const late = process.env['LATE'] === '1' ? ` ${loaded('../late.ts')}` : '';
    this.#child = fork(new URL('./worker.ts', import.meta.url), [], {
      execArgv,
      env: {
        ...process.env,
        ...environment,
        // The root of tap has no test of its own.
        TAP_TIMEOUT: '0',
        NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''}${late}`,
      },
      // What tests print is no result.
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    this.#exited = once(this.#child, 'exit');
  }

  /** Runs a file. A process that ends meanwhile fails the file. */
  async run(file: string, timeoutSeconds: number): Promise<FileResult> {
    const child = this.#child;
    const startedAt = performance.now();
    return new Promise((resolve) => {
      let silent = 0;
      const guard = setInterval(() => {
        silent += 1;
        if (silent > silentTurns) child.kill('SIGKILL');
      }, aliveTurnMs);
      const settle = (result: FileResult): void => {
        clearInterval(guard);
        child.off('message', receive);
        child.off('exit', fail);
        resolve(result);
      };
      const receive = (report: WorkerReport): void => {
        silent = 0;
        if (report.kind === 'done') settle(report.result);
      };
      const fail = (code: number | null, signal: string | null): void =>
        settle({
          file,
          passed: false,
          counts: { pass: 0, fail: 1, skip: 0, todo: 0 },
          seconds: (performance.now() - startedAt) / 1000,
          tap: `not ok 1 - the process of the test file ended (${signal ?? `code ${code}`})\n1..1\n`,
          isSpent: true,
        });
      child.on('message', receive);
      child.once('exit', fail);
      if (child.exitCode !== null || child.signalCode !== null) fail(child.exitCode, child.signalCode);
      else child.send({ run: file, timeoutSeconds } satisfies WorkerOrder);
    });
  }

  /** Ends the process, which closes what it keeps. */
  async end(): Promise<void> {
    if (this.#child.connected) this.#child.send({ end: true } satisfies WorkerOrder);
    await this.#exited;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
