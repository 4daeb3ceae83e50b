const firstPauseMs = 5;
const longestPauseMs = 250;

/** Sum of the pauses in ms after which it is in vain to wait. */
const patienceMs = 120_000;

/**
 * Asks again and again until the answer is there: for what a process does by itself and announces nowhere. Gives up by
 * the pauses that were planned between the requests. A late timer and a slow request do not count, so a machine that is
 * slow or stands still has as many requests as an idle one.
 * @param progress a value that changes while the work goes on, such as a count: each change renews the patience.
 * @throws {Error} when the answer did not come.
 */
export async function until<Answer>(
  what: string,
  ask: () => Answer | null | undefined | false | Promise<Answer | null | undefined | false>,
  progress: () => unknown = () => null,
  pause = sleep,
): Promise<Answer> {
  let last = progress();
  let waitedMs = 0;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (waitedMs >= patienceMs) throw new Error(`waited in vain for: ${what}`);
    await pause(pauseMs);
    waitedMs += pauseMs;
    const now = progress();
    if (!Object.is(now, last)) waitedMs = 0;
    last = now;
  }
}

// oxlint-disable-next-line time/no-sleep -- the pause between two requests, which every other test uses
const sleep = (ms: number) => new Promise<unknown>((resolve) => void setTimeout(resolve, ms));

/** Returns the outcome of work that must end by itself. @throws {Error} when it does not, by the patience of `until`. */
export async function untilSettled<Outcome>(what: string, work: PromiseLike<Outcome>): Promise<Outcome> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  await Promise.race([work.then(settle, settle), until(what, () => isSettled)]);
  return work;
}
