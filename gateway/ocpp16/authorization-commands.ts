import type { LocalListEntry } from '#shared/domain/charging/charger-authorization.ts';
import { reservationMade } from '#gateway/protocol/common-effects.ts';
import { outgoingCall } from '#gateway/protocol/outgoing-call.ts';
import type { NamedCommands } from '#gateway/protocol/protocol.ts';
import { UnsendableCommand } from '#gateway/protocol/unsendable.ts';
import { wireTime } from '#gateway/protocol/wire-time.ts';
import { idTagInfo, isIdTag } from './id-tag-info.ts';
import { connectorIdOf } from './position.ts';

function listEntry({ idToken, accepted }: LocalListEntry) {
  // An entry without idTagInfo is removed from the list (§7.1).
  if (accepted === null) return { idTag: idToken };
  return { idTag: idToken, idTagInfo: idTagInfo({ status: 'Accepted', ...accepted }) };
}

const certificateTypes = {
  CSMSRoot: 'CentralSystemRootCertificate',
  ManufacturerRoot: 'ManufacturerRootCertificate',
} as const;

/** Commands of OCPP 1.6 on reservations, tokens and certificates. */
export const authorizationCommands: Pick<
  NamedCommands,
  'reserve-now' | 'send-local-list' | 'install-certificate'
> = {
  // §5.13; connector 0 means any connector.
  'reserve-now': ({ reservationId, position, token, groupId, expiresAt }) =>
    outgoingCall(
      '1.6',
      'ReserveNow',
      {
        reservationId,
        connectorId: position === null ? 0 : connectorIdOf(position),
        idTag: token.idToken,
        expiryDate: wireTime(expiresAt),
        ...(groupId !== null && { parentIdTag: groupId }),
      },
      `reserve for the token ${token.idToken}`,
      { effect: reservationMade({ reservationId, position, token, groupId, expiresAt }) },
    ),
  'send-local-list': ({ version, isFull, entries }) =>
    outgoingCall(
      '1.6',
      'SendLocalList',
      {
        listVersion: version,
        updateType: isFull ? 'Full' : 'Differential',
        localAuthorizationList: entries
          .filter(({ idToken }) => isIdTag(idToken))
          .map((entry) => listEntry(entry)),
      },
      'send this list',
      { effect: { type: 'local-list-sent', version } },
    ),
  // Security whitepaper, M05.
  'install-certificate': ({ use, pem }) => {
    if (use !== 'CSMSRoot' && use !== 'ManufacturerRoot') {
      throw new UnsendableCommand(`OCPP 1.6 has no ${use} certificates`);
    }
    const certificateType = certificateTypes[use];
    return outgoingCall(
      '1.6',
      'InstallCertificate',
      { certificateType, certificate: pem },
      'install this certificate',
      { effect: { type: 'certificate-installed', certificateType, pem } },
    );
  },
};
