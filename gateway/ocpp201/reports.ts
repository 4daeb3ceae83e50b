import { logStatus, securityEvent } from '#gateway/protocol/common-reports.ts';
import { report } from '#gateway/protocol/serve.ts';
import { type ChargerReport, firmwareOutcome } from '#shared/domain/commands/charger-reports.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { variableMonitors } from './notify-monitoring-report.ts';
import { deviceVariables } from './notify-report.ts';

/** Notifications without a meaning in the domain, stored as received. */
type NotificationAction =
  | 'NotifyCustomerInformation'
  | 'NotifyDisplayMessages'
  | 'NotifyChargingLimit'
  | 'ClearedChargingLimit'
  | 'NotifyEVChargingNeeds'
  | 'NotifyEVChargingSchedule'
  | 'Get15118EVCertificate'
  | 'GetCertificateStatus';

/** Returns the request as received, with its requestId and seqNo if present. */
function notification<Action extends NotificationAction>(action: Action) {
  return (payload: RequestOf<'2.0.1', Action>): ChargerReport => ({
    type: 'notification',
    action,
    requestId: 'requestId' in payload ? payload.requestId : null,
    part: 'seqNo' in payload ? payload.seqNo : null,
    payload,
  });
}

function firmwareStatus(kind: 'Update' | 'Publish') {
  return ({
    status,
    requestId,
  }: RequestOf<
    '2.0.1',
    'FirmwareStatusNotification' | 'PublishFirmwareStatusNotification'
  >): ChargerReport => ({
    type: 'firmware-status',
    kind,
    requestId: requestId ?? null,
    status,
    outcome: firmwareOutcome(status),
  });
}

/** Actions of OCPP 2.0.1 that only report. */
export const reports = [
  /** L01 */
  report('2.0.1', 'FirmwareStatusNotification', firmwareStatus('Update')),
  /** L03: a local controller publishes firmware for the stations behind it. */
  report('2.0.1', 'PublishFirmwareStatusNotification', firmwareStatus('Publish')),
  report('2.0.1', 'LogStatusNotification', logStatus),
  report('2.0.1', 'SecurityEventNotification', securityEvent),
  report('2.0.1', 'NotifyReport', deviceVariables),
  report('2.0.1', 'NotifyMonitoringReport', variableMonitors),
  /** K09. Its parts have no number; each contains complete profiles. */
  report('2.0.1', 'ReportChargingProfiles', (request) => ({
    type: 'charging-profiles',
    evse: request.evseId,
    source: request.chargingLimitSource,
    profiles: request.chargingProfile.map((profile) => ({
      profileId: profile.id,
      purpose: profile.chargingProfilePurpose,
      stackLevel: profile.stackLevel,
      profile,
    })),
  })),
  /** H01, H04: the station ended a reservation. */
  report('2.0.1', 'ReservationStatusUpdate', ({ reservationId, reservationUpdateStatus: status }) => ({
    type: 'reservation-ended',
    reservationId,
    status,
  })),
  /** N09 */
  report('2.0.1', 'NotifyCustomerInformation', notification('NotifyCustomerInformation')),
  /** O06 */
  report('2.0.1', 'NotifyDisplayMessages', notification('NotifyDisplayMessages')),
  /** K12, K13 */
  report('2.0.1', 'NotifyChargingLimit', notification('NotifyChargingLimit')),
  report('2.0.1', 'ClearedChargingLimit', notification('ClearedChargingLimit')),
  /** K15: no vehicle schedules are calculated, and the station charges within its limits. */
  report('2.0.1', 'NotifyEVChargingNeeds', notification('NotifyEVChargingNeeds'), () => ({
    status: 'Rejected' as const,
  })),
  /** K17: the vehicle's own schedule. */
  report('2.0.1', 'NotifyEVChargingSchedule', notification('NotifyEVChargingSchedule'), () => ({
    status: 'Accepted' as const,
  })),
  /** M01, M02: no contract certificates are issued. */
  report('2.0.1', 'Get15118EVCertificate', notification('Get15118EVCertificate'), () => ({
    status: 'Failed' as const,
    exiResponse: '',
  })),
  /** M06: no OCSP responder is queried. */
  report('2.0.1', 'GetCertificateStatus', notification('GetCertificateStatus'), () => ({
    status: 'Failed' as const,
  })),
] as const;
