import { BroadcastChannel } from 'node:worker_threads';
import type { Claim } from './transport.ts';

/**
 * Request of a member to the hub. Replies: the number of receivers for `send`, the results of `Counters` and
 * `PresenceStore` for the rest.
 */
export type HubCall =
  | { op: 'listen' | 'unlisten'; topic: string }
  | { op: 'send'; topic: string; bytes: Uint8Array }
  | { op: 'claim' | 'announce'; claims: readonly Claim[] }
  | { op: 'release'; claim: Claim }
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
 * One end of a channel between threads. All ends of one name receive each other's messages, but not their own.
 * Messages of one event loop turn are sent together: a post costs the same with one message or hundreds, and a
 * reconnecting fleet causes hundreds.
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

  /** Queues a message; ignored after `close`. */
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

/** Returns the name of the channel between the hub and one member, which no other member opens. */
export function lineName(name: string, instance: string): string {
  return `chargeway:${name}:member:${instance}`;
}
