import type { ChargingProfile, ProfileCriteria } from '#shared/domain/charging/charging-profile.ts';
import type { CommandEffect } from '#shared/domain/commands/command-effects.ts';
import type { Reservation } from '#shared/domain/commands/commands.ts';
import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { sentTime } from './effect-table.ts';

/** Request that all versions have; the security extension of 1.6 adopts messages of 2.0.1. */
type Common<Action extends 'CancelReservation' | 'DeleteCertificate' | 'GetLog' | 'InstallCertificate'> =
  RequestOf<OcppVersion, Action>;

/** Effects of actions that are identical in all versions. */
export const commonEffects = {
  CancelReservation: ({ reservationId }: Common<'CancelReservation'>): CommandEffect => ({
    type: 'reservation-cancelled',
    reservationId,
  }),
  GetLog: ({ requestId, logType, log }: Common<'GetLog'>): CommandEffect => ({
    type: 'log',
    kind: 'Log',
    logType,
    requestId,
    location: log.remoteLocation,
    oldestAt: sentTime(log.oldestTimestamp),
    latestAt: sentTime(log.latestTimestamp),
  }),
  InstallCertificate: ({ certificateType, certificate }: Common<'InstallCertificate'>): CommandEffect => ({
    type: 'certificate-installed',
    certificateType,
    pem: certificate,
  }),
  DeleteCertificate: ({ certificateHashData: named }: Common<'DeleteCertificate'>): CommandEffect => ({
    type: 'certificate-deleted',
    hashAlgorithm: named.hashAlgorithm,
    issuerNameHash: named.issuerNameHash,
    issuerKeyHash: named.issuerKeyHash,
    serialNumber: named.serialNumber,
  }),
};

/** Returns the effect of our own reservation. */
export function reservationMade({
  reservationId,
  position,
  token,
  groupId,
  expiresAt,
}: Reservation & { position: ConnectorPosition | null }): CommandEffect {
  const evse = position?.evse ?? null;
  return {
    type: 'reservation',
    reservationId,
    evse,
    idToken: token.idToken,
    groupIdToken: groupId,
    expiresAt,
  };
}

/** Returns the effect of our own charging profile, in the format of its version. */
export function profileInstalled(
  evse: number,
  { profileId, stackLevel }: ChargingProfile,
  profile: { chargingProfilePurpose: string },
): CommandEffect {
  const purpose = profile.chargingProfilePurpose;
  return { type: 'charging-profile', evse, profileId, purpose, stackLevel, profile };
}

/** Returns the effect of our own clearing of profiles. An id identifies the profile; the other criteria apply without one. */
export function profilesCleared(
  { profileId, evse, stackLevel }: ProfileCriteria,
  purpose: string | null,
): CommandEffect {
  const criteria =
    profileId === null ? { evse, purpose, stackLevel } : { evse: null, purpose: null, stackLevel: null };
  return { type: 'charging-profiles-cleared', profileId, ...criteria };
}
