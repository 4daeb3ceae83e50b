import { handleAuthorize } from '#gateway/handlers/authorize.ts';
import { handleBoot } from '#gateway/handlers/boot.ts';
import { dataTransferFor } from '#gateway/handlers/data-transfer/handler.ts';
import { vendors } from '#gateway/handlers/data-transfer/vendors.ts';
import { handleHeartbeat } from '#gateway/handlers/heartbeat.ts';
import { handleMeterValues } from '#gateway/handlers/meter-values.ts';
import { handleDeviceEvents, handleReport } from '#gateway/handlers/report.ts';
import { handleSignCertificate } from '#gateway/handlers/sign-certificate.ts';
import { handleStatus } from '#gateway/handlers/status.ts';
import { handleTransactionEvent, type TransactionAnswer } from '#gateway/handlers/transaction-event.ts';
import { logStatus, securityEvent } from '#gateway/protocol/common-reports.ts';
import type { Protocol } from '#gateway/protocol/protocol.ts';
import { lastReading } from '#gateway/protocol/last-reading.ts';
import { serve } from '#gateway/protocol/serve.ts';
import * as authorize from './authorize.ts';
import * as bootNotification from './boot-notification.ts';
import { commands } from './commands.ts';
import * as dataTransfer from './data-transfer.ts';
import { divided } from './divided-requests.ts';
import { effectOf } from './effects.ts';
import * as firmwareStatusNotification from './firmware-status-notification.ts';
import * as heartbeat from './heartbeat.ts';
import * as meterValues from './meter-values.ts';
import {
  evScheduleNoted,
  noCertificateStatus,
  noContractCertificate,
  noEvSchedule,
  notification,
} from './notifications.ts';
import * as notifyEvent from './notify-event.ts';
import * as notifyMonitoringReport from './notify-monitoring-report.ts';
import * as notifyReport from './notify-report.ts';
import * as publishFirmwareStatusNotification from './publish-firmware-status-notification.ts';
import * as reportChargingProfiles from './report-charging-profiles.ts';
import * as reservationStatusUpdate from './reservation-status-update.ts';
import * as signCertificate from './sign-certificate.ts';
import * as statusNotification from './status-notification.ts';
import * as transactionEvent from './transaction-event.ts';

/** Served actions of OCPP 2.0.1, each with its translator and handler. */
export const ocpp201: Protocol = {
  version: '2.0.1',
  subprotocol: 'ocpp2.0.1',
  commands,
  effectOf,
  divided,
  actions: new Map([
    serve('2.0.1', 'BootNotification', {
      message: bootNotification.message,
      handle: handleBoot,
      response: bootNotification.response,
    }),
    serve('2.0.1', 'Heartbeat', {
      message: () => null,
      handle: handleHeartbeat,
      response: heartbeat.response,
    }),
    serve('2.0.1', 'StatusNotification', {
      message: statusNotification.message,
      timed: ({ timestamp: said }) => ({ said, kind: 'status' }),
      handle: handleStatus,
      response: () => ({}),
    }),
    serve('2.0.1', 'Authorize', {
      message: authorize.message,
      handle: handleAuthorize,
      response: authorize.response,
    }),
    serve('2.0.1', 'TransactionEvent', {
      message: transactionEvent.message,
      timed: transactionEvent.timed,
      substitutes: transactionEvent.substitutes,
      essentials: transactionEvent.essentials,
      handle: handleTransactionEvent,
      response: transactionEvent.response,
      commit: ({ commit }: TransactionAnswer) => commit,
    }),
    serve('2.0.1', 'MeterValues', {
      message: meterValues.message,
      timed: lastReading,
      substitutes: {},
      handle: handleMeterValues,
      response: () => ({}),
      commit: (commit) => commit,
    }),
    serve('2.0.1', 'DataTransfer', {
      message: dataTransfer.message,
      handle: dataTransferFor(vendors),
      response: dataTransfer.response,
    }),
    serve('2.0.1', 'FirmwareStatusNotification', {
      message: firmwareStatusNotification.message,
      handle: handleReport,
      response: () => ({}),
    }),
    serve('2.0.1', 'PublishFirmwareStatusNotification', {
      message: publishFirmwareStatusNotification.message,
      handle: handleReport,
      response: () => ({}),
    }),
    serve('2.0.1', 'LogStatusNotification', {
      message: logStatus,
      handle: handleReport,
      response: () => ({}),
    }),
    serve('2.0.1', 'SecurityEventNotification', {
      message: securityEvent,
      handle: handleReport,
      response: () => ({}),
    }),
    serve('2.0.1', 'NotifyReport', {
      message: notifyReport.message,
      handle: handleReport,
      response: () => ({}),
    }),
    serve('2.0.1', 'NotifyMonitoringReport', {
      message: notifyMonitoringReport.message,
      handle: handleReport,
      response: () => ({}),
    }),
    serve('2.0.1', 'ReportChargingProfiles', {
      message: reportChargingProfiles.message,
      handle: handleReport,
      response: () => ({}),
    }),
    serve('2.0.1', 'ReservationStatusUpdate', {
      message: reservationStatusUpdate.message,
      handle: handleReport,
      response: () => ({}),
    }),
    serve('2.0.1', 'NotifyEvent', {
      message: notifyEvent.message,
      handle: handleDeviceEvents,
      response: () => ({}),
    }),
    serve('2.0.1', 'SignCertificate', {
      message: signCertificate.message,
      handle: handleSignCertificate,
      response: signCertificate.response,
    }),
    serve('2.0.1', 'NotifyCustomerInformation', {
      message: notification('NotifyCustomerInformation'),
      handle: handleReport,
      response: () => ({}),
    }),
    serve('2.0.1', 'NotifyDisplayMessages', {
      message: notification('NotifyDisplayMessages'),
      handle: handleReport,
      response: () => ({}),
    }),
    serve('2.0.1', 'NotifyChargingLimit', {
      message: notification('NotifyChargingLimit'),
      handle: handleReport,
      response: () => ({}),
    }),
    serve('2.0.1', 'ClearedChargingLimit', {
      message: notification('ClearedChargingLimit'),
      handle: handleReport,
      response: () => ({}),
    }),
    serve('2.0.1', 'NotifyEVChargingNeeds', {
      message: notification('NotifyEVChargingNeeds'),
      handle: handleReport,
      response: noEvSchedule,
    }),
    serve('2.0.1', 'NotifyEVChargingSchedule', {
      message: notification('NotifyEVChargingSchedule'),
      handle: handleReport,
      response: evScheduleNoted,
    }),
    serve('2.0.1', 'Get15118EVCertificate', {
      message: notification('Get15118EVCertificate'),
      handle: handleReport,
      response: noContractCertificate,
    }),
    serve('2.0.1', 'GetCertificateStatus', {
      message: notification('GetCertificateStatus'),
      handle: handleReport,
      response: noCertificateStatus,
    }),
  ]),
};
