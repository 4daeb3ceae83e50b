import {
  call,
  type Case,
  command,
  connects,
  operator,
  refusedCommand,
  sends,
  shows,
  type Step,
  tested,
} from '#gateway/test/conformance/steps.ts';
import {
  authorizes,
  boots,
  charging,
  finishes,
  reports,
  showsCompleted,
  showsRunning,
  showsSession,
  showsStatus,
  starts,
  stops,
} from './fragments16.ts';

const startsRemotely = (status = 'Accepted'): Step =>
  operator(
    'remote-start',
    { idTag: 'CARD', connectorNumber: 1 },
    [call('RemoteStartTransaction', { idTag: 'CARD', connectorId: 1 }, { status })],
    { accepted: status === 'Accepted' },
  );
const stopsRemotely = (status = 'Accepted'): Step =>
  operator(
    'remote-stop',
    undefined,
    [call('RemoteStopTransaction', { transactionId: '$transactionId' }, { status })],
    { accepted: status === 'Accepted' },
  );
const resets = (type: string): Step[] => [
  operator('reboot', { type }, [call('Reset', { type })], { accepted: true }),
  connects(),
  boots(),
  reports('Available'),
];
const unlocks = (status: string, connectorNumber = 1): Step =>
  operator(
    'unlock-connector',
    { connectorNumber },
    [call('UnlockConnector', { connectorId: connectorNumber }, { status })],
    { accepted: status === 'Unlocked' },
  );
const interval = { key: 'MeterValueSampleInterval', value: '60' };
const changes = (status: string): Step =>
  operator('configuration', interval, [call('ChangeConfiguration', interval, { status })], {
    accepted: status === 'Accepted',
    result: { status },
  });
const setting = { key: 'SupportedFeatureProfiles', readonly: true, value: 'Core' };
const reads = (query: string, payload: object, configurationKey: object[]): Step =>
  operator(
    `GET configuration${query}`,
    undefined,
    [call('GetConfiguration', payload, { configurationKey, unknownKey: [] })],
    { result: { settings: configurationKey.map(() => ({ key: String, value: String })), unknownKeys: [] } },
  );
const refuses = (status: string) => ({ idTagInfo: { status } });
const earlier = { timestamp: '$earlier' };

