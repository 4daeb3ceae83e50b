import { DeadlinePassed } from './deadline.ts';

/** Operation on a batch of items that one invalid item can fail. */
interface BatchOperation<Item, Result> {
  run(items: Item[]): Promise<Result>;
  /** Returns true when the store failed, so that every item would fail again. */
  isStoreFailure(error: unknown): boolean;
  /** Receives the items of a run that succeeded. */
  succeeded(items: Item[], result: Result): void;
  /** Receives the items of a failed run: one invalid item, or all of a run when the store failed. May throw to abort. */
  failed(items: Item[], error: unknown): void;
}

/**
 * Runs a batch and halves it after a failure until the invalid item is isolated: one invalid item among n costs about
 * 2 log n runs. A failure of the store or a passed deadline is not bisected. Rejects only when `failed` throws.
 */
export async function runBisected<Item, Result>(
  items: Item[],
  operation: BatchOperation<Item, Result>,
): Promise<void> {
  let result: Result;
  try {
    result = await operation.run(items);
  } catch (error) {
    if (items.length === 1 || error instanceof DeadlinePassed || operation.isStoreFailure(error)) {
      operation.failed(items, error);
      return;
    }
    const half = Math.ceil(items.length / 2);
    await runBisected(items.slice(0, half), operation);
    await runBisected(items.slice(half), operation);
    return;
  }
  operation.succeeded(items, result);
}
