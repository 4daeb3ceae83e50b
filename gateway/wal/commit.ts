import { Deadline, DeadlinePassed } from '#shared/domain/kernel/deadline.ts';
import { type Clock, systemClock } from '#shared/domain/kernel/system-clock.ts';

/** Waits for the group commit that its rows belong to. */
interface CommitWaiter {
  /** The rows are on the disk. */
  committed(): void;
  /** The rows could not be written, or not in time. */
  refused(error: Error): void;
}

/**
 * Group commit of rows of many chargers: they become durable together, or not at all. Its waiters are refused when it
 * lasts too long, as for a disk that does not answer. Its rows may still be stored then: their senders repeat them.
 */
export class Commit {
  readonly #deadlineMs: number;
  readonly #clock: Clock;
  /** Runs from the first waiter on. */
  #deadline: Deadline | null = null;
  #waiters: CommitWaiter[] = [];
  /** Result, or null while the commit is in progress. */
  #result: 'durable' | Error | null = null;

  constructor(deadlineMs: number, clock: Clock = systemClock) {
    this.#deadlineMs = deadlineMs;
    this.#clock = clock;
  }

  /** Adds a waiter. It is called once: in the order of joining, or now when the commit has ended. */
  join(waiter: CommitWaiter): void {
    if (this.#result !== null) return answer(waiter, this.#result);
    const pass = (): void =>
      this.end(new DeadlinePassed('a commit to the write-ahead log', this.#deadlineMs));
    this.#deadline ??= new Deadline(this.#deadlineMs, pass, this.#clock);
    this.#waiters.push(waiter);
  }

  /**
   * Resolves when the rows are on the disk.
   * @throws {Error} when they could not be written.
   */
  durable(): Promise<void> {
    return new Promise((resolve, reject) => this.join({ committed: resolve, refused: reject }));
  }

  /** Ends the commit and answers all waiters in one loop. A later end changes nothing. */
  end(result: 'durable' | Error): void {
    if (this.#result !== null) return;
    this.#deadline?.cancel();
    this.#result = result;
    for (const waiter of this.#waiters) answer(waiter, result);
    this.#waiters = [];
  }
}

function answer(waiter: CommitWaiter, result: 'durable' | Error): void {
  if (result === 'durable') waiter.committed();
  else waiter.refused(result);
}