/** Core profile of 1.6. */
export const core16: Case[] = [
  tested(
    'TC_001',
    'accepts a boot, the statuses after it, and heartbeats',
    boots(),
    reports('Available', 0),
    reports('Available', 1),
    reports('Available', 2),
    sends('Heartbeat', {}, { currentTime: String }),
    showsStatus('Available'),
  ),
  tested(
    'TC_003',
    'starts a transaction when the cable is plugged in before the driver is authorized',
    ...charging,
    showsRunning,
    showsStatus('Charging'),
  ),
  tested(
    'TC_004_1',
    'starts a transaction when the driver is authorized before the cable is plugged in',
    boots(),
    authorizes(),
    reports('Preparing'),
    starts(),
    reports('Charging'),
    showsRunning,
  ),
  tested(
    'TC_004_2',
    'accepts that the driver does not plug in the cable in time',
    boots(),
    authorizes(),
    reports('Preparing'),
    reports('Available'),
    shows('/sessions?chargerId=$charger', []),
  ),
  tested(
    'TC_005_1',
    'ends a transaction when the cable is unplugged at the vehicle',
    ...charging,
    reports('SuspendedEV'),
    stops('EVDisconnected'),
    ...finishes,
    showsCompleted,
  ),
  tested(
    'TC_007',
    'starts a transaction that the station authorized by its cache',
    boots(),
    reports('Preparing'),
    starts(),
    reports('Charging'),
    showsRunning,
  ),
  tested(
    'TC_010',
    'starts a transaction remotely when the cable is plugged in',
    boots(),
    reports('Preparing'),
    startsRemotely(),
    authorizes(),
    starts(),
    reports('Charging'),
    showsRunning,
  ),
  tested(
    'TC_011_1',
    'starts a transaction remotely before the cable is plugged in',
    boots(),
    startsRemotely(),
    authorizes(),
    reports('Preparing'),
    starts(),
    reports('Charging'),
    showsRunning,
  ),
  tested(
    'TC_011_2',
    'accepts that the driver of a remote start does not plug in the cable in time',
    boots(),
    startsRemotely(),
    authorizes(),
    reports('Preparing'),
    reports('Available'),
    shows('/sessions?chargerId=$charger', []),
  ),
  tested(
    'TC_012',
    'ends a transaction on request of the operator',
    ...charging,
    stopsRemotely(),
    stops('Remote'),
    ...finishes,
    showsCompleted,
  ),
  tested('TC_013', 'resets a station by a power cycle', boots(), ...resets('Hard')),
  tested('TC_014', 'resets a station gracefully', boots(), ...resets('Soft')),
  tested('TC_017_1', 'unlocks a connector', boots(), unlocks('Unlocked')),
  tested('TC_017_2', 'reports that a fixed cable cannot be unlocked', boots(), unlocks('NotSupported')),
  tested(
    'TC_018_1',
    'unlocks a connector, which ends its transaction',
    ...charging,
    unlocks('Unlocked'),
    reports('Finishing'),
    stops('UnlockCommand'),
    reports('Available'),
    showsCompleted,
  ),
  tested(
    'TC_019_1',
    'reads all settings',
    boots(),
    reads('', { key: undefined }, [setting, { ...interval, readonly: false }]),
  ),
  tested(
    'TC_019_2',
    'reads a single setting',
    boots(),
    reads('?keys=SupportedFeatureProfiles', { key: ['SupportedFeatureProfiles'] }, [setting]),
  ),
  tested('TC_021', 'changes a setting', boots(), changes('Accepted')),
  tested('TC_023_1', 'refuses an unknown token', boots(), authorizes('UNKNOWN', refuses('Invalid'))),
  tested('TC_023_2', 'refuses an expired token', boots(), authorizes('EXPIRED', refuses('Expired'))),
  tested('TC_023_3', 'refuses a blocked token', boots(), authorizes('BLOCKED', refuses('Blocked'))),
  tested(
    'TC_024',
    'stores a lock failure of a connector',
    boots(),
    authorizes(),
    reports('Preparing'),
    reports('Faulted', 1, 'ConnectorLockFailure'),
    showsStatus('Faulted', { errorCode: 'ConnectorLockFailure' }),
  ),
  tested('TC_026', 'reports that the station rejected a remote start', boots(), startsRemotely('Rejected')),
  tested(
    'TC_028',
    'keeps a transaction running when the station rejects its remote stop',
    ...charging,
    stopsRemotely('Rejected'),
    showsRunning,
  ),
  tested('TC_030', 'reports that a connector could not be unlocked', boots(), unlocks('UnlockFailed')),
  tested(
    'TC_031',
    'reports that the station does not know the connector to unlock',
    boots(),
    unlocks('NotSupported', 2),
  ),
  tested(
    'TC_032_1',
    'ends a transaction that a power failure stopped',
    ...charging,
    connects(),
    boots(),
    reports('Finishing'),
    stops('PowerLoss'),
    reports('Available'),
    showsCompleted,
  ),
  tested(
    'TC_037_1',
    'accepts a transaction that started offline',
    boots(),
    starts('CARD', undefined, earlier),
    reports('Charging'),
    showsRunning,
  ),
  tested(
    'TC_037_3',
    'refuses an invalid token of a transaction that started offline, and ends it',
    boots(),
    starts('BLOCKED', refuses('Blocked'), earlier),
    reports('Charging'),
    stops('DeAuthorized'),
    ...finishes,
    showsSession({ status: 'COMPLETED' }),
  ),
  tested(
    'TC_039',
    'accepts a transaction that started and ended offline',
    boots(),
    starts('CARD', undefined, earlier),
    stops('Local', { idTag: 'CARD' }, { idTagInfo: { status: 'Accepted' } }),
    showsCompleted,
  ),
  tested('TC_040_1', 'reports that the station does not support a setting', boots(), changes('NotSupported')),
  tested('TC_040_2', 'reports that the station rejected a value', boots(), changes('Rejected')),
  tested('TC_061', 'clears the authorization cache', boots(), command('ClearCache', {})),
  tested(
    'TC_064',
    'answers a data transfer of an unknown vendor',
    sends(
      'DataTransfer',
      { vendorId: 'org.example.unknown' },
      { status: /^(Rejected|UnknownVendorId|UnknownMessageId)$/ },
    ),
  ),
];

const lists = (updateType: string, status = 'Accepted', localAuthorizationList?: object[]): Step =>
  status === 'Accepted'
    ? command('SendLocalList', {
        listVersion: 1,
        updateType,
        ...(localAuthorizationList && { localAuthorizationList }),
      })
    : refusedCommand(
        'SendLocalList',
        { listVersion: 1, updateType, ...(localAuthorizationList && { localAuthorizationList }) },
        status,
      );
const entry = { idTag: 'CARD', idTagInfo: { status: 'Accepted' } };
const version = (listVersion: number): Step =>
  command('GetLocalListVersion', {}, { listVersion }, { result: { listVersion } });

/** Local authorization list of 1.6. */
export const localLists16: Case[] = [
  tested('TC_042_1', 'gets -1 from a station that does not support lists', boots(), version(-1)),
  tested('TC_042_2', 'gets 0 from a station with an empty list', boots(), version(0)),
  tested(
    'TC_043_1',
    'reports that the station does not support lists',
    boots(),
    lists('Full', 'NotSupported', [entry]),
  ),
  tested(
    'TC_043_3',
    'reports that the station failed to update its list',
    boots(),
    lists('Full', 'Failed', [entry]),
  ),
  tested(
    'TC_043_4',
    'sends the tokens of the network as a full list',
    boots(),
    operator(
      'local-list',
      undefined,
      [
        call(
          'GetConfiguration',
          { key: [String, String] },
          { unknownKey: ['LocalAuthListMaxLength', 'SendLocalListMaxLength'] },
        ),
        call('SendLocalList', { updateType: 'Full', listVersion: Number }),
      ],
      { accepted: true },
    ),
  ),
  tested(
    'TC_043_5',
    'adds a token to the list',
    boots(),
    lists('Full', 'Accepted', [entry]),
    lists('Differential', 'Accepted', [{ ...entry, idTag: 'GROUP-CARD' }]),
  ),
];
