import type { HandshakeResult, UpgradeRequest } from '#gateway/socket/server.ts';

/** Seconds until a charger that was turned away may come again: between half of it and all of it, spread. */
const retryWithinSeconds = 20;

/**
 * Answers an upgrade at once where that can be done without asking anybody, and bounds what the others can make wait
 * here: beyond `maxAtOnce` they are turned away with 503 before anything is asked for them, and told to come again a
 * little later, each at another time.
 */
export class HandshakeLimit<Identity> {
  readonly #authenticateKnown: (request: UpgradeRequest) => HandshakeResult<Identity> | null;
  readonly #authenticate: (request: UpgradeRequest) => Promise<HandshakeResult<Identity>>;
  readonly #maxAtOnce: number;
  #underWay = 0;
  #closed = false;

  constructor(options: {
    /** Null: it must be asked for. */
    authenticateKnown: (request: UpgradeRequest) => HandshakeResult<Identity> | null;
    authenticate: (request: UpgradeRequest) => Promise<HandshakeResult<Identity>>;
    maxAtOnce: number;
  }) {
    this.#authenticateKnown = options.authenticateKnown;
    this.#authenticate = options.authenticate;
    this.#maxAtOnce = options.maxAtOnce;
  }

  /** Nobody is let in from now on, nor those who wait for an answer. */
  close(): void {
    this.#closed = true;
  }

  authenticate(request: UpgradeRequest): HandshakeResult<Identity> | Promise<HandshakeResult<Identity>> {
    if (this.#closed) return retryLater();
    return (
      this.#authenticateKnown(request) ??
      (this.#underWay >= this.#maxAtOnce ? retryLater() : this.#ask(request))
    );
  }

  async #ask(request: UpgradeRequest): Promise<HandshakeResult<Identity>> {
    this.#underWay += 1;
    try {
      const result = await this.#authenticate(request);
      return this.#closed ? retryLater() : result;
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** RFC 9110 §15.6.4. */
function retryLater(): { accepted: false; status: string; headers: Record<string, string> } {
  const seconds = Math.ceil(retryWithinSeconds * (0.5 + Math.random() / 2));
  return {
    accepted: false,
    status: '503 Service Unavailable',
    headers: { 'Retry-After': String(seconds) },
  };
}
