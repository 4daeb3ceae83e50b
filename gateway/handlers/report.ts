import type { ChargerReport } from '#shared/domain/commands/charger-reports.ts';
import type { StatusNotice } from '#shared/domain/commands/charger-messages.ts';
import type { DeviceEvent } from '#shared/domain/commands/device-model.ts';
import type { Context } from './context.ts';
import { handleStatus } from './status.ts';

/** Stores a report of a charger; resolves when it is durable. */
export async function handleReport(context: Context<'reports'>, report: ChargerReport): Promise<void> {
  await context.stores.reports.add({
    ...report,
    chargerId: context.charger.id,
    receivedAt: context.receivedAt,
  });
}

/** Stores events of the device model, and the connector statuses among them. */
export async function handleDeviceEvents(
  context: Context<'reports' | 'statuses'>,
  { events, statuses }: { events: DeviceEvent[]; statuses: StatusNotice[] },
): Promise<void> {
  await Promise.all([
    handleReport(context, { type: 'device-events', events }),
    ...statuses.map((status) => handleStatus(context, status)),
  ]);
}
