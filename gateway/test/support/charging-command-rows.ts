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

const { pem, sha512, serialNumber } = testRootCertificate;
const install = { type: 'install-certificate', use: 'CSMSRoot', pem } as const;
const hash = { hashAlgorithm: 'SHA512', ...sha512, serialNumber } as const;

/** Commands about reservations, tokens and certificates. */
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
];
