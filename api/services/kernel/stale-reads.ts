import { primaryReads, type StaleReads } from '#shared/postgres/kernel/replica.ts';
import type { ServiceDeps } from './deps.ts';

/** Age in ms from which an instant is in the past for every replica that is read: far more than the age of its data. */
const settledAfterMs = 60_000;

/**
 * Returns the reads of an extract up to an instant. A client continues at that instant, so an extract of the last moments
 * comes from the primary: what a replica did not have yet would be in none.
 */
export function readsUpTo(
  { sql, staleReads }: Pick<ServiceDeps, 'sql' | 'staleReads'>,
  to: Date,
): StaleReads {
  return to.getTime() <= Date.now() - settledAfterMs ? staleReads : primaryReads(sql);
}
