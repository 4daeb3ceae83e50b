import closeWithGrace, { type CloseWithGraceAsyncCallback } from 'close-with-grace';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs `stop` when the process is asked to end, or fails by an error that nobody caught; it has `withinMs` for it.
 * A signal that comes again changes nothing: npm passes on what the terminal tells every process of its group anyway.
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

function letBe(): void {}
