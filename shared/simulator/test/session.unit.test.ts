import t from 'tap';
import { createStation16 } from '#shared/simulator/station16.ts';
import { createStation201 } from '#shared/simulator/station201.ts';
import { CentralSystem, rpcError } from './support/central-system.ts';
import { booted, versions } from './support/rig.ts';

const reading = { energyWh: 12_345.6, powerW: 11_000, currentA: 15.9, voltageV: 230.4, socPercent: 41 };

void t.test('reports a 1.6 session as the standard requires', async (t) => {
  const { central, station, counters } = await booted(t, createStation16);
  const session = await station.startSession({ connector: 2, idToken: 'TAG-1' });
  const time = new Date();
  await station.sendMeterValues(2, { ...reading, time, temperatureC: 31.24 });
  await station.stopSession({ connector: 2 });
  await station.unplug(2);
  t.same(
    central.received.map(({ method, params }) =>
      typeof params.status === 'string' ? `${method} ${params.status}` : method,
    ),
    [
      'BootNotification',
      'StatusNotification Available',
      'StatusNotification Available',
      'StatusNotification Preparing',
      'Authorize',
      'StartTransaction',
      'StatusNotification Charging',
      'MeterValues',
      'StopTransaction',
      'StatusNotification Finishing',
      'StatusNotification Available',
    ],
  );
  t.equal(session.transactionId, 101);
  t.match(central.all('StartTransaction'), [{ connectorId: 2, idTag: 'TAG-1', meterStart: 12_000 }]);
  t.match(central.all('MeterValues'), [
    {
      connectorId: 2,
      transactionId: 101,
      meterValue: [
        {
          timestamp: time.toISOString(),
          sampledValue: [
            { value: '12345.6', measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
            { value: '11000', measurand: 'Power.Active.Import', unit: 'W' },
            { value: '15.9', measurand: 'Current.Import', unit: 'A' },
            { value: '230.4', measurand: 'Voltage', unit: 'V' },
            { value: '41', measurand: 'SoC', unit: 'Percent' },
            { value: '31.2', measurand: 'Temperature', unit: 'Celsius' },
          ],
        },
      ],
    },
  ]);
  t.match(central.all('StopTransaction'), [{ transactionId: 101, meterStop: 12_346, reason: 'Local' }]);
  t.match(counters, { connected: 1, sessionsStarted: 1, sessionsStopped: 1, acknowledged: 1, errors: 0 });
});

void t.test('reports a 2.0.1 session as the standard requires', async (t) => {
  const { central, station, counters } = await booted(t, createStation201);
  const session = await station.startSession({ connector: 1, idToken: 'TAG-1' });
  await station.sendMeterValues(1, { ...reading, time: new Date() });
  await station.suspend(1, true);
  await station.stopSession({ connector: 1, reason: 'evDisconnected' });
  const { transactionId } = session;
  t.match(central.all('TransactionEvent'), [
    {
      eventType: 'Started',
      seqNo: 0,
      triggerReason: 'Authorized',
      offline: false,
      idToken: { idToken: 'TAG-1', type: 'ISO14443' },
      transactionInfo: { transactionId, chargingState: 'EVConnected' },
      evse: { id: 1, connectorId: 1 },
      meterValue: [{ sampledValue: [{ value: 12_000, context: 'Transaction.Begin' }] }],
    },
    { eventType: 'Updated', seqNo: 1, transactionInfo: { transactionId, chargingState: 'Charging' } },
    {
      eventType: 'Updated',
      seqNo: 2,
      triggerReason: 'MeterValuePeriodic',
      meterValue: [
        {
          sampledValue: [
            { value: 12_345.6, measurand: 'Energy.Active.Import.Register' },
            { value: 11_000, measurand: 'Power.Active.Import' },
            { value: 15.9, measurand: 'Current.Import' },
            { value: 230.4, measurand: 'Voltage' },
            { value: 41, measurand: 'SoC' },
          ],
        },
      ],
    },
    { eventType: 'Updated', seqNo: 3, transactionInfo: { transactionId, chargingState: 'SuspendedEV' } },
    {
      eventType: 'Ended',
      seqNo: 4,
      triggerReason: 'EVDeparted',
      transactionInfo: { transactionId, stoppedReason: 'EVDisconnected', chargingState: 'Idle' },
      meterValue: [{ sampledValue: [{ value: 12_345.6, context: 'Transaction.End' }] }],
    },
  ]);
  t.same(
    central.all('StatusNotification').map(({ connectorStatus }) => connectorStatus),
    ['Available', 'Available', 'Occupied', 'Available'],
  );
  t.match(counters, { sessionsStarted: 1, sessionsStopped: 1, acknowledged: 1, errors: 0 });
});

for (const { name, create } of versions) {
  void t.test(`${name}: sends the password and reports the status of a refused upgrade`, async (t) => {
    const { central } = await booted(t, create);
    t.same(central.passwords, ['secret']);
    for (const [uid, status] of [
      ['unknown', 404],
      ['wrong', 401],
    ] as const) {
      const station = create({ ocppUrl: central.url, uid, connectors: 1, vendor: 'V', model: 'M' });
      await t.rejects(station.connect(), { name: 'UpgradeRefused', status });
    }
  });

  void t.test(`${name}: repeats a boot until it is accepted`, async (t) => {
    const central = await CentralSystem.listen();
    const station = create({
      ocppUrl: central.url,
      uid: 'CP-1',
      connectors: 1,
      vendor: 'V',
      model: 'M',
      retryMs: 5,
    });
    t.teardown(async () => {
      await station.close();
      await central.close();
    });
    central.respond = ({ method }) => {
      const boots = central.all('BootNotification').length;
      if (method !== 'BootNotification' || boots > 2) return undefined;
      if (boots === 1) throw rpcError('InternalError', 'not yet');
      return { status: 'Pending', currentTime: new Date().toISOString(), interval: 1 };
    };
    await station.connect();
    await station.boot();
    t.equal(central.all('BootNotification').length, 3);
    t.equal(central.all('StatusNotification').length, 1);
  });

  void t.test(`${name}: sends heartbeats at the interval`, async (t) => {
    const { central } = await booted(t, create);
    const beat = central.next('Heartbeat');
    if (name === '1.6') await central.call('ChangeConfiguration', { key: 'HeartbeatInterval', value: '1' });
    else {
      await central.call('SetVariables', {
        setVariableData: [
          {
            attributeValue: '1',
            component: { name: 'OCPPCommCtrlr' },
            variable: { name: 'HeartbeatInterval' },
          },
        ],
      });
    }
    await beat;
    t.equal(central.all('Heartbeat').length, 1);
  });

  void t.test(`${name}: starts no session for a refused token`, async (t) => {
    const { central, station, counters } = await booted(t, create);
    const blocked = { status: 'Blocked' };
    central.respond = ({ method }) =>
      method === 'Authorize' ? { [name === '1.6' ? 'idTagInfo' : 'idTokenInfo']: blocked } : undefined;
    await t.rejects(station.startSession({ idToken: 'NO' }), { name: 'NotAuthorized', status: 'Blocked' });
    t.equal(central.all('StartTransaction').length + central.all('TransactionEvent').length, 0);
    t.equal(station.session(1), undefined);
    t.match(counters, { refused: 1, sessionsStarted: 0, errors: 0 });
  });

  void t.test(`${name}: stops a session whose token is refused at its start`, async (t) => {
    const { central, station, counters } = await booted(t, create);
    const blocked = { status: 'Invalid' };
    central.respond = ({ method, params }) => {
      if (method === 'StartTransaction') return { transactionId: 7, idTagInfo: blocked };
      return params.eventType === 'Started' ? { idTokenInfo: blocked } : undefined;
    };
    await t.rejects(station.startSession({ idToken: 'NO' }), { name: 'NotAuthorized', status: 'Invalid' });
    const stop = central.all('StopTransaction')[0] ?? central.all('TransactionEvent').at(-1)?.transactionInfo;
    t.match(stop, name === '1.6' ? { reason: 'DeAuthorized' } : { stoppedReason: 'DeAuthorized' });
    t.match(counters, { refused: 1, errors: 0 });
  });

  void t.test(`${name}: sends a message answered with CALLERROR three times`, async (t) => {
    const { central, station, counters } = await booted(t, create);
    await station.startSession({ idToken: 'TAG-1' });
    central.respond = ({ params }) => {
      if (params.meterValue !== undefined) throw rpcError('InternalError', 'no store');
      return undefined;
    };
    await t.rejects(station.sendMeterValues(1, { time: new Date(), energyWh: 12_100 }), {
      name: 'CallError',
    });
    t.match(counters, { errors: 3, meterValues: 1, acknowledged: 0 });
  });
}
