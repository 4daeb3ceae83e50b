import type { CommandEffect } from '#shared/domain/commands/command-effects.ts';
import { commonEffects } from '#gateway/protocol/common-effects.ts';
import { type EffectTable, effectsOf, sentTime } from '#gateway/protocol/effect-table.ts';

const table: EffectTable<'1.6'> = {
  ...commonEffects,
  RemoteStartTransaction: ({ idTag, connectorId = 0 }) => ({
    type: 'remote-start',
    idToken: idTag,
    evse: connectorId === 0 ? null : connectorId,
    remoteStartId: null,
  }),
  ChangeConfiguration: settingSent,
  UpdateFirmware: ({ location, retrieveDate }) => ({
    type: 'firmware-update',
    kind: 'Update',
    requestId: null,
    location,
    retrieveAt: sentTime(retrieveDate),
    installAt: null,
  }),
  SignedUpdateFirmware: ({ requestId, firmware }) => ({
    type: 'firmware-update',
    kind: 'Update',
    requestId,
    location: firmware.location,
    retrieveAt: sentTime(firmware.retrieveDateTime),
    installAt: sentTime(firmware.installDateTime),
  }),
  GetDiagnostics: ({ location, startTime, stopTime }) => ({
    type: 'log',
    kind: 'Diagnostics',
    logType: null,
    requestId: null,
    location,
    oldestAt: sentTime(startTime),
    latestAt: sentTime(stopTime),
  }),
  ReserveNow: ({ reservationId, connectorId, idTag, parentIdTag = null, expiryDate }) => ({
    type: 'reservation',
    reservationId,
    evse: connectorId === 0 ? null : connectorId,
    idToken: idTag,
    groupIdToken: parentIdTag,
    expiresAt: sentTime(expiryDate),
  }),
  SendLocalList: ({ listVersion }) => ({ type: 'local-list-sent', version: listVersion }),
  SetChargingProfile: ({ connectorId, csChargingProfiles: profile }) => ({
    type: 'charging-profile',
    evse: connectorId,
    profileId: profile.chargingProfileId,
    purpose: profile.chargingProfilePurpose,
    stackLevel: profile.stackLevel,
    profile,
  }),
  // An id identifies the profile; the other criteria apply without one (1.6 §5.5).
  ClearChargingProfile: ({ id, connectorId, chargingProfilePurpose, stackLevel }) => ({
    type: 'charging-profiles-cleared',
    profileId: id ?? null,
    evse: id === undefined ? (connectorId ?? null) : null,
    purpose: id === undefined ? (chargingProfilePurpose ?? null) : null,
    stackLevel: id === undefined ? (stackLevel ?? null) : null,
  }),
  ChangeAvailability: ({ connectorId, type }) => ({
    type: 'availability',
    position: connectorId === 0 ? null : { evse: connectorId, connector: null },
    availability: type,
  }),
};

/** Returns the effect of a change of the configuration (security whitepaper, A01). Keys are CiStrings. */
export function settingSent({ key, value }: { key: string; value: string }): CommandEffect | null {
  return key.toLowerCase() === 'authorizationkey'
    ? { type: 'password-sent', password: value, isAlone: true }
    : null;
}

/** Returns the effect of an OCPP 1.6 request that a client encoded. */
export const effectOf = effectsOf(table);
