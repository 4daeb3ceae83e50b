import type { ChargingProfile } from '#shared/domain/charging/charging-profile.ts';
import type { Row } from './named-command-rows.ts';
import { testRootCertificate } from './root-certificate.ts';

const reservation = {
  type: 'reserve-now',
  reservationId: 7,
  position: { evse: 2, connector: 1 },
  token: { idToken: '04A2', type: 'RFID' },
  groupId: 'G',
  expiresAt: new Date('2030-01-01T00:00:00Z'),
} as const;
const anywhere = {
  ...reservation,
  position: null,
  token: { idToken: 'APP', type: 'APP_USER' },
  groupId: null,
} as const;
const expires = '2030-01-01T00:00:00.000Z';
const accepted = { status: 'Accepted' };

const list = {
  type: 'send-local-list',
  version: 4,
  isFull: false,
  entries: [
    {
      idToken: '04A2',
      type: 'RFID',
      accepted: { groupId: 'G', expiresAt: new Date('2030-01-01T00:00:00Z') },
    },
    { idToken: 'APP', type: 'APP_USER', accepted: null },
    { idToken: 'longer-than-20-characters', type: 'APP_USER', accepted: null },
  ],
} as const;
const noList = { type: 'send-local-list', version: 5, isFull: true, entries: [] } as const;

const profile: ChargingProfile = {
  profileId: 9,
  stackLevel: 2,
  purpose: 'TxDefault',
  kind: 'Recurring',
  recurrency: 'Daily',
  updateIntervalSeconds: null,
  validFrom: new Date('2030-01-01T00:00:00Z'),
  validTo: new Date('2031-01-01T00:00:00Z'),
  transactionId: null,
  startsAt: new Date('2030-01-01T06:00:00Z'),
  durationSeconds: 86_400,
  rateUnit: 'A',
  minChargingRate: 6,
  periods: [
    { startSeconds: 0, limit: 16.1, phases: 1 },
    { startSeconds: 3600, limit: 32, phases: null },
  ],
};
const schedule = {
  chargingRateUnit: 'A',
  duration: 86_400,
  startSchedule: '2030-01-01T06:00:00.000Z',
  minChargingRate: 6,
  chargingSchedulePeriod: [
    { startPeriod: 0, limit: 16.1, numberPhases: 1 },
    { startPeriod: 3600, limit: 32 },
  ],
};
const wire = {
  stackLevel: 2,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Recurring',
  recurrencyKind: 'Daily',
  validFrom: expires,
  validTo: '2031-01-01T00:00:00.000Z',
};
const ofSession: ChargingProfile = {
  ...profile,
  purpose: 'Tx',
  kind: 'Relative',
  recurrency: null,
  validFrom: null,
  validTo: null,
  transactionId: '42',
  startsAt: null,
  durationSeconds: null,
  minChargingRate: null,
  periods: [{ startSeconds: 0, limit: 0, phases: null }],
};
const plainSchedule = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 0 }] };
const plainWire = { stackLevel: 2, chargingProfilePurpose: 'TxProfile', chargingProfileKind: 'Relative' };

const clearOne = {
  type: 'clear-charging-profiles',
  profileId: 9,
  evse: null,
  purpose: null,
  stackLevel: null,
} as const;
const clearSome = { ...clearOne, profileId: null, evse: 0, purpose: 'StationMax', stackLevel: 3 } as const;
const composite = { type: 'get-composite-schedule', evse: 2, durationSeconds: 3600, rateUnit: 'W' } as const;
const reportedSchedule = {
  startsAt: expires,
  durationSeconds: 3600,
  rateUnit: 'W',
  periods: [{ startSeconds: 0, limit: 11_000, phases: null }],
};
const reportedPeriods = [{ startPeriod: 0, limit: 11_000 }];

const { pem, sha512, serialNumber } = testRootCertificate;
const install = { type: 'install-certificate', use: 'CSMSRoot', pem } as const;
const hash = { hashAlgorithm: 'SHA512', ...sha512, serialNumber } as const;

