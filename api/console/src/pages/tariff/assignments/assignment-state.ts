import type { Assignment } from '../tariff-queries.ts';

/** State of an assignment at a time in ms. */
export function assignmentState(
  { validFrom, validUntil }: Assignment,
  now: number,
): 'present' | 'future' | 'ended' {
  if (validUntil !== null && Date.parse(validUntil) <= now) return 'ended';
  return validFrom !== null && Date.parse(validFrom) > now ? 'future' : 'present';
}
