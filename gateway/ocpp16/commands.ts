import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { SettingResult } from '#shared/domain/commands/commands.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';
import { type OutgoingCall, outgoingCall } from '#gateway/protocol/outgoing-call.ts';
import type { NamedCommands } from '#gateway/protocol/protocol.ts';
import { UnsendableCommand } from '#gateway/protocol/unsendable.ts';
import { wireTime } from '#gateway/protocol/wire-time.ts';
import { authorizationCommands } from './authorization-commands.ts';
import { chargingCommands } from './charging-commands.ts';
import { connectorIdOf } from './position.ts';

type Action =
  | 'RemoteStartTransaction'
  | 'RemoteStopTransaction'
  | 'Reset'
  | 'TriggerMessage'
  | 'UnlockConnector'
  | 'ChangeAvailability'
  | 'GetConfiguration'
  | 'ChangeConfiguration'
  | 'UpdateFirmware'
  | 'SignedUpdateFirmware';

function call<A extends Action>(action: A, request: RequestOf<'1.6', A>, what: string): OutgoingCall {
  return outgoingCall('1.6', action, request, what);
}

function connectorOf(position: ConnectorPosition | null): { connectorId?: number } {
  return position === null ? {} : { connectorId: connectorIdOf(position) };
}

function readSettings({ configurationKey = [], unknownKey = [] }: ResponseOf<'1.6', 'GetConfiguration'>) {
  const known = configurationKey.map(({ key, readonly, value }): SettingResult => ({
    key,
    value: value ?? null,
    readonly,
    status: 'Accepted',
  }));
  const unknown = unknownKey.map((key): SettingResult => ({
    key,
    value: null,
    readonly: null,
    status: 'UnknownKey',
  }));
  return { settings: [...known, ...unknown] };
}

function noDeviceModel(): never {
  throw new UnsendableCommand('OCPP 1.6 has no variables: read and change its configuration instead');
}

/** Commands of OCPP 1.6 §5 and its security whitepaper. */
export const commands: NamedCommands = {
  ...authorizationCommands,
  ...chargingCommands,
  'remote-start': ({ idToken, position }) =>
    call(
      'RemoteStartTransaction',
      { idTag: idToken, ...connectorOf(position) },
      `start with the token ${idToken}`,
    ),
  'remote-stop': ({ transactionId }) =>
    call(
      'RemoteStopTransaction',
      { transactionId: Number(transactionId) },
      `stop the transaction ${transactionId}`,
    ),
  reset: ({ kind }) => call('Reset', { type: kind }, 'reset'),
  'trigger-message': ({ requestedMessage, position }) =>
    call(
      'TriggerMessage',
      {
        // The schema validates the name of the message.
        requestedMessage: requestedMessage as RequestOf<'1.6', 'TriggerMessage'>['requestedMessage'],
        ...connectorOf(position),
      },
      `trigger ${requestedMessage}`,
    ),
  'unlock-connector': ({ position }) =>
    call('UnlockConnector', { connectorId: connectorIdOf(position) }, 'unlock the connector'),
  'change-availability': ({ position, availability }) =>
    call(
      'ChangeAvailability',
      { connectorId: position === null ? 0 : connectorIdOf(position), type: availability },
      'change the availability',
    ),
  'get-configuration': ({ keys }) =>
    outgoingCall(
      '1.6',
      'GetConfiguration',
      keys.length === 0 ? {} : { key: [...keys] },
      'read these keys',
      readSettings,
    ),
  'change-configuration': ({ key, value }) => call('ChangeConfiguration', { key, value }, `set ${key}`),
  'get-variables': noDeviceModel,
  'set-variables': noDeviceModel,
  'update-firmware': ({ location, retrieveAt, installAt, signing, requestId, ...rest }) => {
    const { retries, retryIntervalSeconds } = rest;
    const repeats = {
      ...(retries !== null && { retries }),
      ...(retryIntervalSeconds !== null && { retryInterval: retryIntervalSeconds }),
    };
    const retrieve = wireTime(retrieveAt);
    if (signing === null) {
      return call('UpdateFirmware', { location, retrieveDate: retrieve, ...repeats }, 'update the firmware');
    }
    const firmware = {
      location,
      retrieveDateTime: retrieve,
      ...(installAt !== null && { installDateTime: wireTime(installAt) }),
      signingCertificate: signing.certificate,
      signature: signing.signature,
    };
    return call('SignedUpdateFirmware', { requestId, firmware, ...repeats }, 'update to signed firmware');
  },
  // Security whitepaper, A00.FR.205 and A01: hexadecimal.
  'set-password': ({ password }) =>
    call('ChangeConfiguration', { key: 'AuthorizationKey', value: password }, 'set a password'),
};
