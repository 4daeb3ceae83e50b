import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { CommandEffect } from '#shared/domain/commands/command-effects.ts';
import type { CommandResult } from '#shared/domain/commands/commands.ts';
import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';
import { commonCommands } from '#gateway/protocol/common-commands.ts';
import { type OutgoingCall, outgoingCall } from '#gateway/protocol/outgoing-call.ts';
import type { NamedCommands } from '#gateway/protocol/protocol.ts';
import { wireTime } from '#gateway/protocol/wire-time.ts';
import { authorizationCommands } from './authorization-commands.ts';
import { chargingCommands } from './charging-commands.ts';
import { variablesSent } from './effects.ts';
import { keyOf, requiredKeys, resultOf, selected, variableOfKey } from './variables.ts';

type Action =
  | 'RequestStopTransaction'
  | 'Reset'
  | 'TriggerMessage'
  | 'UnlockConnector'
  | 'ChangeAvailability'
  | 'UpdateFirmware';

function call<A extends Action>(
  version: DeviceModelVersion,
  action: A,
  request: RequestOf<DeviceModelVersion, A>,
  what: string,
  effect: CommandEffect | null = null,
): OutgoingCall {
  return outgoingCall(version, action, request, what, { effect });
}

/** Returns SetVariables, with its effect on the stored device model and password. */
function setVariables(
  version: DeviceModelVersion,
  setVariableData: RequestOf<DeviceModelVersion, 'SetVariables'>['setVariableData'],
  what: string,
  details: (answer: ResponseOf<DeviceModelVersion, 'SetVariables'>) => Partial<CommandResult>,
): OutgoingCall {
  const request = { setVariableData };
  return outgoingCall(version, 'SetVariables', request, what, { details, effect: variablesSent(request) });
}

/**
 * Returns TriggerMessage: StatusNotification refers to a connector, every other message to an EVSE (F06.FR.12, .13).
 */
function triggered(requestedMessage: string, position: ConnectorPosition | null) {
  // The schema validates the name of the message.
  const named = {
    requestedMessage: requestedMessage as RequestOf<DeviceModelVersion, 'TriggerMessage'>['requestedMessage'],
  };
  if (position === null) return named;
  const evse =
    requestedMessage === 'StatusNotification'
      ? { id: position.evse, connectorId: position.connector }
      : { id: position.evse };
  return { ...named, evse };
}

function readSettings({ getVariableResult }: ResponseOf<DeviceModelVersion, 'GetVariables'>) {
  const settings = getVariableResult.map((result) => ({
    key: keyOf(result),
    value: result.attributeValue ?? null,
    // Only a report (B07) contains the mutability.
    readonly: null,
    status: result.attributeStatus,
  }));
  return { settings };
}

function getSettings(version: DeviceModelVersion, keys: readonly string[]): OutgoingCall {
  const getVariableData = keys.map(variableOfKey);
  return outgoingCall(version, 'GetVariables', { getVariableData }, 'read these keys', {
    details: readSettings,
  });
}

/** Returns the result of the single variable as the result of the command. */
function readSetting({ setVariableResult: [result] }: ResponseOf<DeviceModelVersion, 'SetVariables'>) {
  return { status: result?.attributeStatus ?? null };
}

/** Commands of a version. */
export const commandsOf = (version: DeviceModelVersion): NamedCommands => ({
  ...commonCommands(version),
  ...authorizationCommands(version),
  ...chargingCommands(version),
  'remote-start': ({ idToken, remoteStartId, position, startUuid }) =>
    outgoingCall(
      version,
      'RequestStartTransaction',
      {
        idToken: { idToken, type: 'Central' },
        remoteStartId,
        ...(position === null ? {} : { evseId: position.evse }),
      },
      `start with the token ${idToken}`,
      {
        effect: { type: 'remote-start', idToken, evse: position?.evse ?? null, remoteStartId, startUuid },
        // The answer to a start may name the transaction that has begun (F01).
        details: ({ transactionId }) => ({ transactionId: transactionId ?? null }),
      },
    ),
  'remote-stop': ({ transactionId }) =>
    call(version, 'RequestStopTransaction', { transactionId }, `stop the transaction ${transactionId}`),
  // Hard is Immediate; Soft waits for the end of sessions (B11, B12 of part 2).
  reset: ({ kind }) => call(version, 'Reset', { type: kind === 'Hard' ? 'Immediate' : 'OnIdle' }, 'reset'),
  'trigger-message': ({ requestedMessage, position }) =>
    call(version, 'TriggerMessage', triggered(requestedMessage, position), `trigger ${requestedMessage}`),
  'unlock-connector': ({ position: { evse, connector } }) =>
    call(version, 'UnlockConnector', { evseId: evse, connectorId: connector }, 'unlock the connector'),
  'change-availability': ({ position, availability }) =>
    call(
      version,
      'ChangeAvailability',
      {
        operationalStatus: availability,
        ...(position !== null && { evse: { id: position.evse, connectorId: position.connector } }),
      },
      'change the availability',
      { type: 'availability', position, availability },
    ),
  'get-configuration': ({ keys }) => getSettings(version, keys.length === 0 ? requiredKeys : keys),
  'change-configuration': ({ key, value }) =>
    setVariables(version, [{ ...variableOfKey(key), attributeValue: value }], `set ${key}`, readSetting),
  'get-variables': ({ variables }) =>
    outgoingCall(
      version,
      'GetVariables',
      { getVariableData: variables.map(selected) },
      'read these variables',
      { details: ({ getVariableResult }) => ({ variables: getVariableResult.map(resultOf) }) },
    ),
  'set-variables': ({ variables }) =>
    setVariables(
      version,
      variables.map(({ value, ...variable }) => ({ ...selected(variable), attributeValue: value })),
      'set these variables',
      ({ setVariableResult }) => ({ variables: setVariableResult.map(resultOf) }),
    ),
  'update-firmware': ({ requestId, location, retrieveAt, installAt, signing, ...rest }) =>
    call(
      version,
      'UpdateFirmware',
      {
        requestId,
        firmware: {
          location,
          retrieveDateTime: wireTime(retrieveAt),
          ...(installAt !== null && { installDateTime: wireTime(installAt) }),
          ...(signing !== null && {
            signingCertificate: signing.certificate,
            signature: signing.signature,
          }),
        },
        ...(rest.retries !== null && { retries: rest.retries }),
        ...(rest.retryIntervalSeconds !== null && { retryInterval: rest.retryIntervalSeconds }),
      },
      'update the firmware',
      { type: 'firmware-update', kind: 'Update', requestId, location, retrieveAt, installAt },
    ),
  // A01: 16 to 40 characters.
  'set-password': ({ password }) =>
    setVariables(
      version,
      [{ ...variableOfKey('SecurityCtrlr.BasicAuthPassword'), attributeValue: password }],
      'set a password',
      readSetting,
    ),
});
