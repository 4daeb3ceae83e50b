import type { ServiceSettings } from '#api/services/kernel/deps.ts';
import { type EventTable, removeOldEvents } from '#shared/postgres/fleet/device-records.ts';
import { removeOldDeadLetters } from '#shared/postgres/events/webhook-dead-letters.ts';
import { lowestNeededPosition, passLostEvents } from '#shared/postgres/events/webhook-retention.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { removeOldOutbox } from '#shared/postgres/kernel/outbox.ts';

/** Rows that one statement deletes, so that no other statement waits long for them. */
const rowsAtOnce = 5000;

/** Retention of the dead letters of webhooks, in days. */
const deadLetterDays = 30;

/** Deletes device events, security events, outbox events and dead letters past their retention. Any number of processes may run this. */
export async function removePastEvents(
  sql: Sql,
  retention: Pick<ServiceSettings, 'deviceEventDays' | 'securityEventDays' | 'outboxEventDays'>,
  stopping = AbortSignal.any([]),
): Promise<void> {
  /** Deletes rows until none is left, or the process stops. */
  const removeAll = async (remove: () => Promise<number>): Promise<void> => {
    while (!stopping.aborted && (await remove()) === rowsAtOnce);
  };
  const days: Record<EventTable, number> = {
    device_events: retention.deviceEventDays,
    charger_notifications: retention.deviceEventDays,
    security_events: retention.securityEventDays,
  };
  for (const [table, most] of Object.entries(days) as [EventTable, number][]) {
    await removeAll(() => removeOldEvents(sql, table, most, rowsAtOnce));
  }
  await passLostEvents(sql, retention.outboxEventDays);
  const needed = await lowestNeededPosition(sql);
  await removeAll(() => removeOldOutbox(sql, retention.outboxEventDays, rowsAtOnce, needed));
  await removeAll(() => removeOldDeadLetters(sql, deadLetterDays, rowsAtOnce));
}
