import {
  call,
  type Case,
  command,
  connects,
  isRefused,
  operator,
  refusedCommand,
  sends,
  shows,
  type Step,
  tested,
} from '#gateway/test/conformance/steps.ts';
import {
  boots,
  charging,
  ends,
  reports,
  reportsLimit,
  showsCompleted,
  showsRunning,
  stopsAndUnplugs,
  triggers,
} from './fragments201.ts';
import { slot } from './security201.ts';

const item = (name: string, variable: string) => ({ component: { name }, variable: { name: variable } });
const threshold = item('OCPPCommCtrlr', 'OfflineThreshold');
const startPoint = item('TxCtrlr', 'TxStartPoint');
const availability = {
  component: { name: 'EVSE', evse: { id: 1 } },
  variable: { name: 'AvailabilityState' },
};
const got = (of: object, attributeValue: string) => ({ ...of, attributeStatus: 'Accepted', attributeValue });
const selected = { component: 'OCPPCommCtrlr', variable: 'OfflineThreshold' };
const selectedToo = { component: 'TxCtrlr', variable: 'TxStartPoint' };

const getsVariable = operator(
  'variables/get',
  { variables: [selected] },
  [call('GetVariables', { getVariableData: [threshold] }, { getVariableResult: [got(threshold, '60')] })],
  { result: [{ ...selected, status: 'Accepted', value: '60' }] },
);

const setsVariable = operator(
  'variables/set',
  { variables: [{ ...selected, value: '120' }] },
  [
    call(
      'SetVariables',
      { setVariableData: [{ ...threshold, attributeValue: '120' }] },
      { setVariableResult: [{ ...threshold, attributeStatus: 'Accepted' }] },
    ),
  ],
  { accepted: true, result: [{ ...selected, status: 'Accepted' }] },
);

const reportItem = {
  ...threshold,
  variableAttribute: [{ type: 'Actual', value: '60', mutability: 'ReadWrite' }],
  variableCharacteristics: { dataType: 'integer', supportsMonitoring: false },
};
const notifiesReport = (requestId: number): Step =>
  sends('NotifyReport', { requestId, generatedAt: '$now', seqNo: 0, tbc: false, reportData: [reportItem] });
const showsVariable = shows('device-model', [{ ...selected, value: '60' }]);

const baseReport = (id: string, reportBase: string, requires: string): Case =>
  tested(
    id,
    requires,
    boots(),
    command('GetBaseReport', { requestId: 7, reportBase }),
    notifiesReport(7),
    showsVariable,
  );

const bootIsTriggered = call('TriggerMessage', { requestedMessage: 'BootNotification' });
const registers = (status: string): Step =>
  operator('registration', { status }, [bootIsTriggered], { status });

const resets = (type: string, wire: string, status = 'Accepted'): Step =>
  operator('reboot', { type }, [call('Reset', { type: wire }, { status })], { accepted: true });
const returns = (reason = 'RemoteReset', status = 'Available'): Step[] => [
  connects(),
  boots(reason),
  reports(status),
];
const resetsEvse = (type: string, status = 'Accepted'): Step =>
  command('Reset', { type, evseId: 1 }, { status });

