import type { NamedCommand } from '#shared/domain/commands/commands.ts';
import type { Version } from './rig.ts';

const image = {
  type: 'update-firmware',
  requestId: 7,
  location: 'https://files.example/a.bin',
  retrieveAt: new Date('2026-05-04T03:02:01Z'),
  installAt: null,
  signing: null,
  retries: null,
  retryIntervalSeconds: null,
} as const;
const signed = {
  ...image,
  installAt: new Date('2026-05-05T00:00:00Z'),
  signing: { certificate: 'PEM', signature: 'c2ln' },
  retries: 3,
  retryIntervalSeconds: 60,
} as const;
const selector = {
  component: 'EVSE',
  componentInstance: 'left',
  evseId: 1,
  connectorId: 2,
  variable: 'Power',
  variableInstance: 'max',
  attributeType: 'Target',
} as const;
export const plainSelector = {
  component: 'Charger',
  componentInstance: null,
  evseId: null,
  connectorId: null,
  variable: 'Model',
  variableInstance: null,
  attributeType: 'Actual',
} as const;
const component = { name: 'EVSE', instance: 'left', evse: { id: 1, connectorId: 2 } };
const variable = { name: 'Power', instance: 'max' };

/** A command, what each version makes of it, what the charger answers, and what that means. */
export type Row = [Version, NamedCommand, string, object, object, object];

const unlock = { type: 'unlock-connector', position: { evse: 2, connector: 1 } } as const;
const outOfUse = {
  type: 'change-availability',
  position: { evse: 2, connector: 1 },
  availability: 'Inoperative',
} as const;
const wholeInUse = { type: 'change-availability', position: null, availability: 'Operative' } as const;

