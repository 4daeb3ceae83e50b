import { type ChargerReport, firmwareOutcome } from '#shared/domain/commands/charger-reports.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

/** OCPP 1.6 §4.5, and SignedFirmwareStatusNotification of its security extension (L01), which names its request. */
export function message(
  request: RequestOf<'1.6', 'FirmwareStatusNotification' | 'SignedFirmwareStatusNotification'>,
): ChargerReport {
  return {
    type: 'firmware-status',
    kind: 'Update',
    requestId: 'requestId' in request ? (request.requestId ?? null) : null,
    status: request.status,
    outcome: firmwareOutcome(request.status),
  };
}
