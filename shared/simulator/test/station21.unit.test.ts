import t from 'tap';
import { createStation21 } from '#shared/simulator/station21.ts';
import { booted } from './support/rig.ts';

const rate = { taxRates: [{ type: 'VAT', tax: 20 }] };
const tariff = {
  tariffId: 'T:1:1',
  currency: 'EUR',
  energy: { prices: [{ priceKwh: 0.5 }], ...rate },
  fixedFee: { prices: [{ priceFixed: 1 }], ...rate },
};
const profileOf = (id: number, more: object) => ({
  evseId: 1,
  chargingProfile: {
    id,
    stackLevel: id,
    chargingProfilePurpose: 'TxDefaultProfile',
    chargingProfileKind: 'Absolute',
    chargingSchedule: [
      { id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
    ],
    ...more,
  },
});
const monitor = (name: string, more: object = {}) => ({
  component: { name: 'EVSE', evse: { id: 1 } },
  variable: { name },
  type: 'Periodic',
  value: 1,
  severity: 8,
  periodicEventStream: { values: 2 },
  ...more,
});
const readingAt = (startedAt: Date, minutes: number, energyWh: number) => ({
  time: new Date(startedAt.getTime() + minutes * 60_000),
  energyWh,
});

void t.test('2.1: reports limits and costs of its own', async (t) => {
  const { central, station, counters } = await booted(t, createStation21);
  const report = central.next('NotifyReport');
  t.same(await central.call('GetBaseReport', { requestId: 3, reportBase: 'FullInventory' }), {
    status: 'Accepted',
  });
  const { reportData } = (await report).params as { reportData: { variable: object }[] };
  const enabled = { name: 'Enabled', instance: 'Tariff' };
  t.match(
    reportData.find(({ variable }) => JSON.stringify(variable) === JSON.stringify(enabled)),
    { component: { name: 'TariffCostCtrlr' }, variableAttribute: [{ value: 'true' }] },
  );

  t.same(await central.call('GetTariffs', { evseId: 0 }), { status: 'NoTariff' });
  t.same(await central.call('SetDefaultTariff', { evseId: 1, tariff }), { status: 'Accepted' });
  const timed = { ...tariff, chargingTime: { prices: [{ priceMinute: 0.1 }] } };
  t.same(await central.call('SetDefaultTariff', { evseId: 2, tariff: timed }), {
    status: 'ConditionNotSupported',
  });
  t.match(await central.call('GetTariffs', { evseId: 0 }), {
    tariffAssignments: [{ tariffId: 'T:1:1', evseIds: [1] }],
  });

  central.respond = ({ method, params }) =>
    method === 'TransactionEvent' && params['eventType'] === 'Started'
      ? { idTokenInfo: { status: 'Accepted' }, transactionLimit: { maxEnergy: 4000 } }
      : undefined;
  const { startedAt } = await station.startSession({ idToken: 'TAG-1', meterStartWh: 1000 });
  await station.sendMeterValues(1, readingAt(startedAt, 10, 3000));
  t.match(central.all('TransactionEvent').at(-1), {
    triggerReason: 'MeterValuePeriodic',
    transactionInfo: { transactionLimit: { maxEnergy: 4000 }, tariffId: 'T:1:1' },
    costDetails: { totalCost: { total: { exclTax: 2, inclTax: 2.4 } }, totalUsage: { energy: 2000 } },
  });
  await station.sendMeterValues(1, readingAt(startedAt, 20, 5000));
  t.match(central.all('TransactionEvent').at(-1), { triggerReason: 'EnergyLimitReached' });

  const transactionId = station.session(1)?.transactionId;
  t.same(await central.call('UsePriorityCharging', { transactionId, activate: true }), {
    status: 'NoProfile',
  });
  await central.call('SetChargingProfile', profileOf(9, { chargingProfilePurpose: 'PriorityCharging' }));
  const notified = central.next('NotifyPriorityCharging');
  t.same(await central.call('UsePriorityCharging', { transactionId, activate: true }), {
    status: 'Accepted',
  });
  t.match((await notified).params, { transactionId, activated: true });
  await station.stopSession({ meterStopWh: 5000, at: readingAt(startedAt, 30, 0).time });
  t.match(central.all('TransactionEvent').at(-1), {
    eventType: 'Ended',
    costDetails: { totalCost: { total: { inclTax: 3.6 } } },
  });
  t.same(await central.call('ClearTariffs', { tariffIds: ['T:1:1'], evseId: 1 }), {
    clearTariffsResult: [{ status: 'Accepted' }],
  });
  t.match(counters, { errors: 0 });
});

void t.test('2.1: changes the limit of a Dynamic profile only', async (t) => {
  const { central, station } = await booted(t, createStation21);
  const set = (id: number, chargingProfileKind: string) =>
    central.call('SetChargingProfile', profileOf(id, { chargingProfileKind }));
  const update = (chargingProfileId: number) =>
    central.call('UpdateDynamicSchedule', { chargingProfileId, scheduleUpdate: { limit: 8 } });
  await set(1, 'Dynamic');
  await set(2, 'Absolute');
  t.same(
    await Promise.all([update(1), update(2), update(3)]),
    ['Accepted', 'Rejected', 'Rejected'].map((status) => ({ status })),
  );
  await central.call('ClearChargingProfile', { chargingProfileId: 2 });
  t.equal(station.limitAmps(1), 8);
  const others = { chargingProfileCriteria: { chargingProfilePurpose: 'ChargingStationMaxProfile' } };
  t.same(await central.call('ClearChargingProfile', others), { status: 'Unknown' });
  t.same(await central.call('ClearChargingProfile', { chargingProfileId: 1 }), { status: 'Accepted' });
  t.same(await update(1), { status: 'Rejected' });
});

void t.test('2.1: opens, adjusts, reports and closes event streams', async (t) => {
  const { central } = await booted(t, createStation21);
  t.same(await central.call('GetMonitoringReport', { requestId: 1 }), { status: 'EmptyResultSet' });
  const opened = central.next('OpenPeriodicEventStream');
  const setMonitoringData = [
    monitor('Power'),
    monitor('FanSpeed'),
    monitor('Power', { type: 'UpperThreshold' }),
  ];
  t.match(await central.call('SetVariableMonitoring', { setMonitoringData }), {
    setMonitoringResult: [
      { status: 'Accepted', id: 1 },
      { status: 'UnknownVariable' },
      { status: 'UnsupportedMonitorType' },
    ],
  });
  const constant = { id: 1, variableMonitoringId: 1 };
  t.match((await opened).params, { constantStreamData: { ...constant, params: { values: 2 } } });
  const adjust = (id: number) =>
    central.call('AdjustPeriodicEventStream', { id, params: { interval: 60, values: 9 } });
  t.same(await Promise.all([adjust(1), adjust(2)]), [{ status: 'Accepted' }, { status: 'Rejected' }]);
  t.match(await central.call('GetPeriodicEventStream', {}), {
    constantStreamData: [{ ...constant, params: { interval: 60, values: 9 } }],
  });
  const reported = central.next('NotifyMonitoringReport');
  t.same(await central.call('GetMonitoringReport', { requestId: 2 }), { status: 'Accepted' });
  t.match((await reported).params, { requestId: 2, monitor: [{ variable: { name: 'Power' } }] });
  const closed = central.next('ClosePeriodicEventStream');
  t.same(await central.call('ClearVariableMonitoring', { id: [1, 2] }), {
    clearMonitoringResult: [
      { id: 1, status: 'Accepted' },
      { id: 2, status: 'NotFound' },
    ],
  });
  t.match((await closed).params, { id: 1 });
});

void t.test('2.1: keeps and reports DER controls', async (t) => {
  const { central } = await booted(t, createStation21);
  const fixedVar = { priority: 1, setpoint: 10, unit: 'PctMaxW' };
  const set = (controlId: string, more: object = { controlType: 'FixedVar', fixedVar }) =>
    central.call('SetDERControl', { isDefault: false, controlId, ...more });
  t.same(await central.call('GetDERControl', { requestId: 1 }), { status: 'NotFound' });
  await set('one');
  const started = central.next('NotifyDERStartStop', ({ controlId }) => controlId === 'two');
  t.same(await set('two'), { status: 'Accepted', supersededIds: ['one'] });
  t.match((await started).params, { started: true, supersededIds: ['one'] });
  const displacement = 0.9;
  const fixedPFInject = { priority: 1, displacement, excitation: true };
  await set('three', { isDefault: true, controlType: 'FixedPFInject', fixedPFInject });
  const reported = central.next('ReportDERControl');
  t.same(await central.call('GetDERControl', { requestId: 2 }), { status: 'Accepted' });
  t.match((await reported).params, {
    requestId: 2,
    fixedVar: [{ id: 'two', isDefault: false, isSuperseded: false, fixedVar }],
    fixedPFInject: [{ id: 'three', isDefault: true, fixedPF: fixedPFInject }],
  });
  const ended = central.next('NotifyDERStartStop');
  const clear = () => central.call('ClearDERControl', { isDefault: false });
  t.same(await clear(), { status: 'Accepted' });
  t.match((await ended).params, { controlId: 'two', started: false });
  t.same(await clear(), { status: 'NotFound' });
});
