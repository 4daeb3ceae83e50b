import { vendors } from '#gateway/handlers/data-transfer/vendors.ts';
import type { Protocol, ServeAction } from '#gateway/protocol/protocol.ts';
import { authorize } from './authorize.ts';
import { commands } from './commands.ts';
import { dataTransfer } from './data-transfer.ts';
import { divided } from './divided-requests.ts';
import { effectOf } from './effects.ts';
import { meterValues } from './meter-values.ts';
import { notifyEvent } from './notify-event.ts';
import { reports } from './reports.ts';
import { bootNotification, heartbeat, signCertificate, statusNotification } from './station.ts';
import { transactionEvent } from './transaction-event.ts';

/** OCPP 2.0.1 with the actions that it serves. */
export const ocpp201: Protocol = {
  version: '2.0.1',
  subprotocol: 'ocpp2.0.1',
  commands,
  effectOf,
  divided,
  actions: new Map<string, ServeAction>([
    bootNotification,
    heartbeat,
    statusNotification,
    signCertificate,
    authorize,
    transactionEvent,
    meterValues,
    notifyEvent,
    dataTransfer(vendors),
    ...reports,
  ]),
};
