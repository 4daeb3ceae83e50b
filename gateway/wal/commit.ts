/** Waits for the group commit that its rows belong to. */
export interface CommitWaiter {
  /** The rows are on the disk. */
  committed(): void;
  /** The rows could not be written. */
  refused(error: Error): void;
}

/** Group commit of rows of many chargers: they become durable together, or not at all. */
export class Commit {
  #waiters: CommitWaiter[] = [];
  /** Result, or null while the commit is in progress. */
  #result: 'durable' | Error | null = null;

  /** Adds a waiter. It is called once: in the order of joining, or now when the commit has ended. */
  join(waiter: CommitWaiter): void {
    if (this.#result === null) this.#waiters.push(waiter);
    else answer(waiter, this.#result);
  }

  /**
   * Resolves when the rows are on the disk.
   * @throws {Error} when they could not be written.
   */
  durable(): Promise<void> {
    return new Promise((resolve, reject) => this.join({ committed: resolve, refused: reject }));
  }

  /** Ends the commit and answers all waiters in one loop. */
  end(result: 'durable' | Error): void {
    this.#result = result;
    for (const waiter of this.#waiters) answer(waiter, result);
    this.#waiters = [];
  }
}

function answer(waiter: CommitWaiter, result: 'durable' | Error): void {
  if (result === 'durable') waiter.committed();
  else waiter.refused(result);
}
