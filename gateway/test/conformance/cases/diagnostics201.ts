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
import { boots, card, notifies, reportsLimit } from './fragments201.ts';

const log = (logType: string, requestId = 3) => ({
  logType,
  requestId,
  log: { remoteLocation: 'https://logs.example.org' },
});
const uploads = (requestId: number, ...statuses: string[]): Step[] =>
  statuses.map((status) => sends('LogStatusNotification', { status, requestId }));
const getsLog = (id: string, logType: string, requires: string): Case =>
  tested(
    id,
    requires,
    boots(),
    command('GetLog', log(logType), { status: 'Accepted', filename: 'log.txt' }),
    ...uploads(3, 'Uploading', 'Uploaded'),
  );

const information = (report: boolean, clear: boolean, customer: object = { idToken: card }) => ({
  requestId: 4,
  report,
  clear,
  ...customer,
});
const notifiesCustomer = (data: string): Step =>
  sends('NotifyCustomerInformation', { requestId: 4, data, seqNo: 0, generatedAt: '$now' });
const asks = (id: string, requires: string, request: object, ...notices: string[]): Case =>
  tested(id, requires, boots(), command('CustomerInformation', request), ...notices.map(notifiesCustomer));

/** N: diagnostics, core. */
export const diagnostics: Case[] = [
  getsLog('TC_N_25', 'DiagnosticsLog', 'gets the diagnostics log'),
  tested(
    'TC_N_34',
    'reports that the station rejected the request of a log',
    boots(),
    refusedCommand('GetLog', log('DiagnosticsLog'), 'Rejected'),
  ),
  getsLog('TC_N_35', 'SecurityLog', 'gets the security log'),
  tested(
    'TC_N_36',
    'replaces an upload with a second request',
    boots(),
    command('GetLog', log('DiagnosticsLog')),
    ...uploads(3, 'Uploading'),
    command('GetLog', log('DiagnosticsLog', 5), { status: 'AcceptedCanceled' }),
    ...uploads(3, 'AcceptedCanceled'),
    ...uploads(5, 'Uploading', 'Uploaded'),
  ),
  asks('TC_N_27', 'gets the data of a customer', information(true, false), 'data of a customer'),
  asks('TC_N_28', 'gets no data of an unknown customer', information(true, false), ''),
  tested(
    'TC_N_29',
    'reports that the station rejected the request of customer data',
    boots(),
    refusedCommand('CustomerInformation', information(true, false), 'Rejected'),
  ),
  asks('TC_N_30', 'clears and gets the data of a customer', information(true, true), 'data of a customer'),
  asks('TC_N_31', 'clears the data of a customer without data', information(true, true), ''),
  asks('TC_N_32', 'clears the data of a customer without a report', information(false, true), 'none'),
  asks(
    'TC_N_62',
    'clears the data of a customer by its identifier',
    information(true, true, { customerIdentifier: 'customer-7' }),
    'data of a customer',
  ),
];

const hash = { hashAlgorithm: 'SHA256', issuerNameHash: 'aa', issuerKeyHash: 'bb', serialNumber: 'cc' };

/** N: ISO 15118. */
export const diagnosticsIso: Case[] = [
  asks(
    'TC_N_63',
    'clears the data of a customer by its certificate',
    information(true, true, { customerCertificate: hash }),
    'data of a customer',
  ),
];

const power = { component: { name: 'ChargingStation' }, variable: { name: 'Power' } };
const evse = { name: 'EVSE', evse: { id: 1 } };
const availability = { component: evse, variable: { name: 'AvailabilityState' } };
const monitor = { ...availability, value: 1, type: 'Delta', severity: 8 };

const reportOf = (requestId: number): Step =>
  sends('NotifyMonitoringReport', {
    requestId,
    seqNo: 0,
    generatedAt: '$now',
    tbc: false,
    monitor: [
      {
        ...availability,
        variableMonitoring: [{ id: 1, transaction: false, value: 1, type: 'Delta', severity: 8 }],
      },
    ],
  });
/** Requests two reports, of which the first is empty. */
const monitors = (id: string, requires: string, without: object, criteria: object): Case =>
  tested(
    id,
    requires,
    boots(),
    reportsLimit('GetReport'),
    command(
      'GetMonitoringReport',
      { requestId: 6, ...without },
      { status: 'EmptyResultSet' },
      { status: 'EmptyResultSet' },
    ),
    command('GetMonitoringReport', { requestId: 7, ...criteria }),
    reportOf(7),
  );
