/** Reads the first item, and returns all. A failure before the first item is an error of the caller. */
export async function begun<T>(items: AsyncGenerator<T, void, undefined>): Promise<AsyncIterable<T>> {
  const first = await items.next();
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* items;
  })();
}
