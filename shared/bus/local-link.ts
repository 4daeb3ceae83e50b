import { doorName, lineName, Wire } from './local-wire.ts';
import type { HubCall, HubQuestion, HubWord, Knock } from './local-wire.ts';
import { RequestTracker } from '#shared/domain/kernel/request-tracker.ts';
import type { TransportEvents } from './transport.ts';

const joinTimeoutMs = 5000;
const knockEveryMs = 100;
const callTimeoutMs = 2000;

/** A member's line to the hub of its process: joins, asks, hears, and joins again when it was dropped. */
export class LocalLink {
  readonly #name: string;
  readonly #instance: string;
  readonly #calls = new RequestTracker<unknown>();
  readonly #joins = new RequestTracker<void>();
  #line: Wire<HubQuestion, HubWord> | null = null;
  #joined = false;

  constructor(name: string, instance: string) {
    this.#name = name;
    this.#instance = instance;
  }

  /** @throws {Error} when no hub of this name answers within 5 s. */
  async open(events: TransportEvents): Promise<void> {
    this.#line = new Wire(lineName(this.#name, this.#instance), (word) => this.#hear(word, events));
    await this.#join();
  }

  /** Asks the hub; calls are answered in their order. */
  async call(call: HubCall): Promise<unknown> {
    if (this.#line === null || !this.#joined) throw new Error(`not joined to the hub of "${this.#name}"`);
    const late = () => new Error(`the hub of "${this.#name}" did not answer within ${callTimeoutMs} ms`);
    const { id, reply } = this.#calls.open(callTimeoutMs, late);
    this.#line.say({ id, call });
    return reply;
  }

  close(): void {
    this.#line?.close();
    this.#line = null;
    this.#joined = false;
    this.#joins.failAll(linkClosed);
    this.#calls.failAll(linkClosed);
  }

  #hear(word: HubWord, events: TransportEvents): void {
    switch (word.word) {
      case 'message':
        return events.message(word.topic, word.bytes);
      case 'answer':
        return this.#calls.settle(word.id, word.value);
      case 'joined':
        return this.#joins.settle(word.attempt, undefined);
      case 'dropped':
        this.#joined = false;
        this.#calls.failAll(() => new Error(`dropped by the hub of "${this.#name}"`));
        void this.#joinAgain(events);
    }
  }

  async #join(): Promise<void> {
    const late = () => new Error(`no hub of "${this.#name}" in this process within ${joinTimeoutMs} ms`);
    const { id: attempt, reply } = this.#joins.open(joinTimeoutMs, late);
    const door = new Wire<Knock, never>(doorName(this.#name));
    const knock = () => door.say({ instance: this.#instance, attempt });
    const knocking = setInterval(knock, knockEveryMs);
    knock();
    try {
      await reply;
      this.#joined = true;
    } finally {
      clearInterval(knocking);
      door.close();
    }
  }

  async #joinAgain(events: TransportEvents): Promise<void> {
    while (this.#line !== null) {
      try {
        await this.#join();
        return events.renewed();
      } catch {
        // No hub yet, or closed meanwhile: the loop decides.
      }
    }
  }
}

function linkClosed(): Error {
  return new Error('the link to the hub is closed');
}
