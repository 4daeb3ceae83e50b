import t from 'tap';
import { createStation16 } from '#shared/simulator/station16.ts';
import { createStation201 } from '#shared/simulator/station201.ts';
import { CentralSystem } from './support/central-system.ts';
import { booted, versions } from './support/rig.ts';

const never = (): Promise<never> => new Promise(() => undefined);

void t.test('1.6: repeats an unanswered start unchanged, before later messages', async (t) => {
  const { central, station, counters } = await booted(t, createStation16);
  central.respond = ({ method }, peer) => {
    if (method !== 'StartTransaction' || central.all(method).length > 1) return undefined;
    void peer.close({ force: true });
    return never();
  };
  await station.startSession({ idToken: 'TAG-1' });
  const [first, second, ...more] = central.all('StartTransaction');
  t.same(second, first);
  t.equal(more.length, 0);
  await station.sendMeterValues(1, { time: new Date(), energyWh: 12_100 });
  t.match(central.all('MeterValues'), [{ transactionId: 101 }]);
  t.match(counters, { connectionsLost: 1, connected: 1, boots: 1, errors: 0 });
});

void t.test('2.0.1: keeps the number of a repeated event and marks only offline events', async (t) => {
  const { central, station } = await booted(t, createStation201);
  await station.startSession({ idToken: 'TAG-1' });
  let stopped: Promise<void> | undefined;
  central.respond = ({ params }, peer) => {
    const updates = central.all('TransactionEvent').filter((event) => event.seqNo === 2);
    if (params.seqNo !== 2 || updates.length > 1) return undefined;
    void peer.close({ force: true });
    return never();
  };
  const wasOnline = station.rpc;
  const update = station.sendMeterValues(1, { time: new Date(), energyWh: 12_100 });
  await central.next('StatusNotification', () => {
    // The first message of the new connection: the station is not ready yet, so it is offline to the session.
    stopped ??= station.stopSession();
    return true;
  });
  await update;
  await stopped;
  t.not(station.rpc, wasOnline);
  const [first, second, end] = central.all('TransactionEvent').slice(2);
  t.same(second, first);
  t.match(first, { seqNo: 2, offline: false });
  t.match(end, { eventType: 'Ended', seqNo: 3, offline: true });
});

for (const { name, create } of versions) {
  void t.test(`${name}: reconnects by itself and reports its connectors without a boot`, async (t) => {
    const { central, station, counters } = await booted(t, create);
    await station.plugIn(2);
    const before = central.all('StatusNotification').length;
    const reported = central.next(
      'StatusNotification',
      (params) => (params.evseId ?? params.connectorId) === 2,
    );
    await central.peer?.close({ code: 1012 });
    await reported;
    await station.ready();
    const statuses = central.all('StatusNotification').slice(before);
    t.same(
      statuses.map((params) => params.status ?? params.connectorStatus),
      ['Available', name === '1.6' ? 'Preparing' : 'Occupied'],
    );
    t.match(counters, { connectionsLost: 1, connected: 1, boots: 1, errors: 0 });
  });

  void t.test(`${name}: rejects pending calls when the station is closed`, async (t) => {
    const { central, station, counters } = await booted(t, create);
    await station.startSession({ idToken: 'TAG-1' });
    central.respond = ({ params }) => (params.meterValue === undefined ? undefined : never());
    const received = central.next(name === '1.6' ? 'MeterValues' : 'TransactionEvent');
    const waiting = station.sendMeterValues(1, { time: new Date(), energyWh: 12_100 });
    await Promise.all([t.rejects(waiting, { name: 'StationClosed' }), received.then(() => station.close())]);
    t.equal(counters.connected, 0);
  });
}

void t.test('replaces the connection after an unanswered heartbeat', { jobs: versions.length }, async (t) => {
  for (const { name, create } of versions) {
    // Both versions at once: each waits for its deadline.
    void t.test(name, async (t) => {
      // Every other call has to be answered within it too, on a machine that stands still for seconds at times.
      const { central, station, counters } = await booted(t, create, { callDeadlineMs: 4000 });
      central.respond = ({ method }) =>
        method === 'Heartbeat' && central.connections === 1 ? never() : undefined;
      const reported = central.next('StatusNotification');
      const settings =
        name === '1.6'
          ? central.call('ChangeConfiguration', { key: 'HeartbeatInterval', value: '1' })
          : central.call('SetVariables', {
              setVariableData: [
                {
                  attributeValue: '1',
                  component: { name: 'OCPPCommCtrlr' },
                  variable: { name: 'HeartbeatInterval' },
                },
              ],
            });
      await settings;
      await reported;
      await station.ready();
      t.match(counters, { errors: 1, connectionsLost: 1, connected: 1 });
    });
  }
});

void t.test('tries a first connection as often as requested', async (t) => {
  const { central } = await booted(t, createStation16);
  const station = createStation16({
    ocppUrl: central.url,
    uid: 'unknown',
    connectors: 1,
    vendor: 'V',
    model: 'M',
    backoff: { baseMs: 1, maxMs: 2 },
  });
  await t.rejects(station.connect(3), { name: 'UpgradeRefused', status: 404 });
  t.equal(central.passwords.length, 4);
});

void t.test('leaves a back end that does not accept the version', async (t) => {
  const central = await CentralSystem.listen(['ocpp2.0.1']);
  const station = createStation16({
    ocppUrl: central.url,
    uid: 'CP-1',
    connectors: 1,
    vendor: 'V',
    model: 'M',
  });
  t.teardown(async () => {
    await station.close();
    await central.close();
  });
  await t.rejects(station.connect(), { name: 'ProtocolNotAccepted' });
  t.equal(station.rpc, undefined);
});
