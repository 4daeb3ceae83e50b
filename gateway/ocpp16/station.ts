import { handleBoot } from '#gateway/handlers/boot.ts';
import { handleHeartbeat } from '#gateway/handlers/heartbeat.ts';
import { handleSignCertificate } from '#gateway/handlers/sign-certificate.ts';
import { handleStatus } from '#gateway/handlers/status.ts';
import { serve } from '#gateway/protocol/serve.ts';
import { wireTime } from '#gateway/protocol/wire-time.ts';
import { noticeTime } from '#shared/domain/kernel/clock.ts';
import { positionOf } from './position.ts';

/** OCPP 1.6 §4.2 */
export const bootNotification = serve('1.6', 'BootNotification', {
  message: (request) => ({
    vendor: request.chargePointVendor,
    model: request.chargePointModel,
    serialNumber: request.chargePointSerialNumber ?? request.chargeBoxSerialNumber ?? null,
    firmwareVersion: request.firmwareVersion ?? null,
    reason: null,
  }),
  handle: handleBoot,
  response: ({ status, now, intervalSeconds: interval }) => ({
    status,
    currentTime: wireTime(now),
    interval,
  }),
});

/** OCPP 1.6 §4.6 */
export const heartbeat = serve('1.6', 'Heartbeat', {
  message: () => null,
  handle: handleHeartbeat,
  response: ({ now }) => ({ currentTime: wireTime(now) }),
});

/** OCPP 1.6 §4.9: the status of a connector, or of the whole charger (connector 0). */
export const statusNotification = serve('1.6', 'StatusNotification', {
  message: (request, receipt) => ({
    position: positionOf(request.connectorId),
    status: request.status,
    errorCode: request.errorCode === 'NoError' ? null : request.errorCode,
    vendorErrorCode: request.vendorErrorCode ?? null,
    info: request.info ?? null,
    at: noticeTime(request.timestamp, receipt),
  }),
  timed: ({ timestamp: said }) => (said === undefined ? undefined : { said, kind: 'status' }),
  handle: handleStatus,
});

/** OCPP 1.6 security extension A02. */
export const signCertificate = serve('1.6', 'SignCertificate', {
  message: ({ csr }) => ({ csr, certificateType: null, requestId: null }),
  handle: handleSignCertificate,
  response: ({ refusal }) => ({ status: refusal === null ? ('Accepted' as const) : ('Rejected' as const) }),
});
