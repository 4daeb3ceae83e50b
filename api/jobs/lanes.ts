/**
 * Work by destination, in the background: of one destination never twice at once, of several side by side, so that a slow one delays
 * no other.
 */
export class Lanes<Destination> {
  readonly #work: (destination: Destination) => Promise<void>;
  readonly #failed: (error: unknown, destination: Destination) => void;
  readonly #running = new Map<Destination, Promise<void>>();
  /** Destinations that were started again while their lane was at work: it may have looked just before that. */
  readonly #toRepeat = new Set<Destination>();
  #isStopping = false;

  /** @param work drains a destination; when it fails, `failed` is called and the lane ends. */
  constructor(
    work: (destination: Destination) => Promise<void>,
    failed: (error: unknown, destination: Destination) => void,
  ) {
    this.#work = work;
    this.#failed = failed;
  }

  /** Starts the work of a destination, or repeats it after the present run. */
  start(destination: Destination): void {
    if (this.#isStopping) return;
    if (this.#running.has(destination)) {
      this.#toRepeat.add(destination);
      return;
    }
    const lane = this.#work(destination)
      .catch((error: unknown) => this.#failed(error, destination))
      .finally(() => {
        this.#running.delete(destination);
        if (this.#toRepeat.delete(destination)) this.start(destination);
      });
    this.#running.set(destination, lane);
  }

  /** Starts nothing more; resolves when all work has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running.values());
  }
}
