import { LocalClaims } from './local-claims.ts';
import { LocalCounters } from './local-counters.ts';
import { doorName, lineName, Wire } from './local-wire.ts';
import type { HubCall, HubQuestion, HubWord, Knock } from './local-wire.ts';

interface MemberLink {
  attempt: number;
  line: Wire<HubWord, HubQuestion>;
  topics: Set<string>;
  lastSeen: number;
}

/**
 * Central thread of a local bus: forwards messages to subscribers and stores presence. A single hub gives one order of
 * events for all members and an exact number of receivers.
 */
export class LocalHub {
  readonly #name: string;
  readonly #door: Wire<never, Knock>;
  readonly #members = new Map<string, MemberLink>();
  readonly #topics = new Map<string, Set<string>>();
  readonly #claims = new LocalClaims();
  readonly #counters = new LocalCounters();
  readonly #sweep: NodeJS.Timeout;
  readonly #sweepMs: number;
  readonly #silenceMs: number;
  #sweptAt = performance.now();

  /** A member that is silent is dropped within `ttlMs` (ms); members are heard every third of it. */
  constructor(name: string, ttlMs: number) {
    this.#name = name;
    this.#silenceMs = (ttlMs * 2) / 3;
    this.#sweepMs = ttlMs / 6;
    this.#door = new Wire(doorName(name), (knock) => this.#admit(knock));
    this.#sweep = setInterval(() => {
      this.#dropSilent();
      this.#counters.dropEnded();
    }, this.#sweepMs).unref();
  }

  close(): void {
    clearInterval(this.#sweep);
    this.#door.close();
    for (const instance of this.#members.keys()) this.#drop(instance);
  }

  #admit({ instance, attempt }: Knock): void {
    // Members knock until they are heard; all knocks of one attempt count as one.
    if (this.#members.get(instance)?.attempt === attempt) return;
    this.#remove(instance);
    const name = lineName(this.#name, instance);
    const line = new Wire<HubWord, HubQuestion>(name, (question) => this.#hear(instance, question));
    this.#members.set(instance, { attempt, line, topics: new Set(), lastSeen: performance.now() });
    line.say({ word: 'joined', attempt });
  }

  #hear(instance: string, { id, call }: HubQuestion): void {
    const member = this.#members.get(instance);
    if (member === undefined) return;
    member.lastSeen = performance.now();
    member.line.say({ word: 'answer', id, value: this.#answer(instance, member, call) });
    if (call.op === 'leave') this.#remove(instance);
  }

  #answer(instance: string, member: MemberLink, call: HubCall): unknown {
    switch (call.op) {
      case 'listen':
        member.topics.add(call.topic);
        return this.#listeners(call.topic).add(instance).size;
      case 'unlisten':
        this.#unlisten(instance, member, call.topic);
        return null;
      case 'send':
        return this.#send(call.topic, call.bytes);
      case 'claim':
        return call.claims.map((claim) => this.#claims.claim(claim));
      case 'announce':
        this.#claims.announce(call.claims);
        return null;
      case 'release':
        return this.#claims.release(call.claim);
      case 'lookup':
        return this.#claims.lookup(call.key);
      case 'list':
        return this.#claims.list();
      case 'count':
        return this.#counters.count(call.key, call.windowMs);
      case 'beat':
      case 'leave':
        return true;
      default:
        return call satisfies never;
    }
  }

  #listeners(topic: string): Set<string> {
    const listeners = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, listeners);
    return listeners;
  }

  #unlisten(instance: string, member: MemberLink, topic: string): void {
    member.topics.delete(topic);
    const listeners = this.#topics.get(topic);
    listeners?.delete(instance);
    if (listeners?.size === 0) this.#topics.delete(topic);
  }

  #send(topic: string, bytes: Uint8Array): number {
    const listeners = this.#topics.get(topic) ?? new Set();
    for (const instance of listeners) {
      this.#members.get(instance)?.line.say({ word: 'message', topic, bytes });
    }
    return listeners.size;
  }

  #dropSilent(): void {
    const now = performance.now();
    const late = now - this.#sweptAt > 2 * this.#sweepMs;
    this.#sweptAt = now;
    for (const [instance, member] of this.#members) {
      // After a pause of this thread the members' words wait to be read: silence proves nothing.
      if (late) member.lastSeen = now;
      else if (now - member.lastSeen > this.#silenceMs) this.#drop(instance);
    }
  }

  /** A dropped member that was only slow reads it when it wakes, and knocks again. */
  #drop(instance: string): void {
    this.#members.get(instance)?.line.say({ word: 'dropped' });
    this.#remove(instance);
  }

  #remove(instance: string): void {
    const member = this.#members.get(instance);
    if (member === undefined) return;
    for (const topic of member.topics) this.#unlisten(instance, member, topic);
    this.#claims.removeMember(instance);
    this.#members.delete(instance);
    member.line.close();
  }
}
