import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { CommandEffect } from '#shared/domain/commands/command-effects.ts';
import { commonEffects } from '#gateway/protocol/common-effects.ts';
import { type EffectTable, effectsOf, sentTime } from '#gateway/protocol/effect-table.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { componentVariableOf } from './component-variable.ts';

type SetVariable = RequestOf<DeviceModelVersion, 'SetVariables'>['setVariableData'][number];

/** Returns whether a variable is the password (A01). Names are compared without regard to case (identifierString). */
const isPassword = ({ component, variable }: SetVariable): boolean =>
  component.name.toLowerCase() === 'securityctrlr' && variable.name.toLowerCase() === 'basicauthpassword';

/** Effects of the actions of every version with the device model. */
export const deviceModelEffects: EffectTable<DeviceModelVersion> = {
  ...commonEffects,
  RequestStartTransaction: ({ idToken, evseId = null, remoteStartId }) => ({
    type: 'remote-start',
    idToken: idToken.idToken,
    evse: evseId,
    remoteStartId,
  }),
  SetVariables: variablesSent,
  SetVariableMonitoring: ({ setMonitoringData }) => ({
    type: 'monitors-set',
    monitors: setMonitoringData.map((item) => ({
      ...componentVariableOf(item),
      type: item.type,
      value: item.value,
      severity: item.severity,
      transactionOnly: item.transaction ?? false,
      notificationType: 'CustomMonitor',
    })),
  }),
  UpdateFirmware: ({ requestId, firmware }) => ({
    type: 'firmware-update',
    kind: 'Update',
    requestId,
    location: firmware.location,
    retrieveAt: sentTime(firmware.retrieveDateTime),
    installAt: sentTime(firmware.installDateTime),
  }),
  PublishFirmware: ({ requestId, location }) => ({
    type: 'firmware-update',
    kind: 'Publish',
    requestId,
    location,
    retrieveAt: null,
    installAt: null,
  }),
  ReserveNow: ({ id, evseId = null, idToken, groupIdToken, expiryDateTime }) => ({
    type: 'reservation',
    reservationId: id,
    evse: evseId,
    idToken: idToken.idToken,
    groupIdToken: groupIdToken?.idToken ?? null,
    expiresAt: sentTime(expiryDateTime),
  }),
  SendLocalList: ({ versionNumber }) => ({ type: 'local-list-sent', version: versionNumber }),
  SetChargingProfile: ({ evseId, chargingProfile: profile }) => ({
    type: 'charging-profile',
    evse: evseId,
    profileId: profile.id,
    purpose: profile.chargingProfilePurpose,
    stackLevel: profile.stackLevel,
    profile,
  }),
  ClearChargingProfile: ({ chargingProfileId, chargingProfileCriteria: criteria }) => ({
    type: 'charging-profiles-cleared',
    profileId: chargingProfileId ?? null,
    evse: criteria?.evseId ?? null,
    purpose: criteria?.chargingProfilePurpose ?? null,
    stackLevel: criteria?.stackLevel ?? null,
  }),
  ChangeAvailability: ({ evse, operationalStatus }) => ({
    type: 'availability',
    // EVSE 0 is the whole charger (part 2, glossary).
    position:
      evse === undefined || evse.id === 0 ? null : { evse: evse.id, connector: evse.connectorId ?? null },
    availability: operationalStatus,
  }),
};

/** Returns the effect of SetVariables: values of the device model, and a password. */
export function variablesSent({
  setVariableData,
}: RequestOf<DeviceModelVersion, 'SetVariables'>): CommandEffect {
  const password = setVariableData.findLast(isPassword);
  return {
    type: 'variables-sent',
    variables: setVariableData
      .filter((item) => !isPassword(item))
      .map((item) => ({
        ...componentVariableOf(item),
        attribute: item.attributeType ?? 'Actual',
        value: item.attributeValue,
      })),
    password:
      password === undefined
        ? null
        : {
            type: 'password-sent',
            password: password.attributeValue,
            isAlone: setVariableData.length === 1,
          },
  };
}

/** Returns the effect of an OCPP 2.0.1 request that a client encoded. */
export const effectOf = effectsOf(deviceModelEffects);