/** B: provisioning, core. */
export const provisioningCore: Case[] = [
  tested(
    'TC_B_01',
    'accepts a boot and returns the time and the heartbeat interval',
    boots(),
    reports('Available'),
    sends('Heartbeat', {}, { currentTime: String }),
  ),
  tested(
    'TC_B_02',
    'keeps a station pending, configures it, and then accepts its boot',
    registers('Pending'),
    boots('PowerUp', 'Pending'),
    getsVariable,
    setsVariable,
    registers('Accepted'),
    boots('Triggered'),
    reports('Available'),
  ),
  tested(
    'TC_B_30',
    'answers a pending station with SecurityError until its boot is accepted',
    registers('Pending'),
    boots('PowerUp', 'Pending'),
    isRefused(
      'StatusNotification',
      { timestamp: '$now', connectorStatus: 'Available', evseId: 1, connectorId: 1 },
      'SecurityError',
    ),
    isRefused('Heartbeat', {}, 'SecurityError'),
  ),
  tested(
    'TC_B_31',
    'triggers the boot of a pending station when it accepts it',
    registers('Pending'),
    boots('PowerUp', 'Pending'),
    triggers('BootNotification'),
    boots('Triggered', 'Pending'),
    registers('Accepted'),
    boots('Triggered'),
  ),
  tested('TC_B_06', 'gets a variable', boots(), getsVariable),
  tested(
    'TC_B_07',
    'gets several variables in one request, up to the reported limit',
    boots(),
    reportsLimit('GetVariables'),
    operator(
      'variables/get',
      { variables: [selected, selectedToo] },
      [
        call(
          'GetVariables',
          { getVariableData: [threshold, startPoint] },
          { getVariableResult: [got(threshold, '60'), got(startPoint, 'Authorized')] },
        ),
      ],
      { result: [{ value: '60' }, { value: 'Authorized' }] },
    ),
  ),
  tested('TC_B_09', 'sets a variable', boots(), setsVariable),
  tested(
    'TC_B_10',
    'sets several variables in one request, up to the reported limit',
    boots(),
    reportsLimit('SetVariables'),
    operator(
      'variables/set',
      {
        variables: [
          { ...selected, value: '120' },
          { ...selectedToo, value: 'EVConnected' },
        ],
      },
      [
        call(
          'SetVariables',
          {
            setVariableData: [
              { ...threshold, attributeValue: '120' },
              { ...startPoint, attributeValue: 'EVConnected' },
            ],
          },
          {
            setVariableResult: [
              { ...threshold, attributeStatus: 'Accepted' },
              { ...startPoint, attributeStatus: 'Rejected' },
            ],
          },
        ),
      ],
      { accepted: false, result: [{ status: 'Accepted' }, { status: 'Rejected' }] },
    ),
  ),
  baseReport('TC_B_12', 'ConfigurationInventory', 'requests the configuration inventory and stores it'),
  baseReport('TC_B_13', 'FullInventory', 'requests the full inventory and stores it'),
  tested('TC_B_20', 'resets an idle station', boots(), resets('Soft', 'OnIdle'), ...returns()),
  tested(
    'TC_B_21',
    'resets a station after its transaction',
    ...charging,
    resets('Soft', 'OnIdle', 'Scheduled'),
    ...stopsAndUnplugs,
    showsCompleted,
    ...returns('ScheduledReset'),
  ),
  tested(
    'TC_B_22',
    'resets a station at once, which ends its transaction',
    ...charging,
    resets('Hard', 'Immediate'),
    ends('ResetCommand', 'ImmediateReset', { state: 'EVConnected' }),
    ...returns('RemoteReset', 'Occupied'),
    showsCompleted,
  ),
  tested(
    'TC_B_25',
    'resets an idle EVSE',
    boots(),
    resetsEvse('OnIdle'),
    reports('Unavailable'),
    reports('Available'),
  ),
  tested(
    'TC_B_26',
    'resets an EVSE after its transaction',
    ...charging,
    resetsEvse('OnIdle', 'Scheduled'),
    showsRunning,
    ...stopsAndUnplugs,
    showsCompleted,
  ),
  tested(
    'TC_B_27',
    'resets an EVSE at once, which ends its transaction',
    ...charging,
    resetsEvse('Immediate'),
    ends('ResetCommand', 'ImmediateReset', { state: 'EVConnected' }),
    showsCompleted,
  ),
  tested('TC_B_42', 'sets a network connection profile', boots(), command('SetNetworkProfile', slot)),
  tested(
    'TC_B_44',
    'reports that the station failed to set a network connection profile',
    boots(),
    refusedCommand('SetNetworkProfile', slot, 'Failed'),
  ),
];

/** B: device management. */
export const provisioningDevice: Case[] = [
  baseReport('TC_B_14', 'SummaryInventory', 'requests the summary inventory and stores it'),
  tested(
    'TC_B_18',
    'requests reports by criteria and by component and variable, also one without result',
    boots(),
    command(
      'GetReport',
      { requestId: 8, componentCriteria: ['Problem'], componentVariable: [availability] },
      { status: 'EmptyResultSet' },
      { status: 'EmptyResultSet' },
    ),
    command('GetReport', {
      requestId: 9,
      componentCriteria: ['Available'],
      componentVariable: [availability],
    }),
    notifiesReport(9),
    showsVariable,
  ),
];
