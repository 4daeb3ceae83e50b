import type { HandshakeResult, UpgradeRequest } from '#gateway/socket/server.ts';

/** Maximum value of Retry-After in seconds; each charger receives a random value between half of it and all of it. */
const retryWithinSeconds = 20;

/**
 * Authenticates known chargers at once and bounds the number of handshakes that wait for PostgreSQL. Beyond
 * `maxAtOnce` a handshake is refused with 503 without a query, and the charger retries after a random time.
 */
export class HandshakeLimit<Identity> {
  readonly #authenticateKnown: (request: UpgradeRequest) => HandshakeResult<Identity> | null;
  readonly #authenticate: (request: UpgradeRequest) => Promise<HandshakeResult<Identity>>;
  readonly #maxAtOnce: number;
  #underWay = 0;
  #closed = false;

  constructor(options: {
    /** Null when the credentials must be read first. */
    authenticateKnown: (request: UpgradeRequest) => HandshakeResult<Identity> | null;
    authenticate: (request: UpgradeRequest) => Promise<HandshakeResult<Identity>>;
    maxAtOnce: number;
  }) {
    this.#authenticateKnown = options.authenticateKnown;
    this.#authenticate = options.authenticate;
    this.#maxAtOnce = options.maxAtOnce;
  }

  /** Refuses all handshakes from now on, including those in progress. */
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

/** Refuses with Retry-After (RFC 9110 §15.6.4). */
function retryLater(): { accepted: false; status: string; headers: Record<string, string> } {
  const seconds = Math.ceil(retryWithinSeconds * (0.5 + Math.random() / 2));
  return {
    accepted: false,
    status: '503 Service Unavailable',
    headers: { 'Retry-After': String(seconds) },
  };
}
