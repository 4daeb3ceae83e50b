import { AsyncLocalStorage } from 'node:async_hooks';
import t, { type Test } from 'tap';

/** The test that began the current work. */
const owner = new AsyncLocalStorage<Test>();

/**
 * Fails the test whose work ends in an error that no code handles. After the plan of that test, such as for a query of its pool
 * that waits for a connection, the root fails with its name. tap ends the process then, with all tests that wait.
 */
export function reportLateErrors(): void {
  t.beforeEach((test) => test.hook.runInAsyncScope(() => owner.enterWith(test)));
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
}

function fail(error: unknown): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const test = owner.getStore();
  if (test?.parser.planEnd === -1) test.fail(`unhandled error: ${message}`, { stack });
  else t.fail(`unhandled error of ${test?.fullname ?? 'no test'}: ${message}`, { stack });
}
