import type { ClaimRequest, Presence, PresenceEntry } from './contract.ts';
import type { Gate } from './gate.ts';
import type { Claim, Identity, PresenceStore } from './transport.ts';

/** Claims are announced again this often (ms), so that a store that lost some of them heals. */
export const announceEveryMs = 5 * 60_000;

/** Claims per round trip when many are announced. */
const announceBatch = 500;

/**
 * Presence of one member: keeps the member's claims, so that a store that lost them receives them again. `refresh`
 * repeats a claim or release that failed during an outage.
 */
export class MemberPresence implements Presence {
  readonly #identity: Identity;
  readonly #store: PresenceStore;
  readonly #gate: Gate;
  /** Requests of the caller, not claims: a shard holds one for each charger, and passes an object that it keeps anyway. */
  readonly #held = new Map<string, ClaimRequest>();
  readonly #unreleased = new Set<Claim>();
  #announceAt = performance.now() + announceEveryMs;

  constructor(identity: Identity, store: PresenceStore, gate: Gate) {
    this.#identity = identity;
    this.#store = store;
    this.#gate = gate;
  }

  async claim(key: string, connectionId: string, claimedAt = Date.now()): Promise<PresenceEntry | null> {
    const [lost] = await this.claimAll([{ key, connectionId, claimedAt }]);
    return lost ?? null;
  }

  async claimAll(requests: readonly ClaimRequest[]): Promise<PresenceEntry[]> {
    this.#gate.check();
    const claims = requests.map((request) => this.#claimOf(request));
    for (const request of requests) this.#held.set(request.key, request);
    try {
      const before = await this.#gate.pass(() => this.#store.claim(claims));
      return claims.flatMap((claim, index) => {
        const standing = before[index] ?? null;
        if (standing === null || isSameConnection(standing, claim)) return [];
        if (standing.claimedAt <= claim.claimedAt) return [entryOf(standing)];
        if (this.#held.get(claim.key) === requests[index]) this.#held.delete(claim.key);
        return [entryOf(claim)];
      });
    } catch (error) {
      this.announceSoon();
      throw error;
    }
  }

  async release(key: string, connectionId: string): Promise<boolean> {
    this.#gate.check();
    const held = this.#held.get(key);
    if (held?.connectionId !== connectionId) return false;
    this.#held.delete(key);
    const claim = this.#claimOf(held);
    try {
      return await this.#gate.pass(() => this.#store.release(claim));
    } catch (error) {
      this.#unreleased.add(claim);
      throw error;
    }
  }

  async lookup(key: string): Promise<PresenceEntry | null> {
    const claim = await this.#gate.pass(() => this.#store.lookup(key));
    return claim === null ? null : entryOf(claim);
  }

  async list(): Promise<PresenceEntry[]> {
    return (await this.#gate.pass(() => this.#store.list())).map(entryOf);
  }

  /** The next refresh announces all claims of this member. */
  announceSoon(): void {
    this.#announceAt = 0;
  }

  /** Keeps this member alive in the store, and the store true to what this member holds. */
  async refresh(): Promise<void> {
    const known = await this.#store.refresh();
    if (!known) this.announceSoon();
    if (performance.now() >= this.#announceAt) await this.#announce();
    for (const claim of this.#unreleased) {
      await this.#store.release(claim);
      this.#unreleased.delete(claim);
    }
  }

  /** Gives up everything at once. The member must not refresh after this. */
  async leave(): Promise<void> {
    this.#held.clear();
    await this.#store.leave();
  }

  #claimOf({ key, connectionId, claimedAt }: ClaimRequest): Claim {
    const { node, instance } = this.#identity;
    return { key, node, instance, connectionId, claimedAt };
  }

  async #announce(): Promise<void> {
    this.#announceAt = performance.now() + announceEveryMs;
    try {
      const requests = [...this.#held.values()];
      for (let start = 0; start < requests.length; start += announceBatch) {
        // Claims that changed since the start are not announced.
        const batch = requests
          .slice(start, start + announceBatch)
          .filter((request) => this.#held.get(request.key) === request)
          .map((request) => this.#claimOf(request));
        await this.#store.announce(batch);
      }
    } catch (error) {
      this.announceSoon();
      throw error;
    }
  }
}

function isSameConnection(one: Claim, other: Claim): boolean {
  return one.instance === other.instance && one.connectionId === other.connectionId;
}

function entryOf({ key, node, connectionId }: Claim): PresenceEntry {
  return { key, node, connectionId };
}
