import closeWithGrace, { type CloseWithGraceAsyncCallback } from 'close-with-grace';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs `stop` on a termination signal or an uncaught error, for at most `withinMs`. Repeated signals are ignored: npm
 * forwards signals that the terminal sends to the whole process group.
 */
export function stopOnSignal(withinMs: number, stop: CloseWithGraceAsyncCallback): void {
  // Without any listener, be it for a moment, a signal ends the process at once, and leaves its children behind.
  for (const signal of signals) process.on(signal, letBe);
  closeWithGrace({ delay: withinMs }, async (why) => {
    for (const signal of signals) {
      // That of close-with-grace for a second signal ends the process too.
      for (const listener of process.listeners(signal))
        if (listener !== letBe) process.removeListener(signal, listener);
    }
    await stop(why);
  });
}

/** Stops of started parts. */
export type Stops = (() => unknown)[];

/** Stops the parts in the opposite order of their start, one after the other. */
export async function stopAll(stops: Stops): Promise<void> {
  for (const stop of stops.splice(0).toReversed()) await stop();
}

/** Stops a part whose start may be in progress. A start that fails closes what it opened. */
export async function stopStarted(starting: Promise<{ stop(): Promise<void> }>): Promise<void> {
  const started = await starting.catch(() => null);
  await started?.stop();
}

/** Settles as a part of a start does, or rejects when the process is stopped before: a store may not answer for a long time. */
export async function orStopped<Result>(
  part: Promise<Result>,
  stopping: AbortSignal | undefined,
): Promise<Result> {
  const stopped = Promise.withResolvers<never>();
  const reject = (): void => stopped.reject(stopping?.reason);
  if (stopping?.aborted) reject();
  else stopping?.addEventListener('abort', reject);
  try {
    return await Promise.race([part, stopped.promise]);
  } finally {
    stopping?.removeEventListener('abort', reject);
  }
}

function letBe(): void {}
