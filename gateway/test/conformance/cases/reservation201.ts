import {
  call,
  type Case,
  command,
  operator,
  operatorFails,
  sends,
  shows,
  type Step,
  tested,
} from '#gateway/test/conformance/steps.ts';
import {
  boots,
  card,
  connector1,
  event,
  groupCard,
  inGroup,
  reports,
  secondGroupCard,
} from './fragments201.ts';

interface Reserved {
  idTag?: string;
  groupId?: string;
  connectorNumber?: number;
}
const bodyOf = (reserved: Reserved) => ({
  chargerId: '$charger',
  idTag: 'CARD',
  expiresAt: '$later',
  ...reserved,
});
const callOf = ({ idTag = 'CARD', groupId, connectorNumber }: Reserved, status = 'Accepted') =>
  call(
    'ReserveNow',
    {
      id: Number,
      expiryDateTime: '$later',
      idToken: { idToken: idTag },
      evseId: connectorNumber,
      groupIdToken: groupId === undefined ? undefined : { idToken: groupId },
    },
    { status },
  );
const reserves = (reserved: Reserved): Step =>
  operator('POST /reservations', bodyOf(reserved), [callOf(reserved)], { status: 'Active' });
const showsReservation = (status: string): Step => shows('/reservations?chargerId=$charger', [{ status }]);
const first = { connectorNumber: 1 };
const ended = (reservationUpdateStatus: string): Step =>
  sends('ReservationStatusUpdate', { reservationId: '$reservationId', reservationUpdateStatus });

/** H: reservation. */
export const reservation: Case[] = [
  tested(
    'TC_H_01',
    'reserves an EVSE, which its driver then uses',
    boots(),
    reserves(first),
    reports('Reserved'),
    event('Started', 'Authorized', 0, { idToken: card, evse: connector1, reservationId: '$reservationId' }),
    showsReservation('Used'),
  ),
  tested(
    'TC_H_07',
    'ends a reservation that was not used',
    boots(),
    reserves(first),
    reports('Reserved'),
    ended('Expired'),
    reports('Available'),
    showsReservation('Expired'),
  ),
  tested(
    'TC_H_22',
    'reports that the station rejects reservations',
    boots(),
    operatorFails('POST /reservations', bodyOf(first), [callOf(first, 'Rejected')], 'RESERVATION_REFUSED'),
  ),
  tested(
    'TC_H_19',
    'reserves an EVSE for a group, of which another member uses it',
    boots(),
    reserves({ ...first, idTag: 'GROUP-CARD', groupId: 'GROUP' }),
    event(
      'Started',
      'Authorized',
      0,
      { idToken: secondGroupCard, evse: connector1, reservationId: '$reservationId' },
      inGroup,
    ),
    showsReservation('Used'),
  ),
  tested(
    'TC_H_08',
    'reserves any EVSE',
    boots(),
    reserves({}),
    reports('Reserved'),
    showsReservation('Active'),
  ),
  tested(
    'TC_H_14',
    'reserves as many EVSEs as the station has',
    boots(),
    reserves({}),
    reserves({ idTag: 'CARD-2' }),
    reports('Reserved', 1),
    reports('Reserved', 2),
  ),
  tested(
    'TC_H_15',
    'reserves a connector of a type',
    boots(),
    command('ReserveNow', { id: 15, expiryDateTime: '$later', connectorType: 'cType2', idToken: groupCard }),
    reports('Reserved'),
  ),
  tested(
    'TC_H_17',
    'cancels a reservation',
    boots(),
    reserves(first),
    operator(
      'DELETE /reservations/$id',
      undefined,
      [call('CancelReservation', { reservationId: '$reservationId' })],
      { accepted: true, reservation: { status: 'Cancelled' } },
    ),
    reports('Available'),
  ),
  tested(
    'TC_H_20',
    'ends a reservation that a fault cancels',
    boots(),
    reserves(first),
    reports('Faulted'),
    ended('Removed'),
    showsReservation('Removed'),
  ),
];
