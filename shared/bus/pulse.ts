import { messageOf, type BusLog } from './log.ts';

/** The heartbeat of a member: `beat` on every interval, never two at once, and at once when asked. */
export class Pulse {
  readonly #beat: () => Promise<void>;
  readonly #log: BusLog;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #due = false;
  #stopped = false;
  #failing = false;

  /** `everyMs` in milliseconds. A beat that fails is logged once per outage and tried again on the next interval. */
  constructor(options: { everyMs: number; log: BusLog; beat: () => Promise<void> }) {
    this.#beat = options.beat;
    this.#log = options.log;
    this.#everyMs = options.everyMs;
  }

  /** Begins to beat; the first one comes after an interval. The timer does not keep the process alive. */
  start(): void {
    this.#timer = setInterval(() => void this.now(), this.#everyMs).unref();
  }

  /** Beats now; while a beat runs, once more after it. Never rejects. */
  now(): Promise<void> {
    this.#due = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** No beat starts after this; resolves when the running one has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#due && !this.#stopped) {
      this.#due = false;
      try {
        await this.#beat();
        if (this.#failing) this.#log.info({}, 'the bus is back');
        this.#failing = false;
      } catch (error) {
        if (!this.#failing) this.#log.warn({ reason: messageOf(error) }, 'the bus is unavailable');
        this.#failing = true;
      }
    }
  }
}
