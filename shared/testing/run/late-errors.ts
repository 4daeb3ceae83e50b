import { AsyncLocalStorage } from 'node:async_hooks';
import type { Test } from 'tap';

/** The test that began the current work. */
const owner = new AsyncLocalStorage<Test>();

/** Makes each test of a file the owner of the work that it begins. */
export function ownWork(file: Test): void {
  file.beforeEach((test) => test.hook.runInAsyncScope(() => owner.enterWith(test)));
}

/**
 * Fails the test whose work ends in an error that no code handles. After the plan of that test, such as for a query of its pool that
 * waits for a connection, the current file fails with its name.
 */
export function reportLateErrors(currentFile: () => Test): void {
  const fail = (error: unknown): void => {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const test = owner.getStore();
    if (test?.parser.planEnd === -1) test.fail(`unhandled error: ${message}`, { stack });
    else currentFile().fail(`unhandled error of ${test?.fullname ?? 'no test'}: ${message}`, { stack });
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
}
