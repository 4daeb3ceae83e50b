import t from 'tap';
import { requestDeviceReports } from '#api/jobs/device-reports.job.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { until } from '#shared/testing/until.ts';
import { answerCalls } from './support/answering.ts';
import { startRig } from './support/rig.ts';
import { station21 } from './support/station21.ts';

void t.test('the device model of a 2.1 station is requested after each boot', async (t) => {
  const rig = await startRig(t);
  const { sql, clickhouse } = rig.stores;
  let now = Date.now();
  const deps = { sql, clickhouse, bus: rig.bus, clock: { now: () => now } } as ApiDeps;
  const { charger, client } = await rig.connect('ocpp2.1');
  const older = await rig.connect('ocpp2.0.1');
  const station = station21(client);
  const calls: unknown[][] = [];
  let status = 'NotSupported';
  answerCalls(older.client, (action) => calls.push([action, 'of an earlier version']));
  answerCalls(client, (action, payload) => {
    calls.push([action, payload]);
    return action === 'GetPeriodicEventStream' ? {} : { status };
  });
  const request = async () => {
    calls.splice(0);
    await requestDeviceReports(deps);
    return calls.map(([action]) => action);
  };
  const actions = ['GetBaseReport', 'GetMonitoringReport', 'GetPeriodicEventStream'];
  const booted = async () => {
    const [before] = await sql`select last_boot_at as at from chargers where id = ${charger.id}`;
    await station.boot();
    await until('the boot', async () => {
      const [row] = await sql`select last_boot_at as at from chargers where id = ${charger.id}`;
      return String(row?.['at']) !== String(before?.['at']) || Number(row?.['at']) !== Number(before?.['at']);
    });
  };
  t.same(await request(), [], 'not before it booted');
  await booted();
  await older.client.call('BootNotification', {
    reason: 'PowerUp',
    chargingStation: { vendorName: 'V', model: 'M' },
  });
  t.same(await request(), actions);
  t.match(calls[0], ['GetBaseReport', { reportBase: 'FullInventory', requestId: Number }]);
  t.same(await request(), [], 'once, whatever it answered');
  await booted();
  t.same(await request(), actions, 'again after the next boot');
  await booted();
  const fail = (reason: Error) => {
    const bus = { presence: { lookup: () => Promise.reject(reason) } };
    return requestDeviceReports({ ...deps, bus } as unknown as ApiDeps);
  };
  await t.rejects(fail(new Error('no bus')), { message: 'no bus' });
  await fail(new DomainError('CHARGER_TIMEOUT', 'It did not answer.'));
  status = 'Rejected';
  t.same(await request(), ['GetBaseReport'], 'a charger that starts may be busy');
  now = Date.now() + 5 * 60_000;
  t.same(await request(), actions, 'it is asked again, and what it rejects later is final');
  t.same(await request(), []);
  await booted();
  await client.close();
  await until('the end of the connection', async () => {
    const [row] = await sql`select disconnected_at as at from chargers where id = ${charger.id}`;
    return row?.['at'] != null;
  });
  t.same(await request(), [], 'not while it is offline');
  const back = rig.client(charger, 'ocpp2.1');
  await back.connect();
  answerCalls(back, (action) => {
    calls.push([action]);
    return action === 'GetPeriodicEventStream' ? {} : { status: 'Accepted' };
  });
  await until('the connection', async () => (await request()).length === actions.length);
});
