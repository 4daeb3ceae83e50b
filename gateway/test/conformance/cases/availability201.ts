import { call, type Case, command, operator, type Step, tested } from '#gateway/test/conformance/steps.ts';
import {
  authorizes,
  boots,
  card,
  charging,
  connector1,
  connectorComponent,
  ends,
  notifies,
  reports,
  showsCompleted,
  showsStatus,
} from './fragments201.ts';

type Status = 'Operative' | 'Inoperative';

const statusOf = { Operative: 'Available', Inoperative: 'Unavailable' } as const;

const changesEvse = (operationalStatus: Status, status = 'Accepted'): Step =>
  command('ChangeAvailability', { operationalStatus, evse: { id: 1 } }, { status });
const changes =
  (connectorNumber: number, evse: object | undefined) =>
  (type: Status, status = 'Accepted'): Step =>
    operator(
      'change-availability',
      { connectorNumber, type },
      [call('ChangeAvailability', { operationalStatus: type, evse }, { status })],
      { accepted: true },
    );

/** The station reports the change, once by each of the two messages for it. */
const changed = (type: Status, evses: number[]): Step[] =>
  evses.flatMap((evseId) => [
    reports(statusOf[type], evseId),
    notifies(connectorComponent(evseId), 'AvailabilityState', statusOf[type]),
  ]);

const targets = [
  { name: 'an EVSE', evses: [1], change: changesEvse, ids: ['TC_G_03', 'TC_G_04', 'TC_G_11'] },
  {
    name: 'the station',
    evses: [1, 2],
    change: changes(0, undefined),
    ids: ['TC_G_05', 'TC_G_06', 'TC_G_14'],
  },
  { name: 'a connector', evses: [1], change: changes(1, connector1), ids: ['TC_G_07', 'TC_G_08', 'TC_G_17'] },
] as const;

/** G: availability, core. */
export const availability: Case[] = [
  tested(
    'TC_G_20',
    'accepts the report of a lock failure',
    boots(),
    authorizes(card),
    notifies({ name: 'ConnectorPlugRetentionLock', evse: connector1 }, 'Problem', 'true'),
    reports('Available'),
  ),
  ...targets.flatMap(({ name, evses, change, ids: [out, back, busy] }) => [
    tested(
      out,
      `takes ${name} out of service`,
      boots(),
      change('Inoperative'),
      ...changed('Inoperative', [...evses]),
      showsStatus('Unavailable', { availability: 'Inoperative' }),
    ),
    tested(
      back,
      `takes ${name} into service`,
      boots(),
      change('Inoperative'),
      ...changed('Inoperative', [...evses]),
      change('Operative'),
      ...changed('Operative', [...evses]),
      showsStatus('Available', { availability: 'Operative' }),
    ),
    tested(
      busy,
      `takes ${name} out of service after its transaction`,
      ...charging,
      change('Inoperative', 'Scheduled'),
      ends('StopAuthorized', 'Local'),
      ...changed('Inoperative', [...evses]),
      showsCompleted,
      showsStatus('Unavailable'),
    ),
  ]),
];
