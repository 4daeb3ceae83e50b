import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { handleBoot } from '#gateway/handlers/boot.ts';
import { handleHeartbeat } from '#gateway/handlers/heartbeat.ts';
import { handleSignCertificate } from '#gateway/handlers/sign-certificate.ts';
import { handleStatus } from '#gateway/handlers/status.ts';
import { serve } from '#gateway/protocol/serve.ts';
import { wireTime } from '#gateway/protocol/wire-time.ts';
import { noticeTime } from '#shared/domain/kernel/clock.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { positionOf } from './position.ts';

/** OCPP 2.0.1 B01 */
export const bootNotification = (version: DeviceModelVersion) =>
  serve(version, 'BootNotification', {
    message: ({ chargingStation, reason }) => ({
      vendor: chargingStation.vendorName,
      model: chargingStation.model,
      serialNumber: chargingStation.serialNumber ?? null,
      firmwareVersion: chargingStation.firmwareVersion ?? null,
      reason,
    }),
    handle: handleBoot,
    response: ({ status, now, intervalSeconds: interval }) => ({
      status,
      currentTime: wireTime(now),
      interval,
    }),
  });

/** OCPP 2.0.1 G02 */
export const heartbeat = (version: DeviceModelVersion) =>
  serve(version, 'Heartbeat', {
    message: () => null,
    handle: handleHeartbeat,
    response: ({ now }) => ({ currentTime: wireTime(now) }),
  });

/** OCPP 2.0.1 G01 */
export const statusNotification = (version: DeviceModelVersion) =>
  serve(version, 'StatusNotification', {
    message: (request, receipt) => ({
      position: positionOf(request.evseId, request.connectorId),
      status: request.connectorStatus,
      errorCode: null,
      vendorErrorCode: null,
      info: null,
      at: noticeTime(request.timestamp, receipt),
    }),
    timed: ({ timestamp: said }) => ({ said, kind: 'status' }),
    handle: handleStatus,
  });

/** OCPP 2.0.1 A02. Without a type the certificate serves every purpose of the station. */
export const signCertificate = (version: DeviceModelVersion) =>
  serve(version, 'SignCertificate', {
    message: (request) => ({
      csr: request.csr,
      certificateType: request.certificateType ?? null,
      requestId: requestIdOf(request),
    }),
    handle: handleSignCertificate,
    response({ refusal }) {
      if (refusal === null) return { status: 'Accepted' as const };
      return {
        status: 'Rejected' as const,
        statusInfo: { reasonCode: 'InvalidCSR', additionalInfo: refusal.slice(0, 512) },
      };
    },
  });

/** Returns the number that a request of 2.1 has, and CertificateSigned repeats (A02.FR.23). */
function requestIdOf(request: RequestOf<DeviceModelVersion, 'SignCertificate'>): number | null {
  return 'requestId' in request ? (request.requestId ?? null) : null;
}
