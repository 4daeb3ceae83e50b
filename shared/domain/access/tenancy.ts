/**
 * Networks visible to a caller. Every query of a store takes one (rule 8 of the architecture): a scoped
 * caller has no unscoped read.
 */
export type NetworkScope = { all: true } | { all: false; networkIds: readonly number[] };

/** First-party keys that are not pinned to a set of networks. */
export const allNetworks: NetworkScope = { all: true };

/** The scope of a caller pinned to these networks. */
export function onlyNetworks(networkIds: readonly number[]): NetworkScope {
  return { all: false, networkIds };
}

/** Sessions visible to a caller: those of its networks, and of one driver where `userId` is given. */
export interface SessionScope {
  networks: NetworkScope;
  userId: number | null;
}