const deltas = { monitoringCriteria: ['DeltaMonitoring'] };
const thresholds = { monitoringCriteria: ['ThresholdMonitoring'] };
const of = (...componentVariable: object[]) => ({ componentVariable });
const both = (name: string) =>
  of({ component: { name: 'ChargingStation' }, variable: { name } }, { component: evse, variable: { name } });

const setsMonitor = (set: { type: string; value: number }): Step =>
  command(
    'SetVariableMonitoring',
    { setMonitoringData: [set] },
    { setMonitoringResult: [{ id: 1, status: 'Accepted', type: set.type, severity: 8, ...availability }] },
    {},
  );
const alerts = (trigger: string, more: object = {}): Step =>
  notifies(evse, 'AvailabilityState', 'Occupied', { trigger, variableMonitoringId: 1, ...more });
const showsEvent = (trigger: string): Step =>
  shows('events', [{ trigger, component: 'EVSE', variable: 'AvailabilityState' }]);
const clearsMonitor = (status: string): Step =>
  command('ClearVariableMonitoring', { id: [1] }, { clearMonitoringResult: [{ id: 1, status }] }, {});

/** N: device management. */
export const monitoring: Case[] = [
  monitors('TC_N_01', 'gets monitors by criteria', deltas, thresholds),
  monitors('TC_N_02', 'gets monitors by component and variable', of(power), of(availability)),
  monitors(
    'TC_N_03',
    'gets monitors by criteria, component and variable',
    { ...deltas, ...of(availability) },
    { ...thresholds, ...of(power) },
  ),
  tested(
    'TC_N_47',
    'gets all monitors',
    boots(),
    command('GetMonitoringReport', { requestId: 7 }),
    reportOf(7),
  ),
  monitors(
    'TC_N_60',
    'gets monitors by criteria and several variables',
    { ...thresholds, ...both('Power') },
    { ...deltas, ...both('AvailabilityState') },
  ),
  tested(
    'TC_N_05',
    'sets the base of monitoring',
    boots(),
    command('SetMonitoringBase', { monitoringBase: 'All' }),
    command('SetMonitoringBase', { monitoringBase: 'FactoryDefault' }),
    command('SetMonitoringBase', { monitoringBase: 'HardWiredOnly' }),
  ),
  tested('TC_N_08', 'sets a monitor', boots(), setsMonitor(monitor)),
  tested(
    'TC_N_24',
    'sets a periodic monitor and stores its events',
    boots(),
    setsMonitor({ ...monitor, value: 60, type: 'Periodic' }),
    alerts('Periodic'),
    showsEvent('Periodic'),
  ),
  tested('TC_N_16', 'sets the level of monitoring', boots(), command('SetMonitoringLevel', { severity: 4 })),
  tested(
    'TC_N_17',
    'reports that the station rejected a level',
    boots(),
    refusedCommand('SetMonitoringLevel', { severity: 4 }, 'Rejected'),
  ),
  tested(
    'TC_N_18',
    'clears monitors in as many requests as the limit of the station requires',
    boots(),
    reportsLimit('ClearVariableMonitoring', 'MonitoringCtrlr', '2'),
    operator(
      'ocpp/ClearVariableMonitoring',
      { id: [1, 2, 3] },
      [[1, 2], [3]].map((ids) =>
        call(
          'ClearVariableMonitoring',
          { id: ids },
          { clearMonitoringResult: ids.map((id) => ({ id, status: 'Accepted' })) },
        ),
      ),
      { result: { clearMonitoringResult: [{ id: 1 }, { id: 2 }, { id: 3 }] } },
    ),
  ),
  tested(
    'TC_N_44',
    'reports that the station rejected to clear a monitor',
    boots(),
    clearsMonitor('Rejected'),
  ),
  tested(
    'TC_N_21',
    'stores the event of a hard-wired monitor',
    boots(),
    alerts('Alerting', { eventNotificationType: 'HardWiredMonitor' }),
    showsEvent('Alerting'),
  ),
  tested(
    'TC_N_49',
    'stores that a threshold was cleared by a restart',
    boots(),
    alerts('Alerting'),
    connects(),
    boots(),
    alerts('Alerting', { cleared: true, actualValue: 'Available', eventId: 2 }),
    shows('events', [{ cleared: true, actualValue: 'Available' }, { cleared: null }]),
  ),
  tested('TC_N_50', 'stores periodic events', boots(), alerts('Periodic'), showsEvent('Periodic')),
];
