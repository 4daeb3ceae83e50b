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
  const { central } = await booted(t, createStation21);
  const set = (id: number, kind: string) =>
    central.call('SetChargingProfile', {
      evseId: 1,
      chargingProfile: {
        id,
        stackLevel: id,
        chargingProfilePurpose: 'TxDefaultProfile',
        chargingProfileKind: kind,
        chargingSchedule: [
          { id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
        ],
      },
    });
  const update = (chargingProfileId: number) =>
    central.call('UpdateDynamicSchedule', { chargingProfileId, scheduleUpdate: { limit: 8 } });
  await set(1, 'Dynamic');
  await set(2, 'Absolute');
  t.same(
    await Promise.all([update(1), update(2), update(3)]),
    ['Accepted', 'Rejected', 'Rejected'].map((status) => ({ status })),
  );
  const others = { chargingProfileCriteria: { chargingProfilePurpose: 'ChargingStationMaxProfile' } };
  t.same(await central.call('ClearChargingProfile', others), { status: 'Unknown' });
  t.same(await central.call('ClearChargingProfile', { chargingProfileId: 1 }), { status: 'Accepted' });
  t.same(await update(1), { status: 'Rejected' });
});
