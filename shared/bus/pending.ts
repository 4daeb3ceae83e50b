import { Deadline } from '#shared/domain/kernel/deadline.ts';

interface Waiting<T> {
  resolve(value: T): void;
  reject(error: Error): void;
  deadline: Deadline;
}

/** Matches answers to questions by number; every question has a deadline. */
export class Pending<T> {
  readonly #waiting = new Map<number, Waiting<T>>();
  #last = 0;

  /** Opens a question. `answer` rejects with `onTimeout()` after `timeoutMs`; it has to be awaited at once. */
  open(timeoutMs: number, onTimeout: () => Error): { id: number; answer: Promise<T> } {
    const id = ++this.#last;
    const answer = new Promise<T>((resolve, reject) => {
      const deadline = new Deadline(timeoutMs, () => this.fail(id, onTimeout()));
      this.#waiting.set(id, { resolve, reject, deadline });
    });
    return { id, answer };
  }

  /** Answers a question; a late or a second answer is ignored. */
  settle(id: number, value: T): void {
    this.#take(id)?.resolve(value);
  }

  /** Fails a question, if it is still open. */
  fail(id: number, error: Error): void {
    this.#take(id)?.reject(error);
  }

  /** Fails every open question. */
  failAll(reason: () => Error): void {
    for (const id of this.#waiting.keys()) this.fail(id, reason());
  }

  #take(id: number): Waiting<T> | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(id);
    waiting.deadline.cancel();
    return waiting;
  }
}
