import {
  call,
  type Case,
  command,
  connects,
  operator,
  operatorFails,
  sends,
  shows,
  type Step,
  tested,
} from '#gateway/test/conformance/steps.ts';
import { authorizes, boots, charging, reports, showsRunning, starts, triggers } from './fragments16.ts';

const location = 'https://files.example.org/image.bin';
const updates = operator(
  'firmware/update',
  { location },
  [call('UpdateFirmware', { location, retrieveDate: String }, {})],
  { accepted: true },
);
const progresses = (...statuses: string[]): Step[] =>
  statuses.map((status) => sends('FirmwareStatusNotification', { status }));
const showsUpdate = (status: string, outcome: string): Step =>
  shows('firmware/status', { lastFirmwareUpdate: { status, outcome } });

const diagnostics = command(
  'GetDiagnostics',
  { location: 'ftp://logs.example.org' },
  { fileName: 'log.txt' },
);
const uploads = (...statuses: string[]): Step[] =>
  statuses.map((status) => sends('DiagnosticsStatusNotification', { status }));

/** Firmware management of 1.6. */
export const firmware16: Case[] = [
  tested(
    'TC_044_1',
    'updates the firmware',
    boots(),
    updates,
    ...progresses('Downloading', 'Downloaded', 'Installing'),
    connects(),
    boots(),
    reports('Available'),
    ...progresses('Installed'),
    showsUpdate('Installed', 'succeeded'),
  ),
  tested(
    'TC_044_2',
    'records a failed download',
    boots(),
    updates,
    ...progresses('Downloading', 'DownloadFailed'),
    showsUpdate('DownloadFailed', 'failed'),
  ),
  tested(
    'TC_044_3',
    'records a failed installation',
    boots(),
    updates,
    ...progresses('Downloading', 'Downloaded', 'Installing'),
    connects(),
    boots(),
    ...progresses('InstallationFailed'),
    showsUpdate('InstallationFailed', 'failed'),
  ),
  tested('TC_045_1', 'gets the diagnostics', boots(), diagnostics, ...uploads('Uploading', 'Uploaded')),
  tested(
    'TC_045_2',
    'accepts that the upload of the diagnostics failed',
    boots(),
    diagnostics,
    ...uploads('Uploading', 'UploadFailed'),
  ),
];

interface Reserved {
  connectorNumber?: number;
  idTag?: string;
  groupId?: string;
}
const bodyOf = (reserved: Reserved) => ({
  chargerId: '$charger',
  idTag: 'CARD',
  expiresAt: '$later',
  ...reserved,
});
const callOf = ({ connectorNumber = 0, idTag = 'CARD', groupId }: Reserved, status = 'Accepted') =>
  call(
    'ReserveNow',
    {
      connectorId: connectorNumber,
      idTag,
      parentIdTag: groupId,
      expiryDate: '$later',
      reservationId: Number,
    },
    { status },
  );
const reserves = (reserved: Reserved): Step =>
  operator('POST /reservations', bodyOf(reserved), [callOf(reserved)], { status: 'Active' });
const first = { connectorNumber: 1 };
const isRefused = (status: string): Step =>
  operatorFails('POST /reservations', bodyOf(first), [callOf(first, status)], 'RESERVATION_REFUSED');
const showsReservation = (status: string): Step => shows('/reservations?chargerId=$charger', [{ status }]);
const cancels = (status: string, then: string): Step =>
  operator(
    'DELETE /reservations/$id',
    undefined,
    [call('CancelReservation', { reservationId: '$reservationId' }, { status })],
    { accepted: status === 'Accepted', reservation: { status: then } },
  );
const reserved = { reservationId: '$reservationId' };

/** Reservation of 1.6. */
export const reservation16: Case[] = [
  tested(
    'TC_046',
    'reserves a connector, which its driver then uses',
    boots(),
    reserves(first),
    reports('Reserved'),
    authorizes(),
    reports('Preparing'),
    starts('CARD', undefined, reserved),
    reports('Charging'),
    showsReservation('Used'),
  ),
  tested(
    'TC_047',
    'sends the end of a reservation, after which the connector is available',
    boots(),
    reserves(first),
    reports('Reserved'),
    reports('Available'),
  ),
  tested('TC_048_1', 'reports that the connector to reserve is faulted', boots(), isRefused('Faulted')),
  tested(
    'TC_048_2',
    'reports that the connector to reserve is occupied',
    boots(),
    reports('Preparing'),
    isRefused('Occupied'),
  ),
  tested(
    'TC_048_3',
    'reports that the connector to reserve is out of service',
    boots(),
    operator(
      'change-availability',
      { connectorNumber: 1, type: 'Inoperative' },
      [call('ChangeAvailability', { connectorId: 1, type: 'Inoperative' })],
      { accepted: true },
    ),
    reports('Unavailable'),
    isRefused('Unavailable'),
  ),
  tested('TC_048_4', 'reports that the station rejected a reservation', boots(), isRefused('Rejected')),
  tested(
    'TC_049',
    'reserves any connector',
    boots(),
    reserves({}),
    reports('Reserved'),
    authorizes(),
    reports('Preparing'),
    starts('CARD', undefined, reserved),
    showsReservation('Used'),
  ),
  tested(
    'TC_051',
    'cancels a reservation',
    boots(),
    reserves(first),
    reports('Reserved'),
    cancels('Accepted', 'Cancelled'),
    reports('Available'),
  ),
  tested(
    'TC_052',
    'keeps a reservation that the station does not cancel',
    boots(),
    reserves(first),
    reports('Reserved'),
    cancels('Rejected', 'Active'),
  ),
  tested(
    'TC_053',
    'reserves a connector for a group, of which another member uses it',
    boots(),
    reserves({ ...first, idTag: 'GROUP-CARD', groupId: 'GROUP' }),
    reports('Reserved'),
    authorizes('GROUP-CARD-2', { idTagInfo: { status: 'Accepted', parentIdTag: 'GROUP' } }),
    starts('GROUP-CARD-2', undefined, reserved),
    showsReservation('Used'),
  ),
];

