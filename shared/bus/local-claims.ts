import type { Claim } from './transport.ts';

/** The presence of all members of one process. Claims of members that left are removed, so all of them are living. */
export class LocalClaims {
  readonly #claims = new Map<string, Claim>();

  claim(claim: Claim): Claim | null {
    const standing = this.lookup(claim.key);
    if (standing === null || standing.claimedAt <= claim.claimedAt) this.#claims.set(claim.key, claim);
    return standing;
  }

  announce(claims: readonly Claim[]): void {
    for (const claim of claims) {
      const standing = this.#claims.get(claim.key);
      if (standing === undefined || standing.claimedAt < claim.claimedAt) this.#claims.set(claim.key, claim);
    }
  }

  release(claim: Claim): boolean {
    const standing = this.#claims.get(claim.key);
    const mine = standing?.instance === claim.instance && standing.connectionId === claim.connectionId;
    return mine && this.#claims.delete(claim.key);
  }

  lookup(key: string): Claim | null {
    return this.#claims.get(key) ?? null;
  }

  list(): Claim[] {
    return [...this.#claims.values()];
  }

  /** Removes all claims of a member. */
  removeMember(instance: string): void {
    for (const [key, claim] of this.#claims) if (claim.instance === instance) this.#claims.delete(key);
  }
}
