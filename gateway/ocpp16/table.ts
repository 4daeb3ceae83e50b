import { authorizeStop, handleAuthorize } from '#gateway/handlers/authorize.ts';
import { handleBoot } from '#gateway/handlers/boot.ts';
import { dataTransferFor } from '#gateway/handlers/data-transfer/handler.ts';
import { vendors } from '#gateway/handlers/data-transfer/vendors.ts';
import { handleHeartbeat } from '#gateway/handlers/heartbeat.ts';
import { handleMeterValues, storeReadings, storeSignedValues } from '#gateway/handlers/meter-values.ts';
import { handleReport } from '#gateway/handlers/report.ts';
import { handleSessionStart } from '#gateway/handlers/session-start.ts';
import { handleSessionStop } from '#gateway/handlers/session-stop.ts';
import { handleSignCertificate } from '#gateway/handlers/sign-certificate.ts';
import { handleStatus } from '#gateway/handlers/status.ts';
import { logStatus, securityEvent } from '#gateway/protocol/common-reports.ts';
import type { Protocol } from '#gateway/protocol/protocol.ts';
import { lastReading } from '#gateway/protocol/last-reading.ts';
import { serve } from '#gateway/protocol/serve.ts';
import * as authorize from './authorize.ts';
import * as bootNotification from './boot-notification.ts';
import { commands } from './commands.ts';
import * as dataTransfer from './data-transfer.ts';
import * as diagnosticsStatusNotification from './diagnostics-status-notification.ts';
import { effectOf } from './effects.ts';
import * as firmwareStatusNotification from './firmware-status-notification.ts';
import * as heartbeat from './heartbeat.ts';
import * as meterValues from './meter-values.ts';
import * as signCertificate from './sign-certificate.ts';
import * as startTransaction from './start-transaction.ts';
import * as statusNotification from './status-notification.ts';
import * as stopTransaction from './stop-transaction.ts';

/** Served actions of OCPP 1.6J, each with its translator and handler. */
export const ocpp16: Protocol = {
  version: '1.6',
  subprotocol: 'ocpp1.6',
  commands,
  effectOf,
  // Except GetConfigurationMaxKeys, 1.6 limits no list in a message.
  divided: () => null,
  actions: new Map([
    serve('1.6', 'BootNotification', {
      message: bootNotification.message,
      handle: handleBoot,
      response: bootNotification.response,
    }),
    serve('1.6', 'Heartbeat', {
      message: () => null,
      handle: handleHeartbeat,
      response: heartbeat.response,
    }),
    serve('1.6', 'StatusNotification', {
      message: statusNotification.message,
      timed: ({ timestamp: said }) => (said === undefined ? undefined : { said, kind: 'status' }),
      handle: handleStatus,
      response: () => ({}),
    }),
    serve('1.6', 'Authorize', {
      message: authorize.message,
      handle: handleAuthorize,
      response: authorize.response,
    }),
    serve('1.6', 'StartTransaction', {
      message: startTransaction.message,
      timed: ({ timestamp: said, idTag: idToken }) => ({ said, kind: 'start', idToken }),
      handle: (context, start, request) =>
        handleSessionStart(context, start, startTransaction.startKey(request)),
      response: startTransaction.response,
    }),
    serve('1.6', 'MeterValues', {
      message: meterValues.message,
      timed: lastReading,
      // An id that is no number names no transaction.
      substitutes: {},
      handle: handleMeterValues,
      response: () => ({}),
      commit: (commit) => commit,
    }),
    serve('1.6', 'StopTransaction', {
      message: stopTransaction.message,
      timed: ({ timestamp: said }) => ({ said, kind: 'other' }),
      substitutes: stopTransaction.substitutes,
      // Readings first: the last of them settles a stop without register.
      handle: async (context, stop, request) => {
        const { receivedAt: at, localTime, meterOverrides } = context;
        const receipt = { at, localOffsetMs: localTime.offsetMs };
        const report = stopTransaction.meterReport(request, receipt, meterOverrides);
        await storeReadings(context, report);
        const reconciled = await handleSessionStop(context, stop);
        if (reconciled !== null) await storeSignedValues(context, reconciled, report);
        return stop.idToken === null ? null : authorizeStop(context, stop.idToken);
      },
      response: stopTransaction.response,
    }),
    serve('1.6', 'DataTransfer', {
      message: dataTransfer.message,
      handle: dataTransferFor(vendors),
      response: dataTransfer.response,
    }),
    serve('1.6', 'FirmwareStatusNotification', {
      message: firmwareStatusNotification.message,
      handle: handleReport,
      response: () => ({}),
    }),
    serve('1.6', 'SignedFirmwareStatusNotification', {
      message: firmwareStatusNotification.message,
      handle: handleReport,
      response: () => ({}),
    }),
    serve('1.6', 'DiagnosticsStatusNotification', {
      message: diagnosticsStatusNotification.message,
      handle: handleReport,
      response: () => ({}),
    }),
    serve('1.6', 'LogStatusNotification', {
      message: logStatus,
      handle: handleReport,
      response: () => ({}),
    }),
    serve('1.6', 'SecurityEventNotification', {
      message: securityEvent,
      handle: handleReport,
      response: () => ({}),
    }),
    serve('1.6', 'SignCertificate', {
      message: signCertificate.message,
      handle: handleSignCertificate,
      response: signCertificate.response,
    }),
  ]),
};
