import type { SessionToSettle } from '#shared/pricing/settle-session.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { selectLocked } from './sessions.ts';

/** Reads the sessions in review with what their plausible maximum follows from, without a lock. */
export async function readSessionsInReview(
  sql: Queryable,
  sessionIds: readonly bigint[],
): Promise<(SessionToSettle & { id: bigint })[]> {
  if (sessionIds.length === 0) return [];
  return sql<(SessionToSettle & { id: bigint })[]>`
    ${selectLocked(sql)} where s.id = any(${sessionIds.map(String)}::bigint[]) and s.price_state = 'REVIEW'`;
}
