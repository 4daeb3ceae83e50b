import { type ChargerReport, firmwareOutcome } from '#shared/domain/commands/charger-reports.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

/** OCPP 2.0.1 L03: a local controller publishes firmware for the stations behind it. */
export function message({
  status,
  requestId,
}: RequestOf<'2.0.1', 'PublishFirmwareStatusNotification'>): ChargerReport {
  return {
    type: 'firmware-status',
    kind: 'Publish',
    requestId: requestId ?? null,
    status,
    outcome: firmwareOutcome(status),
  };
}
