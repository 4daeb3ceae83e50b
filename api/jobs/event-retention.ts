import type { ServiceSettings } from '#api/services/kernel/deps.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { type EventTable, removeOldEvents } from '#shared/postgres/fleet/device-records.ts';

/** Few enough that nothing waits for the rows. */
const rowsAtOnce = 5000;

/**
 * Removes events of chargers that are older than the retention period. Any number of processes can run this.
 */
export async function removePastEvents(
  sql: Sql,
  retention: Pick<ServiceSettings, 'deviceEventDays' | 'securityEventDays'>,
): Promise<void> {
  const days: Record<EventTable, number> = {
    device_events: retention.deviceEventDays,
    charger_notifications: retention.deviceEventDays,
    security_events: retention.securityEventDays,
  };
  for (const [table, most] of Object.entries(days) as [EventTable, number][]) {
    while ((await removeOldEvents(sql, table, most, rowsAtOnce)) === rowsAtOnce);
  }
}