export const commandRows: Row[] = [
  ['ocpp1.6', unlock, 'UnlockConnector', { connectorId: 2 }, { status: 'Unlocked' }, { accepted: true }],
  [
    'ocpp2.0.1',
    unlock,
    'UnlockConnector',
    { evseId: 2, connectorId: 1 },
    { status: 'UnlockFailed' },
    { accepted: false, status: 'UnlockFailed' },
  ],
  [
    'ocpp1.6',
    outOfUse,
    'ChangeAvailability',
    { connectorId: 2, type: 'Inoperative' },
    { status: 'Scheduled' },
    { accepted: true, status: 'Scheduled' },
  ],
  [
    'ocpp2.0.1',
    outOfUse,
    'ChangeAvailability',
    { evse: { id: 2, connectorId: 1 }, operationalStatus: 'Inoperative' },
    { status: 'Accepted' },
    { accepted: true },
  ],
  [
    'ocpp1.6',
    wholeInUse,
    'ChangeAvailability',
    { connectorId: 0, type: 'Operative' },
    { status: 'Accepted' },
    { accepted: true },
  ],
  [
    'ocpp2.0.1',
    wholeInUse,
    'ChangeAvailability',
    { operationalStatus: 'Operative' },
    { status: 'Rejected' },
    { accepted: false },
  ],
  [
    'ocpp1.6',
    { type: 'get-configuration', keys: ['HeartbeatInterval', 'Nonsense'] },
    'GetConfiguration',
    { key: ['HeartbeatInterval', 'Nonsense'] },
    {
      configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '300' }],
      unknownKey: ['Nonsense'],
    },
    {
      accepted: true,
      settings: [
        { key: 'HeartbeatInterval', value: '300', readonly: false, status: 'Accepted' },
        { key: 'Nonsense', value: null, readonly: null, status: 'UnknownKey' },
      ],
    },
  ],
  ['ocpp1.6', { type: 'get-configuration', keys: [] }, 'GetConfiguration', {}, {}, { settings: [] }],
  [
    'ocpp2.0.1',
    { type: 'get-configuration', keys: ['OCPPCommCtrlr.HeartbeatInterval', 'Nonsense'] },
    'GetVariables',
    {
      getVariableData: [
        { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'HeartbeatInterval' } },
        { component: { name: 'Charger' }, variable: { name: 'Nonsense' } },
      ],
    },
    {
      getVariableResult: [
        {
          component: { name: 'OCPPCommCtrlr' },
          variable: { name: 'HeartbeatInterval' },
          attributeStatus: 'Accepted',
          attributeValue: '300',
        },
        {
          component: { name: 'Charger' },
          variable: { name: 'Nonsense' },
          attributeStatus: 'UnknownComponent',
        },
      ],
    },
    {
      settings: [
        { key: 'OCPPCommCtrlr.HeartbeatInterval', value: '300', readonly: null, status: 'Accepted' },
        { key: 'Charger.Nonsense', value: null, readonly: null, status: 'UnknownComponent' },
      ],
    },
  ],
  [
    'ocpp1.6',
    { type: 'change-configuration', key: 'HeartbeatInterval', value: '60' },
    'ChangeConfiguration',
    { key: 'HeartbeatInterval', value: '60' },
    { status: 'NotSupported' },
    { accepted: false, status: 'NotSupported' },
  ],
  [
    'ocpp2.0.1',
    { type: 'change-configuration', key: 'OCPPCommCtrlr.HeartbeatInterval', value: '60' },
    'SetVariables',
    {
      setVariableData: [
        {
          component: { name: 'OCPPCommCtrlr' },
          variable: { name: 'HeartbeatInterval' },
          attributeValue: '60',
        },
      ],
    },
    {
      setVariableResult: [
        {
          component: { name: 'OCPPCommCtrlr' },
          variable: { name: 'HeartbeatInterval' },
          attributeStatus: 'RebootRequired',
        },
      ],
    },
    { accepted: true, status: 'RebootRequired' },
  ],
  [
    'ocpp2.0.1',
    { type: 'get-variables', variables: [selector] },
    'GetVariables',
    { getVariableData: [{ attributeType: 'Target', component, variable }] },
    {
      getVariableResult: [
        {
          attributeType: 'Target',
          attributeStatus: 'Accepted',
          attributeValue: '11000',
          component,
          variable,
        },
      ],
    },
    { variables: [{ ...selector, status: 'Accepted', value: '11000' }] },
  ],
  [
    'ocpp2.0.1',
    { type: 'set-variables', variables: [{ ...plainSelector, value: 'X' }] },
    'SetVariables',
    {
      setVariableData: [
        {
          attributeType: 'Actual',
          attributeValue: 'X',
          component: { name: 'Charger' },
          variable: { name: 'Model' },
        },
      ],
    },
    {
      setVariableResult: [
        { attributeStatus: 'Rejected', component: { name: 'Charger' }, variable: { name: 'Model' } },
      ],
    },
    { accepted: false, variables: [{ ...plainSelector, status: 'Rejected', value: null }] },
  ],
  [
    'ocpp1.6',
    image,
    'UpdateFirmware',
    { location: 'https://files.example/a.bin', retrieveDate: '2026-05-04T03:02:01.000Z' },
    {},
    { accepted: true, status: null },
  ],
  [
    'ocpp1.6',
    signed,
    'SignedUpdateFirmware',
    {
      requestId: 7,
      retries: 3,
      retryInterval: 60,
      firmware: {
        location: 'https://files.example/a.bin',
        retrieveDateTime: '2026-05-04T03:02:01.000Z',
        installDateTime: '2026-05-05T00:00:00.000Z',
        signingCertificate: 'PEM',
        signature: 'c2ln',
      },
    },
    { status: 'InvalidCertificate' },
    { accepted: false, status: 'InvalidCertificate' },
  ],
  [
    'ocpp2.0.1',
    signed,
    'UpdateFirmware',
    {
      requestId: 7,
      retries: 3,
      retryInterval: 60,
      firmware: {
        location: 'https://files.example/a.bin',
        retrieveDateTime: '2026-05-04T03:02:01.000Z',
        installDateTime: '2026-05-05T00:00:00.000Z',
        signingCertificate: 'PEM',
        signature: 'c2ln',
      },
    },
    { status: 'AcceptedCanceled' },
    { accepted: true, status: 'AcceptedCanceled' },
  ],
  [
    'ocpp2.0.1',
    image,
    'UpdateFirmware',
    {
      requestId: 7,
      firmware: { location: 'https://files.example/a.bin', retrieveDateTime: '2026-05-04T03:02:01.000Z' },
    },
    { status: 'Accepted' },
    { accepted: true },
  ],
];
