import type { Admission, UpgradeRequest } from '#gateway/socket/server.ts';

/** Seconds until a charger that was turned away may come again: between half of it and all of it, spread. */
const retryWithinSeconds = 20;

/**
 * Answers an upgrade at once where that can be done without asking anybody, and bounds what the others can make wait
 * here: beyond `maxAtOnce` they are turned away with 503 before anything is asked for them, and told to come again a
 * little later, each at another time.
 */
export class AdmissionLimit<Guest> {
  readonly #admitKnown: (request: UpgradeRequest) => Admission<Guest> | null;
  readonly #admit: (request: UpgradeRequest) => Promise<Admission<Guest>>;
  readonly #maxAtOnce: number;
  #underWay = 0;
  #closed = false;

  constructor(options: {
    /** Null: it must be asked for. */
    admitKnown: (request: UpgradeRequest) => Admission<Guest> | null;
    admit: (request: UpgradeRequest) => Promise<Admission<Guest>>;
    maxAtOnce: number;
  }) {
    this.#admitKnown = options.admitKnown;
    this.#admit = options.admit;
    this.#maxAtOnce = options.maxAtOnce;
  }

  /** Nobody is let in from now on, nor those who wait for an answer. */
  close(): void {
    this.#closed = true;
  }

  admit(request: UpgradeRequest): Admission<Guest> | Promise<Admission<Guest>> {
    if (this.#closed) return comeLater();
    return (
      this.#admitKnown(request) ?? (this.#underWay >= this.#maxAtOnce ? comeLater() : this.#ask(request))
    );
  }

  async #ask(request: UpgradeRequest): Promise<Admission<Guest>> {
    this.#underWay += 1;
    try {
      const admission = await this.#admit(request);
      return this.#closed ? comeLater() : admission;
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** RFC 9110 §15.6.4. */
function comeLater(): { admitted: false; status: string; headers: Record<string, string> } {
  const seconds = Math.ceil(retryWithinSeconds * (0.5 + Math.random() / 2));
  return {
    admitted: false,
    status: '503 Service Unavailable',
    headers: { 'Retry-After': String(seconds) },
  };
}
