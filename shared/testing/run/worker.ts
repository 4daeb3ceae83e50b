import { join } from 'node:path';
import t, { Test, type TestOpts } from 'tap';
import { closeKept } from '#shared/testing/kept.ts';
import { ownWork, reportLateErrors } from './late-errors.ts';
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
  ...(['before', 'beforeEach', 'after', 'afterEach'] as const),
  ...(['ok', 'notOk', 'equal', 'not', 'same', 'notSame', 'strictSame', 'match', 'notMatch'] as const),
  ...(['throws', 'rejects', 'resolves', 'type', 'pass', 'fail', 'error'] as const),
] as const;

// Bound functions are in no stack trace: a failure shows the line of the test.
for (const method of rootMethods) {
  Object.defineProperty(t, method, { get: () => currentFile()[method].bind(currentFile()) });
}

async function runFile(file: string, timeoutSeconds: number): Promise<FileResult> {
  const startedAt = performance.now();
  const environment = { ...process.env };
  const options: TestOpts = { name: file };
  const test = new Test(options);
  let tap = '';
  test.on('data', (chunk) => (tap += chunk));
  const ended = new Promise((resolve) => test.once('end', resolve));
  current = test;
  const watchdog = watch(timeoutSeconds, () => test.timeout());
  ownWork(test);
  test.runMain(() => undefined);
  try {
    await import(join(root, file));
  } catch (error) {
    test.threw(error);
  }
  if (test.counts.total === 0 && !test.occupied) test.fail('the file has no tests');
  test.end();
  await ended;
  clearInterval(watchdog);
  current = null;
  restore(environment);
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

/** Undoes what a file set in the environment: a build of the console sets NODE_ENV, which npm obeys. */
function restore(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
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

reportLateErrors(currentFile);
process.on('message', (order: WorkerOrder) => {
  if ('end' in order) {
    void closeKept().finally(() => process.exit());
    return;
  }
  void runFile(order.run, order.timeoutSeconds).then((result) => report({ kind: 'done', result }));
});
process.once('disconnect', () => process.exit(1));
setInterval(() => report({ kind: 'alive' }), aliveEveryMs);
