/** Closes what this process keeps, in the order of its opening. */
const closes: (() => Promise<unknown>)[] = [];

/**
 * Keeps a value for all tests of this process, such as a browser or a gateway: opens it on the first call. `closeKept`
 * closes it. A value that could not be opened is opened again on the next call.
 */
export function kept<Value>(
  open: () => Promise<Value>,
  close: (value: Value) => Promise<unknown>,
): () => Promise<Value> {
  let opened: Promise<Value> | null = null;
  return () => {
    opened ??= open().then(
      (value) => {
        closes.push(() => close(value));
        return value;
      },
      (error: unknown) => {
        opened = null;
        throw error;
      },
    );
    return opened;
  };
}

/** Closes all kept values, the last one first. The process calls it when it has run its last test file. */
export async function closeKept(): Promise<void> {
  for (const close of closes.splice(0).toReversed()) await close();
}
