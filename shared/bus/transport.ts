import type { WindowCount } from './contract.ts';

/** One run of one member: `node` is its name, `instance` tells this run from an earlier one of the same name. */
export interface Identity {
  node: string;
  instance: string;
}

/** Counts for all members; see `Bus.count`. */
export interface Counters {
  count(key: string, windowMs: number): Promise<WindowCount>;
}

/** A claim of presence as it is stored. `claimedAt` (ms since 1970, the claimant's clock) orders claims. */
export interface Claim extends Identity {
  key: string;
  connectionId: string;
  claimedAt: number;
}

/** Events from a transport to the member that started it. */
export interface TransportEvents {
  /** Bytes arrived on a topic that is listened to. */
  message(topic: string, bytes: Uint8Array): void;
  /** The connection is there again after a loss; what was listened to and claimed may be forgotten. */
  renewed(): void;
}

/**
 * Transport of a bus. Calls made in sequence take effect in that order. Every call settles in bounded time; failures
 * are plain errors, named by the caller.
 */
export interface Transport {
  start(events: TransportEvents): Promise<void>;
  listen(topic: string): Promise<void>;
  unlisten(topic: string): Promise<void>;
  /** Sends to all subscribers of `topic`, in order per topic; resolves to their number. */
  send(topic: string, bytes: Uint8Array): Promise<number>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Store of presence for all members. Entries of dead members are never returned. */
export interface PresenceStore {
  /**
   * Stores each claim unless a newer living one stands. Returns, in the order of the claims, the living claim that stood
   * there, or null.
   */
  claim(claims: readonly Claim[]): Promise<(Claim | null)[]>;
  /** Stores each claim unless a newer one stands in its place. */
  announce(claims: Claim[]): Promise<void>;
  /** Removes exactly this claim, if it stands. */
  release(claim: Claim): Promise<boolean>;
  lookup(key: string): Promise<Claim | null>;
  list(): Promise<Claim[]>;
  /** Renews this member's heartbeat; returns whether the store knew the member. */
  refresh(): Promise<boolean>;
  /** Ends this member's life in the store, and with it all its claims. */
  leave(): Promise<void>;
}
