import type { LocalListEntry, ChargerToken } from '#shared/domain/charging/charger-authorization.ts';
import { outgoingCall } from '#gateway/protocol/outgoing-call.ts';
import type { NamedCommands } from '#gateway/protocol/protocol.ts';
import { wireTime } from '#gateway/protocol/wire-time.ts';
import { idTokenInfo } from './id-token-info.ts';

/** A card is known by its UID (IdTokenEnumType); what no reader reads was made by a central system. */
function idTokenOf({ idToken, type }: ChargerToken) {
  return { idToken, type: type === 'RFID' ? ('ISO14443' as const) : ('Central' as const) };
}

function listEntry(entry: LocalListEntry) {
  // Without idTokenInfo it is taken out of the list (part 2, AuthorizationData).
  if (entry.accepted === null) return { idToken: idTokenOf(entry) };
  return { idToken: idTokenOf(entry), idTokenInfo: idTokenInfo({ status: 'Accepted', ...entry.accepted }) };
}

const certificateTypes = {
  CSMSRoot: 'CSMSRootCertificate',
  ManufacturerRoot: 'ManufacturerRootCertificate',
  V2GRoot: 'V2GRootCertificate',
  MORoot: 'MORootCertificate',
} as const;

/** What OCPP 2.0.1 says of reservations, of what chargers know of tokens, and of certificates. */
export const authorizationCommands: Pick<
  NamedCommands,
  | 'reserve-now'
  | 'cancel-reservation'
  | 'send-local-list'
  | 'clear-cache'
  | 'install-certificate'
  | 'delete-certificate'
> = {
  'reserve-now': ({ reservationId, position, token, groupId, expiresAt }) =>
    outgoingCall(
      '2.0.1',
      'ReserveNow',
      {
        id: reservationId,
        expiryDateTime: wireTime(expiresAt),
        idToken: idTokenOf(token),
        ...(position !== null && { evseId: position.evse }),
        ...(groupId !== null && { groupIdToken: { idToken: groupId, type: 'Central' } }),
      },
      `reserve for the token ${token.idToken}`,
    ),
  'cancel-reservation': ({ reservationId }) =>
    outgoingCall('2.0.1', 'CancelReservation', { reservationId }, 'cancel the reservation'),
  'send-local-list': ({ version, isFull, entries }) =>
    outgoingCall(
      '2.0.1',
      'SendLocalList',
      {
        versionNumber: version,
        updateType: isFull ? 'Full' : 'Differential',
        // An empty list is left out: the schema wants one entry at least, and no list empties it (part 2, SendLocalListRequest).
        ...(entries.length > 0 && { localAuthorizationList: entries.map((entry) => listEntry(entry)) }),
      },
      'send this list',
    ),
  'clear-cache': () => outgoingCall('2.0.1', 'ClearCache', {}, 'clear the cache'),
  // M05.
  'install-certificate': ({ use, pem }) =>
    outgoingCall(
      '2.0.1',
      'InstallCertificate',
      { certificateType: certificateTypes[use], certificate: pem },
      'install this certificate',
    ),
  'delete-certificate': ({ hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber }) =>
    outgoingCall(
      '2.0.1',
      'DeleteCertificate',
      { certificateHashData: { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber } },
      'delete this certificate',
    ),
};
