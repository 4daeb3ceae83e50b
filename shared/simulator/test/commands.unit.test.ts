import t from 'tap';
import { createStation16 } from '#shared/simulator/station16.ts';
import { createStation201 } from '#shared/simulator/station201.ts';
import { booted, versions } from './support/rig.ts';

const named = (component: string, variable: string) => ({
  component: { name: component },
  variable: { name: variable },
});

void t.test('1.6: starts and stops a session on remote commands', async (t) => {
  const { central, station, counters } = await booted(t, createStation16);
  const remote = Promise.withResolvers<number>();
  station.onRemoteStart = ({ connector }) => remote.resolve(connector);
  t.same(await central.call('RemoteStartTransaction', { connectorId: 2, idTag: 'APP-1' }), {
    status: 'Accepted',
  });
  t.equal(await remote.promise, 2);
  t.match(central.all('StartTransaction'), [{ connectorId: 2, idTag: 'APP-1', meterStart: 12_000 }]);
  t.equal(central.all('Authorize').length, 0);
  t.same(await central.call('RemoteStartTransaction', { connectorId: 2, idTag: 'APP-2' }), {
    status: 'Rejected',
  });

  t.same(await central.call('RemoteStopTransaction', { transactionId: 999 }), { status: 'Rejected' });
  const stopped = central.next('StopTransaction');
  t.same(await central.call('RemoteStopTransaction', { transactionId: 101 }), { status: 'Accepted' });
  t.match((await stopped).params, { transactionId: 101, reason: 'Remote' });
  t.match(counters, { remoteStarts: 1, remoteStops: 1, errors: 0 });
});

void t.test('2.0.1: reports the remoteStartId and ends the session on a remote stop', async (t) => {
  const { central, station, counters } = await booted(t, createStation201);
  const remote = Promise.withResolvers<number>();
  station.onRemoteStart = ({ connector }) => remote.resolve(connector);
  const request = { idToken: { idToken: 'APP-1', type: 'Central' }, remoteStartId: 4711 };
  t.same(await central.call('RequestStartTransaction', request), { status: 'Accepted' });
  t.equal(await remote.promise, 1, 'any free connector');
  t.match(central.all('TransactionEvent')[0], {
    eventType: 'Started',
    triggerReason: 'RemoteStart',
    transactionInfo: { remoteStartId: 4711 },
  });
  const transactionId = station.session(1)?.transactionId;
  const ended = central.next('TransactionEvent', ({ eventType }) => eventType === 'Ended');
  t.same(await central.call('RequestStopTransaction', { transactionId }), { status: 'Accepted' });
  t.match((await ended).params, {
    triggerReason: 'RemoteStop',
    transactionInfo: { stoppedReason: 'Remote', transactionId },
  });
  t.match(counters, { remoteStarts: 1, remoteStops: 1, errors: 0 });
});

void t.test('1.6: ends the session, reconnects and boots on a reset', async (t) => {
  const { central, station, counters } = await booted(t, createStation16);
  await station.startSession({ idToken: 'TAG-1' });
  const boot = central.next('BootNotification');
  t.same(await central.call('Reset', { type: 'Soft' }), { status: 'Accepted' });
  await boot;
  await station.ready();
  t.match(central.all('StopTransaction'), [{ reason: 'SoftReset' }]);
  t.equal(central.connections, 2);
  t.match(counters, { connected: 1, connectionsLost: 1, boots: 2, errors: 0 });
});

void t.test('2.0.1: delays a reset on idle until the session ends', async (t) => {
  const { central, station } = await booted(t, createStation201);
  await station.startSession({ idToken: 'TAG-1' });
  t.same(await central.call('Reset', { type: 'OnIdle' }), { status: 'Scheduled' });
  const boot = central.next('BootNotification');
  await station.stopSession();
  t.match((await boot).params, { reason: 'RemoteReset' });
});

