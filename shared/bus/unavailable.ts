/** What carries the bus (Redis, the hub thread) is out of reach or refused; the message was not sent, or nobody can say. */
export class BusUnavailableError extends Error {
  constructor(cause: unknown) {
    super(`the bus is out of reach: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'BusUnavailableError';
  }
}
