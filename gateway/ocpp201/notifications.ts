import type { ChargerReport } from '#shared/domain/commands/charger-reports.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';

/** Notifications without a meaning in the domain, stored as received. */
export type NotificationAction =
  | 'NotifyCustomerInformation'
  | 'NotifyDisplayMessages'
  | 'NotifyChargingLimit'
  | 'ClearedChargingLimit'
  | 'NotifyEVChargingNeeds'
  | 'NotifyEVChargingSchedule'
  | 'Get15118EVCertificate'
  | 'GetCertificateStatus';

/**
 * Translates OCPP 2.0.1 K12–K17, M01–M06, N09, O06: the request as received, with its requestId and seqNo if present.
 */
export function notification<Action extends NotificationAction>(action: Action) {
  return (payload: RequestOf<'2.0.1', Action>): ChargerReport => ({
    type: 'notification',
    action,
    requestId: 'requestId' in payload ? payload.requestId : null,
    part: 'seqNo' in payload ? payload.seqNo : null,
    payload,
  });
}

/** Answers that no vehicle schedules are calculated: the station charges within its limits (K15). */
export function noEvSchedule(): ResponseOf<'2.0.1', 'NotifyEVChargingNeeds'> {
  return { status: 'Rejected' };
}

/** Acknowledges the vehicle's own schedule (K17). */
export function evScheduleNoted(): ResponseOf<'2.0.1', 'NotifyEVChargingSchedule'> {
  return { status: 'Accepted' };
}

/** Answers that no contract certificates are issued (M01, M02). */
export function noContractCertificate(): ResponseOf<'2.0.1', 'Get15118EVCertificate'> {
  return { status: 'Failed', exiResponse: '' };
}

/** Answers that no OCSP responder is queried (M06). */
export function noCertificateStatus(): ResponseOf<'2.0.1', 'GetCertificateStatus'> {
  return { status: 'Failed' };
}
