import type { ApiDeps } from '#api/services/deps.ts';
import { removeExpiredRequests } from '#shared/postgres/access/idempotency.ts';

/** Forgets answers that were kept for a day. Any number of processes may run it. */
export async function forgetAnswers(
  { sql }: Pick<ApiDeps, 'sql'>,
  stopping = AbortSignal.any([]),
): Promise<void> {
  await removeExpiredRequests(sql, stopping);
}
