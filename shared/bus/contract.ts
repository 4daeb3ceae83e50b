/**
 * The bus joins the API tier to the gateway. Two implementations keep this contract and pass the same
 * tests: Redis pub/sub (`redis.ts`) and the threads of one process (`local.ts`).
 *
 * Messages are plain data (what msgpack carries). Delivery is at most once, to those who listen now:
 * what must not be lost belongs in a store.
 */
export interface Bus {
  /** The name of this member of the bus, unique among all members. */
  readonly node: string;

  /** Sends to every subscriber of `channel`; resolves when it has left this process. */
  publish(channel: string, message: unknown): Promise<void>;

  /** Listens on `channel`; resolves when messages sent from now on will arrive. The answer stops listening. */
  subscribe(channel: string, listener: (message: unknown) => void): Promise<Unsubscribe>;

  /**
   * Sends a request to a responder on `channel` and resolves to the reply.
   * @throws {NoResponderError} at once, when the channel has no responder.
   * @throws {BusTimeoutError} when no reply came within `timeoutMs`.
   * @throws {ResponderError} when the responder failed; carries its message.
   * @throws {BusClosedError} when the bus was closed, or closes while waiting.
   */
  request(channel: string, message: unknown, options: { timeoutMs: number }): Promise<unknown>;

  /** Answers requests on `channel`; the answer stops answering. */
  respond(channel: string, responder: (message: unknown) => Promise<unknown>): Promise<Unsubscribe>;

  /** Presence of chargers: the member that holds each charger's socket. */
  readonly presence: Presence;

  /**
   * Increments the counter of `key` over all members. The first count opens a window of `windowMs` (ms); the counter
   * restarts at its end, or when the store behind the bus lost it.
   */
  count(key: string, windowMs: number): Promise<WindowCount>;

  /** Resolves when the bus answers within a second, rejects otherwise: for readiness checks. */
  ping(): Promise<void>;

  /** Leaves the bus: releases presence, stops listening, fails pending requests. Safe to call twice. */
  close(): Promise<void>;
}

export type Unsubscribe = () => Promise<void>;

/** Count in the current window. */
export interface WindowCount {
  count: number;
  /** Until the window ends (ms). */
  resetInMs: number;
}

/** One held key: the member that holds it and the connection it stands for. */
export interface PresenceEntry {
  key: string;
  node: string;
  connectionId: string;
}

/** Request for a key: the connection it stands for, and the time of its request (ms since 1970). */
export interface ClaimRequest {
  key: string;
  connectionId: string;
  claimedAt: number;
}

/**
 * Presence of chargers over all gateway shards. The newest claim wins, by its `claimedAt` and not by when it
 * arrives: the news of an old socket may come after that of the new one. A release counts only while the claim
 * is still one's own (compare-and-delete), so a late close cannot remove its successor.
 * Entries of a member that died disappear within `presenceTtlMs`; a member that lives re-announces its
 * claims when the store behind the bus lost them (a Redis restart).
 */
export interface Presence {
  /**
   * Claims `key` for this member, unless a newer claim exists. Returns the claim that lost: the living claim that this
   * one replaced, or this one itself. Null if no other connection held the key.
   * @param claimedAt time of the connection request (ms since 1970); by default now.
   */
  claim(key: string, connectionId: string, claimedAt?: number): Promise<PresenceEntry | null>;
  /**
   * Makes many claims of different keys at once. Returns the claims that lost, as `claim` does. The requests are kept
   * until they are released and must not change.
   */
  claimAll(requests: readonly ClaimRequest[]): Promise<PresenceEntry[]>;
  /** Releases `key` if this member and connection still hold it; returns true if they did. */
  release(key: string, connectionId: string): Promise<boolean>;
  /** Returns the current holder of `key`, or null without a living one. */
  lookup(key: string): Promise<PresenceEntry | null>;
  /** All living entries. */
  list(): Promise<PresenceEntry[]>;
}

/** Request on a channel without a responder. */
export class NoResponderError extends Error {
  constructor(channel: string) {
    super(`no responder on ${channel}`);
    this.name = 'NoResponderError';
  }
}

/** The reply did not come in time. */
export class BusTimeoutError extends Error {
  constructor(channel: string, timeoutMs: number) {
    super(`no reply on ${channel} within ${Math.round(timeoutMs)} ms`);
    this.name = 'BusTimeoutError';
  }
}

/** The responder threw. */
export class ResponderError extends Error {
  constructor(channel: string, reason: string) {
    super(`the responder on ${channel} failed: ${reason}`);
    this.name = 'ResponderError';
  }
}

/** The bus was closed. */
export class BusClosedError extends Error {
  constructor() {
    super('the bus is closed');
    this.name = 'BusClosedError';
  }
}

/** Failure of the transport (Redis, the hub thread): the message was not sent, or its delivery is unknown. */
export class BusUnavailableError extends Error {
  constructor(cause: unknown) {
    super(`the bus is unavailable: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'BusUnavailableError';
  }
}
