import { setTimeout as wait } from 'node:timers/promises';

/**
 * Asks again and again until the answer is there: for what a process does by itself and announces nowhere.
 * @throws {Error} when it did not come within `withinMs`: long, since machines that run tests are slow at times.
 */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | null | undefined | false>,
  withinMs = 60_000,
): Promise<Answer> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms in vain for: ${what}`);
    await wait(25);
  }
}
