import { localTimeFlag } from '#shared/domain/kernel/clock.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';

/**
 * Moves the start of a charger's running sessions by the error of its local time, where the start was current when it arrived.
 * Returns them.
 */
export function shiftStarts(
  transaction: Transaction,
  chargerId: number,
  byMs: number,
): Promise<{ uuid: string; startedAt: Date }[]> {
  const startedAt = transaction`started_at + make_interval(secs => ${byMs / 1000})`;
  return transaction<{ uuid: string; startedAt: Date }[]>`
    update sessions set started_at = ${startedAt}, flags = flags || ${localTimeFlag}::text, updated_at = now()
    where charger_id = ${chargerId} and status in ('ACTIVE', 'STOPPING')
      and ${startedAt} between start_received_at - interval '2 minutes' and start_received_at + interval '2 minutes'
    returning uuid, started_at as "startedAt"`;
}
