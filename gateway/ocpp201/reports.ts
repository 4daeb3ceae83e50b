import { type DeviceModelVersion, featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import { handleCertificateStatus } from '#gateway/handlers/certificate-status.ts';
import { logStatus, notification, securityEvent } from '#gateway/protocol/common-reports.ts';
import { report, serve } from '#gateway/protocol/serve.ts';
import { type ChargerReport, firmwareOutcome } from '#shared/domain/commands/charger-reports.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { ocspSubjectOf } from './authorize.ts';
import { variableMonitors } from './notify-monitoring-report.ts';
import { deviceVariables } from './notify-report.ts';

function firmwareStatus(kind: 'Update' | 'Publish') {
  return ({
    status,
    requestId,
  }: RequestOf<
    DeviceModelVersion,
    'FirmwareStatusNotification' | 'PublishFirmwareStatusNotification'
  >): ChargerReport => ({
    type: 'firmware-status',
    kind,
    requestId: requestId ?? null,
    status,
    outcome: firmwareOutcome(status),
  });
}

/** Actions that only report, and requests of a vehicle. */
export const reports = (version: DeviceModelVersion) =>
  [
    /** L01 */
    report(version, 'FirmwareStatusNotification', firmwareStatus('Update')),
    /** L03: a local controller publishes firmware for the stations behind it. */
    report(version, 'PublishFirmwareStatusNotification', firmwareStatus('Publish')),
    report(version, 'LogStatusNotification', logStatus),
    report(version, 'SecurityEventNotification', securityEvent),
    report(version, 'NotifyReport', deviceVariables),
    report(version, 'NotifyMonitoringReport', variableMonitors),
    /** K09. Its parts have no number; each contains complete profiles. */
    report(version, 'ReportChargingProfiles', (request) => ({
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
    report(version, 'ReservationStatusUpdate', ({ reservationId, reservationUpdateStatus: status }) => ({
      type: 'reservation-ended',
      reservationId,
      // NoTransaction of 2.1: the reservation was used, and no transaction began in time.
      status: status === 'NoTransaction' ? ('Expired' as const) : status,
    })),
    /** N09 */
    report(version, 'NotifyCustomerInformation', notification('NotifyCustomerInformation')),
    /** O06 */
    report(version, 'NotifyDisplayMessages', notification('NotifyDisplayMessages')),
    /** K12, K13 */
    report(version, 'NotifyChargingLimit', notification('NotifyChargingLimit')),
    report(version, 'ClearedChargingLimit', notification('ClearedChargingLimit')),
    /** K15: no vehicle schedules are calculated, and the station charges within its limits. */
    report(version, 'NotifyEVChargingNeeds', notification('NotifyEVChargingNeeds'), () => ({
      status: 'Rejected' as const,
    })),
    /** K17: the vehicle's own schedule. */
    report(version, 'NotifyEVChargingSchedule', notification('NotifyEVChargingSchedule'), () => ({
      status: 'Accepted' as const,
    })),
    /** M01, M02: no contract certificates are issued. */
    report(version, 'Get15118EVCertificate', notification('Get15118EVCertificate'), () => ({
      status: 'Failed' as const,
      exiResponse: '',
    })),
    /** M06 */
    serve(version, 'GetCertificateStatus', {
      message: ({ ocspRequestData }) => ocspSubjectOf(ocspRequestData),
      handle: handleCertificateStatus,
      response: (answer) =>
        answer === null || answer.response.length > featuresOf(version).maxOcspResultLength
          ? { status: 'Failed' as const }
          : { status: 'Accepted' as const, ocspResult: answer.response },
    }),
  ] as const;