/** Commands about reservations, tokens, certificates and charging profiles. */
export const chargingCommandRows: Row[] = [
  [
    'ocpp1.6',
    reservation,
    'ReserveNow',
    { reservationId: 7, connectorId: 2, idTag: '04A2', expiryDate: expires, parentIdTag: 'G' },
    { status: 'Occupied' },
    { accepted: false, status: 'Occupied' },
  ],
  [
    'ocpp1.6',
    anywhere,
    'ReserveNow',
    { reservationId: 7, connectorId: 0, idTag: 'APP', expiryDate: expires },
    accepted,
    { accepted: true },
  ],
  [
    'ocpp2.0.1',
    reservation,
    'ReserveNow',
    {
      id: 7,
      expiryDateTime: expires,
      idToken: { idToken: '04A2', type: 'ISO14443' },
      evseId: 2,
      groupIdToken: { idToken: 'G', type: 'Central' },
    },
    accepted,
    { accepted: true },
  ],
  [
    'ocpp2.0.1',
    anywhere,
    'ReserveNow',
    { id: 7, expiryDateTime: expires, idToken: { idToken: 'APP', type: 'Central' } },
    accepted,
    { accepted: true },
  ],
  ...(['ocpp1.6', 'ocpp2.0.1'] as const).flatMap((version): Row[] => [
    [
      version,
      { type: 'cancel-reservation', reservationId: 7 },
      'CancelReservation',
      { reservationId: 7 },
      { status: 'Rejected' },
      { accepted: false },
    ],
    [version, { type: 'clear-cache' }, 'ClearCache', {}, accepted, { accepted: true }],
    [
      version,
      { type: 'delete-certificate', ...hash },
      'DeleteCertificate',
      { certificateHashData: hash },
      { status: 'NotFound' },
      { accepted: false, status: 'NotFound' },
    ],
  ]),
  [
    'ocpp1.6',
    list,
    'SendLocalList',
    {
      listVersion: 4,
      updateType: 'Differential',
      localAuthorizationList: [
        { idTag: '04A2', idTagInfo: { status: 'Accepted', expiryDate: expires, parentIdTag: 'G' } },
        { idTag: 'APP' },
      ],
    },
    { status: 'VersionMismatch' },
    { accepted: false, status: 'VersionMismatch' },
  ],
  [
    'ocpp2.0.1',
    list,
    'SendLocalList',
    {
      versionNumber: 4,
      updateType: 'Differential',
      localAuthorizationList: [
        {
          idToken: { idToken: '04A2', type: 'ISO14443' },
          idTokenInfo: {
            status: 'Accepted',
            cacheExpiryDateTime: expires,
            groupIdToken: { idToken: 'G', type: 'Central' },
          },
        },
        { idToken: { idToken: 'APP', type: 'Central' } },
        { idToken: { idToken: 'longer-than-20-characters', type: 'Central' } },
      ],
    },
    accepted,
    { accepted: true },
  ],
  [
    'ocpp1.6',
    noList,
    'SendLocalList',
    { listVersion: 5, updateType: 'Full', localAuthorizationList: [] },
    accepted,
    { accepted: true },
  ],
  [
    'ocpp2.0.1',
    noList,
    'SendLocalList',
    { versionNumber: 5, updateType: 'Full' },
    accepted,
    { accepted: true },
  ],
  [
    'ocpp1.6',
    install,
    'InstallCertificate',
    { certificateType: 'CentralSystemRootCertificate', certificate: pem },
    { status: 'Rejected' },
    { accepted: false },
  ],
  [
    'ocpp2.0.1',
    { ...install, use: 'MORoot' },
    'InstallCertificate',
    { certificateType: 'MORootCertificate', certificate: pem },
    { status: 'Rejected' },
    { accepted: false },
  ],
  [
    'ocpp1.6',
    { type: 'set-charging-profile', evse: 1, profile },
    'SetChargingProfile',
    { connectorId: 1, csChargingProfiles: { chargingProfileId: 9, ...wire, chargingSchedule: schedule } },
    accepted,
    { accepted: true },
  ],
  [
    'ocpp2.0.1',
    { type: 'set-charging-profile', evse: 0, profile },
    'SetChargingProfile',
    { evseId: 0, chargingProfile: { id: 9, ...wire, chargingSchedule: [{ id: 1, ...schedule }] } },
    { status: 'Rejected' },
    { accepted: false },
  ],
  [
    'ocpp1.6',
    { type: 'set-charging-profile', evse: 1, profile: ofSession },
    'SetChargingProfile',
    {
      connectorId: 1,
      csChargingProfiles: {
        chargingProfileId: 9,
        transactionId: 42,
        ...plainWire,
        chargingSchedule: plainSchedule,
      },
    },
    { status: 'NotSupported' },
    { accepted: false },
  ],
  [
    'ocpp2.0.1',
    { type: 'set-charging-profile', evse: 1, profile: ofSession },
    'SetChargingProfile',
    {
      evseId: 1,
      chargingProfile: {
        id: 9,
        transactionId: '42',
        ...plainWire,
        chargingSchedule: [{ id: 1, ...plainSchedule }],
      },
    },
    { status: 'Rejected' },
    { accepted: false },
  ],
  ['ocpp1.6', clearOne, 'ClearChargingProfile', { id: 9 }, { status: 'Unknown' }, { accepted: false }],
  [
    'ocpp2.0.1',
    clearOne,
    'ClearChargingProfile',
    { chargingProfileId: 9 },
    { status: 'Unknown' },
    { accepted: false },
  ],
  [
    'ocpp1.6',
    clearSome,
    'ClearChargingProfile',
    { connectorId: 0, chargingProfilePurpose: 'ChargePointMaxProfile', stackLevel: 3 },
    accepted,
    { accepted: true },
  ],
  [
    'ocpp2.0.1',
    clearSome,
    'ClearChargingProfile',
    {
      chargingProfileCriteria: {
        evseId: 0,
        chargingProfilePurpose: 'ChargingStationMaxProfile',
        stackLevel: 3,
      },
    },
    accepted,
    { accepted: true },
  ],
  [
    'ocpp1.6',
    composite,
    'GetCompositeSchedule',
    { connectorId: 2, duration: 3600, chargingRateUnit: 'W' },
    {
      status: 'Accepted',
      connectorId: 2,
      scheduleStart: expires,
      chargingSchedule: { duration: 3600, chargingRateUnit: 'W', chargingSchedulePeriod: reportedPeriods },
    },
    { accepted: true, schedule: reportedSchedule },
  ],
  [
    'ocpp2.0.1',
    { ...composite, rateUnit: null },
    'GetCompositeSchedule',
    { evseId: 2, duration: 3600 },
    {
      status: 'Accepted',
      schedule: {
        evseId: 2,
        duration: 3600,
        scheduleStart: expires,
        chargingRateUnit: 'W',
        chargingSchedulePeriod: reportedPeriods,
      },
    },
    { accepted: true, schedule: reportedSchedule },
  ],
];
