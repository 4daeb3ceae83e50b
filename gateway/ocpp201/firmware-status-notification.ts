import { type ChargerReport, firmwareOutcome } from '#shared/domain/commands/charger-reports.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

/** OCPP 2.0.1 L01 */
export function message({
  status,
  requestId,
}: RequestOf<'2.0.1', 'FirmwareStatusNotification'>): ChargerReport {
  return {
    type: 'firmware-status',
    kind: 'Update',
    requestId: requestId ?? null,
    status,
    outcome: firmwareOutcome(status),
  };
}
