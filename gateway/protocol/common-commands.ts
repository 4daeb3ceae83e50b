import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { outgoingCall } from './outgoing-call.ts';
import type { NamedCommands } from './protocol.ts';

/** Commands that all versions write in the same way. */
export const commonCommands = (
  version: OcppVersion,
): Pick<NamedCommands, 'cancel-reservation' | 'clear-cache' | 'delete-certificate'> => ({
  'cancel-reservation': ({ reservationId }) =>
    outgoingCall(version, 'CancelReservation', { reservationId }, 'cancel the reservation', {
      effect: { type: 'reservation-cancelled', reservationId },
    }),
  'clear-cache': () => outgoingCall(version, 'ClearCache', {}, 'clear the cache'),
  'delete-certificate': ({ hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber }) => {
    const hash = { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber };
    const request = { certificateHashData: hash };
    return outgoingCall(version, 'DeleteCertificate', request, 'delete this certificate', {
      effect: { type: 'certificate-deleted', ...hash },
    });
  },
});
