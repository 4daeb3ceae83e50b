import type { ServiceSettings } from '#api/services/kernel/deps.ts';
import { type EventTable, removeOldEvents } from '#shared/postgres/fleet/device-records.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { removeOldOutbox } from '#shared/postgres/kernel/outbox.ts';

/** Rows that one statement deletes, so that no other statement waits long for them. */
const rowsAtOnce = 5000;

/** Deletes device events, security events and outbox events past their retention. Any number of processes may run this. */
export async function removePastEvents(
  sql: Sql,
  retention: Pick<ServiceSettings, 'deviceEventDays' | 'securityEventDays' | 'outboxEventDays'>,
): Promise<void> {
  const days: Record<EventTable, number> = {
    device_events: retention.deviceEventDays,
    charger_notifications: retention.deviceEventDays,
    security_events: retention.securityEventDays,
  };
  for (const [table, most] of Object.entries(days) as [EventTable, number][]) {
    while ((await removeOldEvents(sql, table, most, rowsAtOnce)) === rowsAtOnce);
  }
  while ((await removeOldOutbox(sql, retention.outboxEventDays, rowsAtOnce)) === rowsAtOnce);
}
