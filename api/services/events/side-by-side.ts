/** Runs work for each item, at most `limit` at a time, in their order. Rejects with the first failure when all have ended. */
export async function sideBySide<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const runner = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value);
  };
  const results = await Promise.allSettled(Array.from({ length: limit }, runner));
  const broken = results.find((result) => result.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
}
