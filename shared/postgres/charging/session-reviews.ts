import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { type LockedSession, selectLocked } from './sessions.ts';

/** Reads the sessions in review with what their plausible maximum follows from, without a lock. */
export async function readSessionsInReview(
  sql: Queryable,
  sessionIds: readonly bigint[],
): Promise<LockedSession[]> {
  if (sessionIds.length === 0) return [];
  return sql<LockedSession[]>`
    ${selectLocked(sql)} where s.id = any(${sessionIds.map(String)}::bigint[]) and s.price_state = 'REVIEW'`;
}
