import type { ChargerReport } from '#shared/domain/fleet/charger-reports.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';

/** What has no meaning of ours yet and is kept as it was said. */
export type NotificationAction =
  | 'NotifyCustomerInformation'
  | 'NotifyDisplayMessages'
  | 'NotifyChargingLimit'
  | 'ClearedChargingLimit'
  | 'NotifyEVChargingNeeds'
  | 'NotifyEVChargingSchedule'
  | 'Get15118EVCertificate'
  | 'GetCertificateStatus';

/** OCPP 2.0.1 K12–K17, M01–M06, N09, O06: the request as it is, filed under its requestId and seqNo if it has them. */
export function notification<Action extends NotificationAction>(action: Action) {
  return (payload: RequestOf<'2.0.1', Action>): ChargerReport => ({
    type: 'notification',
    action,
    requestId: 'requestId' in payload ? payload.requestId : null,
    part: 'seqNo' in payload ? payload.seqNo : null,
    payload,
  });
}

/** Nobody here makes schedules for vehicles: the station charges within the limits that it has (K15). */
export function noEvSchedule(): ResponseOf<'2.0.1', 'NotifyEVChargingNeeds'> {
  return { status: 'Rejected' };
}

/** K17: the vehicle's own schedule was taken note of. */
export function evScheduleNoted(): ResponseOf<'2.0.1', 'NotifyEVChargingSchedule'> {
  return { status: 'Accepted' };
}

/** No contract certificates are issued here (M01, M02); without one there is nothing for the vehicle to read. */
export function noContractCertificate(): ResponseOf<'2.0.1', 'Get15118EVCertificate'> {
  return { status: 'Failed', exiResponse: '' };
}

/** No OCSP responder is asked from here (M06). */
export function noCertificateStatus(): ResponseOf<'2.0.1', 'GetCertificateStatus'> {
  return { status: 'Failed' };
}
