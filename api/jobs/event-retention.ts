import type { Retention } from '#shared/domain/kernel/retention.ts';
import { type EventTable, removeOldEvents } from '#shared/postgres/fleet/device-records.ts';
import { removeOldDeadLetters } from '#shared/postgres/events/webhook-dead-letters.ts';
import { lowestNeededPosition, passLostEvents } from '#shared/postgres/events/webhook-retention.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { removeOldOutbox } from '#shared/postgres/kernel/outbox.statements.ts';

/** Rows that one statement deletes, so that no other statement waits long for them. */
const rowsAtOnce = 5000;

/** Retention of the dead letters of webhooks, in days. */
const deadLetterDays = 30;

/** Deletes device events, security events, outbox events and dead letters past their retention. Any number of processes may run this. */
export async function removePastEvents(
  sql: Sql,
  retention: Pick<Retention, 'logDays' | 'recordDays'> & { outboxDays: number },
  stopping = AbortSignal.any([]),
): Promise<void> {
  /** Deletes rows until none is left, or the process stops. */
  const removeAll = async (remove: () => Promise<number>): Promise<void> => {
    while (!stopping.aborted && (await remove()) === rowsAtOnce);
  };
  const days: Record<EventTable, number | null> = {
    device_events: retention.logDays,
    charger_notifications: retention.logDays,
    security_events: retention.recordDays,
  };
  for (const [table, most] of Object.entries(days) as [EventTable, number | null][]) {
    if (most !== null) await removeAll(() => removeOldEvents(sql, table, most, rowsAtOnce));
  }
  await passLostEvents(sql, retention.outboxDays);
  const needed = await lowestNeededPosition(sql);
  await removeAll(() => removeOldOutbox(sql, retention.outboxDays, rowsAtOnce, needed));
  await removeAll(() => removeOldDeadLetters(sql, deadLetterDays, rowsAtOnce));
}
