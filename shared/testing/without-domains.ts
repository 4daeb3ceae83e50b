import asyncHooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Keeps tap from following every promise and timer of a test with an async hook, which takes a seventh of the CPU time of API tests. tap
 * does it to find the test of an uncaught error; the worker knows the running test (`run/worker.ts`). Loaded before tap.
 */
asyncHooks.createHook = () => {
  const hook: asyncHooks.AsyncHook = { enable: () => hook, disable: () => hook };
  return hook;
};
syncBuiltinESMExports();
