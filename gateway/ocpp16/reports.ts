import { logStatus, securityEvent } from '#gateway/protocol/common-reports.ts';
import { report } from '#gateway/protocol/serve.ts';
import { type ChargerReport, firmwareOutcome, logOutcome } from '#shared/domain/commands/charger-reports.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

function firmwareStatus(
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

/** Actions of OCPP 1.6 that only report. */
export const reports = [
  /** §4.5 */
  report('1.6', 'FirmwareStatusNotification', firmwareStatus),
  /** Security extension L01. */
  report('1.6', 'SignedFirmwareStatusNotification', firmwareStatus),
  /** §4.4; a status that 2.0.1 spells differently is stored in the spelling of 2.0.1. */
  report('1.6', 'DiagnosticsStatusNotification', (request) => {
    const status = request.status === 'UploadFailed' ? 'UploadFailure' : request.status;
    return { type: 'log-status', kind: 'Diagnostics', requestId: null, status, outcome: logOutcome(status) };
  }),
  report('1.6', 'LogStatusNotification', logStatus),
  report('1.6', 'SecurityEventNotification', securityEvent),
] as const;
