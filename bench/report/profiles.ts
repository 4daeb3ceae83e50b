/** CPU time of a process that serves readings, by part. */
export interface Profile {
  name: string;
  /** CPU seconds for 100,000 messages. */
  seconds: number;
  /** Part of that time for each of `profileParts`, in the same order; the rest is spread. */
  shares: readonly number[];
}

export const profileParts = [
  'receive and parse',
  'validate, translate, handle',
  'message log',
  'write-ahead log, stores',
  'garbage collection',
  'send',
  'the rest',
] as const;

/** Profiles of 2026-11-24, all in one process. They are taken by hand: a scenario cannot see functions. */
export const profiles: readonly Profile[] = [
  { name: 'insert first', seconds: 9.3, shares: [0.1, 0.28, 0.15, 0.15, 0.13, 0.1] },
  { name: 'write-ahead log', seconds: 4.2, shares: [0.14, 0.22, 0.06, 0.1, 0.07, 0.2] },
];

/** Returns CPU seconds of each part, the rest included. */
export function secondsByPart({ seconds, shares }: Profile): number[] {
  const rest = 1 - shares.reduce((sum, share) => sum + share, 0);
  return [...shares, rest].map((share) => share * seconds);
}
