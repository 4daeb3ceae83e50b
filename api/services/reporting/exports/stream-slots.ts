import { DomainError } from '#shared/domain/kernel/errors.ts';

/** Streams at a time, of one caller and of a process: each holds a connection, or reads batch after batch. */
const maxPerCaller = 1;
const maxPerProcess = 3;

/** Running streams of this process, by their caller. */
export class StreamSlots {
  readonly #running = new Map<string, number>();
  readonly #alternative: string;
  #total = 0;

  /** @param alternative what a refused caller can do instead of waiting. Null: nothing. */
  constructor(alternative: string | null = null) {
    this.#alternative = alternative === null ? '' : `, ${alternative}`;
  }

  /**
   * Takes a slot, which the returned function releases.
   * @throws {DomainError} TOO_MANY_EXPORTS.
   */
  take(caller: string): () => void {
    const running = this.#running.get(caller) ?? 0;
    if (running >= maxPerCaller || this.#total >= maxPerProcess) {
      throw new DomainError(
        'TOO_MANY_EXPORTS',
        `Another export is being streamed. Try again when it has ended${this.#alternative}.`,
      );
    }
    this.#running.set(caller, running + 1);
    this.#total += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#total -= 1;
      const left = (this.#running.get(caller) ?? 1) - 1;
      if (left === 0) this.#running.delete(caller);
      else this.#running.set(caller, left);
    };
  }
}
