/** A source of numbers in [0, 1), like Math.random. */
export type Random = () => number;

/**
 * A small seeded generator (xorshift with a multiplicative finish), so that a fleet behaves the same
 * way in every run with the same seed. Not for secrets.
 */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed ^ 0x2545f491, 0x9e3779b1) || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (Math.imul(state, 0x85ebca6b) >>> 0) / 2 ** 32;
  };
}

/** A number in [low, high). */
export function between(random: Random, low: number, high: number): number {
  return low + random() * (high - low);
}
