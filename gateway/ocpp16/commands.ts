import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { CommandEffect } from '#shared/domain/commands/command-effects.ts';
import type { SettingResult } from '#shared/domain/commands/commands.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';
import { commonCommands } from '#gateway/protocol/common-commands.ts';
import { type OutgoingCall, outgoingCall } from '#gateway/protocol/outgoing-call.ts';
import type { NamedCommands } from '#gateway/protocol/protocol.ts';
import { UnsendableCommand } from '#gateway/protocol/unsendable.ts';
import { wireTime } from '#gateway/protocol/wire-time.ts';
import { authorizationCommands } from './authorization-commands.ts';
import { chargingCommands } from './charging-commands.ts';
import { settingSent } from './effects.ts';
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

function call<A extends Action>(
  action: A,
  request: RequestOf<'1.6', A>,
  what: string,
  effect: CommandEffect | null = null,
): OutgoingCall {
  return outgoingCall('1.6', action, request, what, { effect });
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
  ...commonCommands('1.6'),
  ...authorizationCommands,
  ...chargingCommands,
  'remote-start': ({ idToken, position, remoteStartId, startUuid }) =>
    call(
      'RemoteStartTransaction',
      { idTag: idToken, ...connectorOf(position) },
      `start with the token ${idToken}`,
      { type: 'remote-start', idToken, evse: position?.evse ?? null, remoteStartId, startUuid },
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
      {
        type: 'availability',
        position: position && { evse: connectorIdOf(position), connector: null },
        availability,
      },
    ),
  'get-configuration': ({ keys }) =>
    outgoingCall('1.6', 'GetConfiguration', keys.length === 0 ? {} : { key: [...keys] }, 'read these keys', {
      details: readSettings,
    }),
  'change-configuration': ({ key, value }) =>
    call('ChangeConfiguration', { key, value }, `set ${key}`, settingSent({ key, value })),
  'get-variables': noDeviceModel,
  'set-variables': noDeviceModel,
  'update-firmware': ({ location, retrieveAt, installAt, signing, requestId, ...rest }) => {
    const { retries, retryIntervalSeconds } = rest;
    const repeats = {
      ...(retries !== null && { retries }),
      ...(retryIntervalSeconds !== null && { retryInterval: retryIntervalSeconds }),
    };
    const retrieve = wireTime(retrieveAt);
    const update = { type: 'firmware-update', kind: 'Update', location, retrieveAt } as const;
    if (signing === null) {
      const request = { location, retrieveDate: retrieve, ...repeats };
      const effect = { ...update, requestId: null, installAt: null };
      return call('UpdateFirmware', request, 'update the firmware', effect);
    }
    const firmware = {
      location,
      retrieveDateTime: retrieve,
      ...(installAt !== null && { installDateTime: wireTime(installAt) }),
      signingCertificate: signing.certificate,
      signature: signing.signature,
    };
    const request = { requestId, firmware, ...repeats };
    const effect = { ...update, requestId, installAt };
    return call('SignedUpdateFirmware', request, 'update to signed firmware', effect);
  },
  // Security whitepaper, A00.FR.205 and A01: hexadecimal.
  'set-password': ({ password }) =>
    call('ChangeConfiguration', { key: 'AuthorizationKey', value: password }, 'set a password', {
      type: 'password-sent',
      password,
      isAlone: true,
    }),
};