const meterValues = sends('MeterValues', {
  connectorId: 1,
  meterValue: [{ timestamp: '$now', sampledValue: [{ value: '1000', context: 'Trigger' }] }],
});

/** Remote trigger of 1.6. */
export const triggers16: Case[] = [
  tested(
    'TC_054',
    'triggers each message of a station',
    boots(),
    triggers('MeterValues', 'Accepted', { connectorNumber: 1 }, { connectorId: 1 }),
    meterValues,
    triggers('Heartbeat'),
    sends('Heartbeat', {}, { currentTime: String }),
    triggers('StatusNotification', 'Accepted', { connectorNumber: 1 }, { connectorId: 1 }),
    reports('Available'),
    triggers('DiagnosticsStatusNotification'),
    sends('DiagnosticsStatusNotification', { status: 'Idle' }),
    triggers('FirmwareStatusNotification', 'NotImplemented'),
  ),
  tested(
    'TC_055',
    'reports that the station rejected a trigger',
    boots(),
    triggers('MeterValues', 'Rejected', { connectorNumber: 1 }, { connectorId: 1 }),
  ),
];

const period = { startSeconds: 0, limit: 16 };
const sets = (body: object, profile: object): Step =>
  operator(
    'charging-profiles',
    { stackLevel: 0, rateUnit: 'A', periods: [period], ...body },
    [
      call('SetChargingProfile', {
        connectorId: Number,
        csChargingProfiles: { stackLevel: 0, recurrencyKind: undefined, ...profile },
      }),
    ],
    { accepted: true },
  );
const absolute = {
  kind: 'Absolute',
  startsAt: '$now',
  durationSeconds: 3600,
  validFrom: '$now',
  validTo: '$later',
};
const setsDefault = sets(
  { ...absolute, connectorNumber: 1, purpose: 'TxDefault', profileId: 2 },
  {
    chargingProfilePurpose: 'TxDefaultProfile',
    chargingProfileKind: 'Absolute',
    transactionId: undefined,
    validFrom: '$now',
    validTo: '$later',
    chargingSchedule: { startSchedule: '$now', chargingRateUnit: 'A' },
  },
);
const setsOfTransaction = sets(
  { kind: 'Relative', connectorNumber: 1, purpose: 'Tx' },
  {
    chargingProfilePurpose: 'TxProfile',
    chargingProfileKind: 'Relative',
    transactionId: '$transactionId',
    chargingSchedule: { startSchedule: undefined },
  },
);
const clears = (query: string, payload: object): Step =>
  operator(`DELETE charging-profiles${query}`, undefined, [call('ClearChargingProfile', payload)], {
    accepted: true,
  });
const schedule = { chargingRateUnit: 'W', chargingSchedulePeriod: [{ startPeriod: 0, limit: 11_000 }] };
const remoteProfile = {
  chargingProfileId: 3,
  stackLevel: 0,
  chargingProfilePurpose: 'TxProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
};

/** Smart charging of 1.6. */
export const smartCharging16: Case[] = [
  tested(
    'TC_056',
    'sets a default profile',
    boots(),
    setsDefault,
    shows('charging-profiles', [{ purpose: 'TxDefaultProfile' }]),
  ),
  tested('TC_057', 'sets a profile of a running transaction', ...charging, setsOfTransaction),
  tested(
    'TC_059',
    'starts a transaction remotely with a charging profile',
    boots(),
    command('RemoteStartTransaction', { idTag: 'CARD', connectorId: 1, chargingProfile: remoteProfile }),
    authorizes(),
    reports('Preparing'),
    starts(),
    showsRunning,
  ),
  tested(
    'TC_066',
    'gets the composite schedule of a connector',
    boots(),
    operator(
      'GET composite-schedule?connectorNumber=1&durationSeconds=300&rateUnit=W',
      undefined,
      [
        call(
          'GetCompositeSchedule',
          { connectorId: 1, duration: 300, chargingRateUnit: 'W' },
          { status: 'Accepted', connectorId: 1, scheduleStart: '$now', chargingSchedule: schedule },
        ),
      ],
      { schedule: { rateUnit: 'W', periods: [{ limit: 11_000 }] } },
    ),
  ),
  tested(
    'TC_067',
    'clears profiles by identifier, by criteria, and all of them',
    ...charging,
    setsDefault,
    setsOfTransaction,
    clears('?profileId=2', {
      id: 2,
      connectorId: undefined,
      chargingProfilePurpose: undefined,
      stackLevel: undefined,
    }),
    clears('?connectorNumber=1&purpose=TxDefault&stackLevel=0', {
      id: undefined,
      connectorId: 1,
      chargingProfilePurpose: 'TxDefaultProfile',
      stackLevel: 0,
    }),
    clears('', { id: undefined, connectorId: undefined }),
    shows('charging-profiles', []),
  ),
];
