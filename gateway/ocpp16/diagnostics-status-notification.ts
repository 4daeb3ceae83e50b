import { type ChargerReport, logOutcome } from '#shared/domain/commands/charger-reports.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

/** Translates OCPP 1.6 §4.4; a status that 2.0.1 spells differently is stored in the spelling of 2.0.1. */
export function message(request: RequestOf<'1.6', 'DiagnosticsStatusNotification'>): ChargerReport {
  const status = request.status === 'UploadFailed' ? 'UploadFailure' : request.status;
  return { type: 'log-status', kind: 'Diagnostics', requestId: null, status, outcome: logOutcome(status) };
}
