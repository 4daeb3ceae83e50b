import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import t, { Test, type TestOpts } from 'tap';
import { closeKept } from '#shared/testing/kept.ts';
import type { FileResult, WorkerOrder, WorkerReport } from './protocol.ts';
import { root } from './test-files.ts';

/**
 * Worker process of a test run: imports the files that the runner sends, one after the other, and reports the result of each.
 * Test files add their tests to tap's root. Here the methods of the root belong to a test object of the current file, so that a
 * file ends by itself and its output is apart.
 */

const aliveEveryMs = 5000;

let current: Test | null = null;

function currentFile(): Test {
  if (current === null) throw new Error('A test was added when its file had ended');
  return current;
}

/** Methods of the root that test files and their helpers call. */
const rootMethods = [
  'test',
  'teardown',
  'comment',
  ...(['ok', 'notOk', 'equal', 'not', 'same', 'notSame', 'strictSame', 'match', 'notMatch'] as const),
  ...(['throws', 'rejects', 'resolves', 'type', 'pass', 'fail', 'error'] as const),
] as const;

// Bound functions are in no stack trace: a failure shows the line of the test.
for (const method of rootMethods) {
  Object.defineProperty(t, method, { get: () => currentFile()[method].bind(currentFile()) });
}

/** Test that began the current work. */
const owner = new AsyncLocalStorage<Test>();

/**
 * Fails the test whose work ends in an error that no code handles. After its plan, such as for a query of its pool that waits for a
 * connection, the file that runs now fails with the name of the test.
 */
function failOwner(error: unknown): void {
  if (current === null) throw error;
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const test = owner.getStore();
  if (test?.parser.planEnd === -1) test.fail(`unhandled error: ${message}`, { stack });
  else current.fail(`unhandled error of ${test?.fullname ?? 'no test'}: ${message}`, { stack });
}

async function runFile(file: string, timeoutSeconds: number): Promise<FileResult> {
  const startedAt = performance.now();
  const options: TestOpts = { name: file };
  const test = new Test(options);
  let tap = '';
  test.on('data', (chunk) => (tap += chunk));
  const ended = new Promise((resolve) => test.once('end', resolve));
  current = test;
  test.beforeEach((inner) => inner.hook.runInAsyncScope(() => owner.enterWith(inner)));
  const watchdog = watch(timeoutSeconds, () => test.timeout());
  test.runMain(() => undefined);
  try {
    await import(join(root, file));
  } catch (error) {
    test.threw(error);
  }
  test.end();
  await ended;
  clearInterval(watchdog);
  current = null;
  const { pass, fail, skip, todo } = test.counts;
  return {
    file,
    passed: test.passing(),
    counts: { pass, fail, skip, todo },
    seconds: (performance.now() - startedAt) / 1000,
    tap,
    isSpent: test.timedOut,
  };
}

/** Calls `expire` after so many turns of a second: a process that gets no CPU time loses none of them. */
function watch(seconds: number, expire: () => void): NodeJS.Timeout {
  let left = seconds;
  return setInterval(() => {
    left -= 1;
    if (left === 0) expire();
  }, 1000);
}

function report(message: WorkerReport): void {
  process.send?.(message);
}

process.on('uncaughtException', failOwner);
process.on('unhandledRejection', failOwner);
process.on('message', (order: WorkerOrder) => {
  if ('end' in order) {
    void closeKept().finally(() => process.exit());
    return;
  }
  void runFile(order.run, order.timeoutSeconds).then((result) => report({ kind: 'done', result }));
});
setInterval(() => report({ kind: 'alive' }), aliveEveryMs);
