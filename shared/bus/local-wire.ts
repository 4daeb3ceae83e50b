import { BroadcastChannel } from 'node:worker_threads';
import type { Claim } from './transport.ts';

/** What a member asks of the hub. Answers: the number of receivers for `send`, what `Counters` and `PresenceStore` say for the rest. */
export type HubCall =
  | { op: 'listen' | 'unlisten'; topic: string }
  | { op: 'send'; topic: string; bytes: Uint8Array }
  | { op: 'claim' | 'release'; claim: Claim }
  | { op: 'announce'; claims: Claim[] }
  | { op: 'lookup'; key: string }
  | { op: 'count'; key: string; windowMs: number }
  | { op: 'list' | 'beat' | 'leave' };

/** From a member to the hub. */
export interface HubQuestion {
  id: number;
  call: HubCall;
}

/** From the hub to a member. */
export type HubWord =
  | { word: 'joined'; attempt: number }
  | { word: 'dropped' }
  | { word: 'answer'; id: number; value: unknown }
  | { word: 'message'; topic: string; bytes: Uint8Array };

/** A member asks to be let in; `attempt` counts its joins. */
export interface Knock {
  instance: string;
  attempt: number;
}

/**
 * One end of a channel between threads. All ends of one name hear each other, and not themselves. What is said in one
 * turn of the loop travels together: a message costs the same whether it carries one word or hundreds, and when all chargers come
 * back at once there are hundreds.
 */
export class Wire<Out, In> {
  readonly #channel: BroadcastChannel;
  #said: Out[] = [];
  #closed = false;

  constructor(name: string, hear?: (word: In) => void) {
    this.#channel = new BroadcastChannel(name);
    if (hear === undefined) return;
    this.#channel.addEventListener('message', (event) => {
      for (const word of (event as MessageEvent).data as In[]) hear(word);
    });
  }

  /** What is said after `close` is heard by nobody. */
  say(word: Out): void {
    if (this.#closed) return;
    this.#said.push(word);
    if (this.#said.length === 1) setImmediate(() => this.#send());
  }

  close(): void {
    this.#send();
    this.#closed = true;
    this.#channel.close();
  }

  #send(): void {
    if (this.#said.length === 0) return;
    const words = this.#said;
    this.#said = [];
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for browser windows
    this.#channel.postMessage(words);
  }
}

/** The name of the channel on which members knock. */
export function doorName(name: string): string {
  return `chargeway:${name}:door`;
}

/** The name of the channel between the hub and one member: nobody else opens it. */
export function lineName(name: string, instance: string): string {
  return `chargeway:${name}:member:${instance}`;
}
