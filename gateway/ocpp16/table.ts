import { vendors } from '#gateway/handlers/data-transfer/vendors.ts';
import type { Protocol, ServeAction } from '#gateway/protocol/protocol.ts';
import { commands } from './commands.ts';
import { dataTransfer } from './data-transfer.ts';
import { effectOf } from './effects.ts';
import { reports } from './reports.ts';
import { bootNotification, heartbeat, signCertificate, statusNotification } from './station.ts';
import { authorize, meterValues, startTransaction, stopTransaction } from './transactions.ts';

/** OCPP 1.6J with the actions that it serves. */
export const ocpp16: Protocol = {
  version: '1.6',
  subprotocol: 'ocpp1.6',
  commands,
  effectOf,
  // Except GetConfigurationMaxKeys, 1.6 limits no list in a message.
  divided: () => null,
  sends: new Map(),
  actions: new Map<string, ServeAction>([
    bootNotification,
    heartbeat,
    statusNotification,
    signCertificate,
    authorize,
    startTransaction,
    meterValues,
    stopTransaction,
    dataTransfer(vendors),
    ...reports,
  ]),
};
