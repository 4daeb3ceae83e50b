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
} from '../steps.ts';
import {
  boots,
  card,
  charging,
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

const message = (more: object = {}) => ({
  message: { id: 1, priority: 'NormalCycle', message: { format: 'UTF8', content: 'Welcome' }, ...more },
});
const sets = (id: string, requires: string, more: object, before: Step[] = [boots()]): Case =>
  tested(id, requires, ...before, command('SetDisplayMessage', message(more)));
const refuses = (id: string, requires: string, more: object, status: string): Case =>
  tested(
    id,
    requires,
    boots(),
    command('SetDisplayMessage', message(more), { status }, { accepted: false, status }),
  );
const gets = (id: string, requires: string, query: object): Case =>
  tested(
    id,
    requires,
    boots(),
    command('SetDisplayMessage', message()),
    command('GetDisplayMessages', { requestId: 2, ...query }),
    sends('NotifyDisplayMessages', { requestId: 2, messageInfo: [message().message] }),
  );

/** O: display messages, and I: costs. */
export const displayMessages: Case[] = [
  sets('TC_O_01', 'sets a display message', {}),
  refuses('TC_O_26', 'reports that the station rejected a message', {}, 'Rejected'),
  sets('TC_O_13', 'sets a message with a start', { startDateTime: '$later' }),
  sets('TC_O_14', 'sets a message with an end', { endDateTime: '$later' }),
  refuses(
    'TC_O_17',
    'reports a priority that the station does not support',
    { priority: 'AlwaysFront' },
    'NotSupportedPriority',
  ),
  refuses(
    'TC_O_18',
    'reports a state that the station does not support',
    { state: 'Faulted' },
    'NotSupportedState',
  ),
  refuses(
    'TC_O_19',
    'reports a format that the station does not support',
    { message: { format: 'HTML', content: '<b>Welcome</b>' } },
    'NotSupportedMessageFormat',
  ),
  tested(
    'TC_O_12',
    'replaces a message with the same identifier',
    boots(),
    command('SetDisplayMessage', message()),
    command('SetDisplayMessage', message({ priority: 'InFront' })),
  ),
  sets('TC_O_06', 'sets a message of a transaction', { transactionId: 'TX' }, charging),
  refuses(
    'TC_O_10',
    'reports a transaction that the station does not know',
    { transactionId: 'OTHER' },
    'UnknownTransaction',
  ),
  sets(
    'TC_O_27',
    'sets a message of a transaction with a start',
    { transactionId: 'TX', startDateTime: '$later' },
    charging,
  ),
  sets(
    'TC_O_28',
    'sets a message of a transaction with an end',
    { transactionId: 'TX', endDateTime: '$later' },
    charging,
  ),
  gets('TC_O_02', 'gets all messages', {}),
  tested(
    'TC_O_03',
    'reports that the station has no messages',
    boots(),
    command('GetDisplayMessages', { requestId: 2 }, { status: 'Unknown' }, { accepted: false }),
  ),
  gets('TC_O_07', 'gets a message by its identifier', { id: [1] }),
  gets('TC_O_08', 'gets messages by priority', { priority: 'NormalCycle' }),
  gets('TC_O_09', 'gets messages by state', { state: 'Charging' }),
  tested(
    'TC_O_04',
    'clears a message',
    boots(),
    command('SetDisplayMessage', message()),
    command('ClearDisplayMessage', { id: 1 }),
  ),
  tested(
    'TC_O_05',
    'reports that the station does not know a message',
    boots(),
    command('ClearDisplayMessage', { id: 9 }, { status: 'Unknown' }, { accepted: false }),
  ),
];
