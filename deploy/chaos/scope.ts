/** Owner of things that are ended together; a test of tap is one. */
export interface Scope {
  teardown(end: () => unknown): void;
}

/** Owner of the things of a run. */
export class RunScope implements Scope {
  readonly #ends: (() => unknown)[] = [];

  teardown(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Ends everything, the newest first. */
  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).toReversed()) await end();
  }
}