for (const { name, create } of versions) {
  void t.test(`${name}: sends a triggered message`, async (t) => {
    const { central, station, counters } = await booted(t, create);
    await station.startSession({ idToken: 'TAG-1' });
    await station.sendMeterValues(1, { time: new Date(), energyWh: 12_500 });
    const messages = ['BootNotification', 'Heartbeat', 'StatusNotification', 'MeterValues'];
    messages.push('FirmwareStatusNotification');
    for (const requestedMessage of messages) {
      const sent = central.next(requestedMessage);
      const connector = name === '1.6' ? { connectorId: 1 } : { evse: { id: 1, connectorId: 1 } };
      t.same(await central.call('TriggerMessage', { requestedMessage, ...connector }), {
        status: 'Accepted',
      });
      await sent;
    }
    t.match(JSON.stringify(central.all('MeterValues').at(-1)), /"12500"|12500,.*"Trigger"/);
    t.equal(counters.errors, 0);
  });

  void t.test(`${name}: answers NotImplemented to an unknown action`, async (t) => {
    const { central } = await booted(t, create);
    const refused = await central.call('GetLocalListVersion', {}).catch((error: unknown) => error);
    t.match(refused, { rpcErrorCode: 'NotImplemented' });
  });

  void t.test(`${name}: starts no session on an inoperative connector`, async (t) => {
    const { central, station } = await booted(t, create);
    const inoperative =
      name === '1.6'
        ? { connectorId: 1, type: 'Inoperative' }
        : { evse: { id: 1 }, operationalStatus: 'Inoperative' };
    await station.startSession({ connector: 1, idToken: 'TAG-1' });
    t.same(await central.call('ChangeAvailability', inoperative), { status: 'Scheduled' });
    await station.stopSession();
    t.match(JSON.stringify(central.all('StatusNotification').at(-1)), /"Unavailable"/);
    await t.rejects(station.startSession({ connector: 1, idToken: 'TAG-1' }), { name: 'ConnectorState' });
  });

  void t.test(`${name}: accepts vendor data of its own vendor only`, async (t) => {
    const { central } = await booted(t, create);
    t.same(await central.call('DataTransfer', { vendorId: 'Volta' }), { status: 'Accepted' });
    t.same(await central.call('DataTransfer', { vendorId: 'Other' }), { status: 'UnknownVendorId' });
  });
}

void t.test('1.6: reports configuration and changes writable keys', async (t) => {
  const { central } = await booted(t, createStation16);
  t.same(await central.call('GetConfiguration', { key: ['NumberOfConnectors', 'Nonsense'] }), {
    configurationKey: [{ key: 'NumberOfConnectors', value: '2', readonly: true }],
    unknownKey: ['Nonsense'],
  });
  const change = async (key: string, value: string) =>
    (await central.call('ChangeConfiguration', { key, value })).status;
  t.equal(await change('MeterValueSampleInterval', '15'), 'Accepted');
  t.equal(await change('MeterValueSampleInterval', 'often'), 'Rejected');
  t.equal(await change('NumberOfConnectors', '3'), 'Rejected');
  t.equal(await change('Nonsense', '1'), 'NotSupported');
  t.match(await central.call('GetConfiguration', { key: ['MeterValueSampleInterval'] }), {
    configurationKey: [{ value: '15' }],
  });
});

void t.test('2.0.1: reports variables and changes writable ones', async (t) => {
  const { central } = await booted(t, createStation201);
  const set = await central.call('SetVariables', {
    setVariableData: [
      { ...named('SampledDataCtrlr', 'TxUpdatedInterval'), attributeValue: '15' },
      { ...named('ChargingStation', 'Model'), attributeValue: '15' },
    ],
  });
  t.match(set, { setVariableResult: [{ attributeStatus: 'Accepted' }, { attributeStatus: 'Rejected' }] });
  const got = await central.call('GetVariables', {
    getVariableData: [
      named('SampledDataCtrlr', 'TxUpdatedInterval'),
      named('SampledDataCtrlr', 'Nonsense'),
      named('Nonsense', 'Nonsense'),
      { ...named('ChargingStation', 'Model'), attributeType: 'MaxSet' },
    ],
  });
  t.match(got, {
    getVariableResult: [
      { attributeStatus: 'Accepted', attributeValue: '15' },
      { attributeStatus: 'UnknownVariable' },
      { attributeStatus: 'UnknownComponent' },
      { attributeStatus: 'NotSupportedAttributeType' },
    ],
  });
});

