import { within } from '#shared/domain/kernel/deadline.ts';

/** Counts calls, and lets a test await a number of them. */
export function callCounter() {
  let calls = 0;
  const waiting = new Map<number, () => void>();
  return {
    count: () => calls,
    call: () => {
      calls += 1;
      waiting.get(calls)?.();
    },
    async reached(number: number, what: string): Promise<void> {
      if (calls >= number) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(number, resolve);
      await within(promise, 20_000, what);
    },
  };
}
