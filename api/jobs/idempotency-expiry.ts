import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { removeExpiredRequests } from '#shared/postgres/access/idempotency.ts';

/** Forgets answers that were kept for a day. Any number of processes may run it. */
export async function forgetAnswers({ sql }: Pick<ServiceDeps, 'sql'>): Promise<void> {
  await removeExpiredRequests(sql);
}
