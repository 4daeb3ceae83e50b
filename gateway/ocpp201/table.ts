import { vendors } from '#gateway/handlers/data-transfer/vendors.ts';
import type { Protocol, ServeAction } from '#gateway/protocol/protocol.ts';
import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { authorize } from './authorize.ts';
import { commandsOf } from './commands.ts';
import { dataTransfer } from './data-transfer.ts';
import { divided } from './divided-requests.ts';
import { effectOf } from './effects.ts';
import { meterValues } from './meter-values.ts';
import { notifyEvent } from './notify-event.ts';
import { reports } from './reports.ts';
import { bootNotification, heartbeat, signCertificate, statusNotification } from './station.ts';
import { transactionEvent } from './transaction-event.ts';

/** Returns a version with the device model: the actions of 2.0.1, and those that it adds. */
export function deviceModelProtocol(
  version: DeviceModelVersion,
  added: readonly [action: string, serve: ServeAction][],
): Protocol {
  return {
    version,
    subprotocol: `ocpp${version}`,
    commands: commandsOf(version),
    effectOf,
    divided,
    sends: new Map(),
    actions: new Map<string, ServeAction>([
      bootNotification(version),
      heartbeat(version),
      statusNotification(version),
      signCertificate(version),
      authorize(version),
      transactionEvent(version),
      meterValues(version),
      notifyEvent(version),
      dataTransfer(version, vendors),
      ...reports(version),
      ...added,
    ]),
  };
}

/** OCPP 2.0.1 with the actions that it serves. */
export const ocpp201 = deviceModelProtocol('2.0.1', []);
