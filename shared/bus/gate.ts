import { BusClosedError, BusUnavailableError } from './contract.ts';

/** Stands before every operation on what carries the bus, and gives its failures the names of the contract. */
export class Gate {
  #closed = false;

  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
  }

  /**
   * Runs `operation`.
   * @throws {BusClosedError} when the bus is closed, or was closed meanwhile.
   * @throws {BusUnavailableError} when the operation failed otherwise.
   */
  async pass<T>(operation: () => Promise<T>): Promise<T> {
    this.check();
    try {
      return await operation();
    } catch (error) {
      this.check();
      throw error instanceof BusUnavailableError ? error : new BusUnavailableError(error);
    }
  }

  /** @throws {BusClosedError} when the bus is closed. */
  check(): void {
    if (this.#closed) throw new BusClosedError();
  }
}
