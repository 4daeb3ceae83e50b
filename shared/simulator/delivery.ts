import { setTimeout as sleep } from 'node:timers/promises';
import type { Payload } from './payload.ts';
import { type Call, CallError, CallTimeout, ConnectionLost } from './rpc.ts';

interface DeliveryOptions {
  /** Resolves when the station may send: connected and booted. Rejects when it was closed. */
  ready: () => Promise<void>;
  send: (call: Call) => Promise<Payload>;
  /**
   * Number of attempts to send a message that is answered with CALLERROR (1.6: TransactionMessageAttempts).
   */
  attempts: number;
  /** Wait after such an answer, multiplied by the attempt (1.6: TransactionMessageRetryInterval), in ms. */
  retryMs: number;
}

/**
 * Delivers a station's transaction messages in order and at least once (1.6 section 3.7.1, 2.0.1 E04 and E12):
 * what got no answer is sent again, with the same content, when the connection is back.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /**
   * Resolves with the answer. `encode` is called once, right before the first sending, so a 1.6 message can
   * take the transaction id from the answer before it. Rejects with CallError when the attempts are used up.
   */
  deliver(encode: () => Call): Promise<Payload> {
    const before = this.#last;
    const delivered = (async () => {
      await before;
      return await this.#offer(encode);
    })();
    this.#last = delivered.catch(() => undefined);
    return delivered;
  }

  /** Resolves when everything that was handed over is answered or given up. */
  async settled(): Promise<void> {
    await this.#last;
  }

  async #offer(encode: () => Call): Promise<Payload> {
    let call: Call | undefined;
    for (let refusals = 0; ;) {
      await this.#options.ready();
      try {
        call ??= encode();
        return await this.#options.send(call);
      } catch (error) {
        if (error instanceof CallError && ++refusals < this.#options.attempts) {
          await sleep(this.#options.retryMs * refusals, undefined, { ref: false });
        } else if (!(error instanceof CallTimeout || error instanceof ConnectionLost)) {
          throw error;
        }
      }
    }
  }
}