void t.test('1.6: ends the session of a connector that is unlocked', async (t) => {
  const { central, station } = await booted(t, createStation16);
  await station.startSession({ idToken: 'TAG-1' });
  const stopped = central.next('StopTransaction');
  t.same(await central.call('UnlockConnector', { connectorId: 1 }), { status: 'Unlocked' });
  t.match((await stopped).params, { reason: 'UnlockCommand' });
  t.same(await central.call('UnlockConnector', { connectorId: 3 }), { status: 'NotSupported' });
});

void t.test('2.0.1: keeps a connector in use locked', async (t) => {
  const { central, station } = await booted(t, createStation201);
  await station.startSession({ idToken: 'TAG-1' });
  const unlock = async (evseId: number) =>
    (await central.call('UnlockConnector', { evseId, connectorId: 1 })).status;
  t.equal(await unlock(1), 'OngoingAuthorizedTransaction');
  t.equal(await unlock(2), 'Unlocked');
  t.equal(await unlock(3), 'UnknownConnector');
});

void t.test('2.0.1: numbers a triggered transaction event in the order of its session', async (t) => {
  const { central, station } = await booted(t, createStation201);
  await station.startSession({ idToken: 'TAG-1' });
  const event = central.next('TransactionEvent');
  await central.call('TriggerMessage', { requestedMessage: 'TransactionEvent' });
  t.match((await event).params, { eventType: 'Updated', triggerReason: 'Trigger', seqNo: 2 });
});

const inAnHour = () => new Date(Date.now() + 3_600_000);

const reservations = {
  '1.6': {
    create: createStation16,
    reserve: (id: number, idTag: string, expiresAt: Date) => ({
      connectorId: 1,
      expiryDate: expiresAt.toISOString(),
      idTag,
      reservationId: id,
    }),
    status: { connectorId: 1, status: 'Reserved' },
    released: { connectorId: 1, status: 'Available' },
    start: 'StartTransaction',
  },
  '2.0.1': {
    create: createStation201,
    reserve: (id: number, idToken: string, expiresAt: Date) => ({
      id,
      expiryDateTime: expiresAt.toISOString(),
      idToken: { idToken, type: 'Central' },
      evseId: 1,
    }),
    status: { evseId: 1, connectorStatus: 'Reserved' },
    released: { evseId: 1, connectorStatus: 'Available' },
    start: 'TransactionEvent',
  },
};

for (const [version, { create, reserve, status, released, start }] of Object.entries(reservations)) {
  const isReleased = (sent: Record<string, unknown>) =>
    Object.entries(released).every(([name, value]) => sent[name] === value);

  void t.test(`${version}: keeps a reserved connector for its token`, async (t) => {
    const { central, station } = await booted(t, create);
    const reported = central.next('StatusNotification');
    t.same(await central.call('ReserveNow', reserve(7, 'TAG-1', inAnHour())), { status: 'Accepted' });
    t.match((await reported).params, status);
    t.same(await central.call('ReserveNow', reserve(8, 'TAG-2', inAnHour())), { status: 'Occupied' });
    await t.rejects(station.startSession({ idToken: 'TAG-2' }), { name: 'ConnectorState' });
    await station.startSession({ idToken: 'TAG-1' });
    t.match(central.all(start)[0], { reservationId: 7 });
    t.same(await central.call('CancelReservation', { reservationId: 7 }), { status: 'Rejected' });
  });

  void t.test(`${version}: releases a connector whose reservation is cancelled or has expired`, async (t) => {
    const { central } = await booted(t, create);
    await central.call('ReserveNow', reserve(7, 'TAG-1', inAnHour()));
    const cancelled = central.next('StatusNotification', isReleased);
    t.same(await central.call('CancelReservation', { reservationId: 7 }), { status: 'Accepted' });
    await cancelled;
    const expired = central.next('StatusNotification', isReleased);
    await central.call('ReserveNow', reserve(8, 'TAG-1', new Date(Date.now() + 200)));
    await expired;
    t.same(await central.call('CancelReservation', { reservationId: 8 }), { status: 'Rejected' });
  });
}
