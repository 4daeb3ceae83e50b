import { isLockConflict, isTooSlow } from '#shared/postgres/kernel/client.ts';

/**
 * Transactions of one charger, one after the other. Calls that a charger sends without waiting for answers would wait for each
 * other's locks, until they time out or deadlock.
 */
export class Turns {
  /** Ends with the latest transaction; null: none runs. */
  #last: Promise<void> | null = null;

  /** Runs a transaction after the earlier ones, and once more when the locks of others ended it. */
  run<Result>(transaction: () => Promise<Result>): Promise<Result> {
    const turn = this.#last === null ? repeated(transaction) : this.#last.then(() => repeated(transaction));
    const end = (): void => {
      if (this.#last === ended) this.#last = null;
    };
    const ended = turn.then(end, end);
    this.#last = ended;
    return turn;
  }
}

async function repeated<Result>(transaction: () => Promise<Result>): Promise<Result> {
  try {
    return await transaction();
  } catch (error) {
    if (isLockConflict(error) || isTooSlow(error)) return transaction();
    throw error;
  }
}
