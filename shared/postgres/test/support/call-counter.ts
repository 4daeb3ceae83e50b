import { until } from '#shared/testing/until.ts';

/** Counts calls, and lets a test await a number of them. */
export function callCounter() {
  let calls = 0;
  return {
    count: () => calls,
    call: () => {
      calls += 1;
    },
    async reached(number: number, what: string): Promise<void> {
      await until(what, () => calls >= number);
    },
  };
}
