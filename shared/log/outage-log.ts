import type { Logger } from './log.ts';

/** While a failure repeats, a line is written this often, in ms. */
const repeatEveryMs = 60_000;

/** Log messages of an outage: for a failure, and for the first success after it, if a success is conclusive. */
interface OutageTexts {
  failed: string;
  recovered?: string;
}

/**
 * Logs an outage of one thing, such as the writes of one component to one store: a warning when it begins, one a minute
 * while it lasts, with the number of failures in between (`suppressed`), and a line when it ends.
 */
export class OutageLog {
  readonly #log: Pick<Logger, 'warn' | 'info'>;
  readonly #texts: OutageTexts;
  readonly #now: () => number;
  /** Start of the outage in ms; null without an outage. */
  #since: number | null = null;
  #loggedAt = 0;
  #suppressed = 0;

  constructor(log: Pick<Logger, 'warn' | 'info'>, texts: OutageTexts, now = () => performance.now()) {
    this.#log = log;
    this.#texts = texts;
    this.#now = now;
  }

  failed(error: unknown, fields: object = {}): void {
    const now = this.#now();
    if (this.#since !== null && now - this.#loggedAt < repeatEveryMs) {
      this.#suppressed += 1;
      return;
    }
    this.#since ??= now;
    this.#loggedAt = now;
    this.#log.warn({ err: error, ...this.#counted(), ...fields }, this.#texts.failed);
  }

  recovered(fields: object = {}): void {
    const { recovered } = this.#texts;
    if (this.#since === null || recovered === undefined) return;
    const lastedMs = Math.round(this.#now() - this.#since);
    this.#since = null;
    this.#log.info({ lastedMs, ...this.#counted(), ...fields }, recovered);
  }

  /** The failures since the last line, which count from zero again. */
  #counted(): { suppressed?: number } {
    const suppressed = this.#suppressed;
    this.#suppressed = 0;
    return suppressed === 0 ? {} : { suppressed };
  }
}
