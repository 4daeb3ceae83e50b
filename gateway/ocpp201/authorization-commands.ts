import { type DeviceModelVersion, featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import type { LocalListEntry, ChargerToken } from '#shared/domain/charging/charger-authorization.ts';
import { reservationMade } from '#gateway/protocol/common-effects.ts';
import { outgoingCall } from '#gateway/protocol/outgoing-call.ts';
import type { NamedCommands } from '#gateway/protocol/protocol.ts';
import { wireTime } from '#gateway/protocol/wire-time.ts';
import { idTokenInfo } from './id-token-info.ts';

/**
 * Returns the IdToken of a token: a card is identified by its UID (IdTokenEnumType), a token without a reader was
 * created by a central system.
 */
function idTokenOf({ idToken, type }: ChargerToken) {
  return { idToken, type: type === 'RFID' ? ('ISO14443' as const) : ('Central' as const) };
}

function listEntry(entry: LocalListEntry) {
  // An entry without idTokenInfo is removed from the list (part 2, AuthorizationData).
  if (entry.accepted === null) return { idToken: idTokenOf(entry) };
  return { idToken: idTokenOf(entry), idTokenInfo: idTokenInfo({ status: 'Accepted', ...entry.accepted }) };
}

const certificateTypes = {
  CSMSRoot: 'CSMSRootCertificate',
  ManufacturerRoot: 'ManufacturerRootCertificate',
  V2GRoot: 'V2GRootCertificate',
  MORoot: 'MORootCertificate',
} as const;

/** Commands on reservations, tokens and certificates. */
export const authorizationCommands = (
  version: DeviceModelVersion,
): Pick<NamedCommands, 'reserve-now' | 'send-local-list' | 'install-certificate'> => ({
  'reserve-now': ({ reservationId, position, token, groupId, expiresAt }) =>
    outgoingCall(
      version,
      'ReserveNow',
      {
        id: reservationId,
        expiryDateTime: wireTime(expiresAt),
        idToken: idTokenOf(token),
        ...(position !== null && { evseId: position.evse }),
        ...(groupId !== null && { groupIdToken: { idToken: groupId, type: 'Central' } }),
      },
      `reserve for the token ${token.idToken}`,
      { effect: reservationMade({ reservationId, position, token, groupId, expiresAt }) },
    ),
  'send-local-list': ({ version: versionNumber, isFull, entries }) => {
    const { maxIdTokenLength } = featuresOf(version);
    const listed = entries.filter(({ idToken }) => idToken.length <= maxIdTokenLength);
    return outgoingCall(
      version,
      'SendLocalList',
      {
        versionNumber,
        updateType: isFull ? 'Full' : 'Differential',
        // The schema requires at least one entry, and a request without the list clears it (part 2,
        // SendLocalListRequest).
        ...(listed.length > 0 && { localAuthorizationList: listed.map((entry) => listEntry(entry)) }),
      },
      'send this list',
      { effect: { type: 'local-list-sent', version: versionNumber } },
    );
  },
  // M05.
  'install-certificate': ({ use, pem }) => {
    const certificateType = certificateTypes[use];
    return outgoingCall(
      version,
      'InstallCertificate',
      { certificateType, certificate: pem },
      'install this certificate',
      { effect: { type: 'certificate-installed', certificateType, pem } },
    );
  },
});
