import t from 'tap';
import { readMessages, type StoredMessage } from '#shared/clickhouse/ocpp-messages.ts';
import { readStatusEvents } from '#shared/clickhouse/status-events.ts';
import { type SeededCharger, seedCharger, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { connectRaw } from './support/raw-charger.ts';
import { startRig } from './support/rig.ts';

const now = (): string => new Date().toISOString();

void t.test('the message log', async (t) => {
  const rig = await startRig(t);
  const { sql, clickhouse } = rig.stores;
  /** The log of a charger, oldest first, when it holds so many messages. */
  const logOf = (charger: SeededCharger, messages: number): Promise<StoredMessage[]> =>
    until(`${messages} logged messages`, async () => {
      const rows = await readMessages(clickhouse, { id: charger.id, networkId: rig.network.id }, {}, 1000);
      return rows.length >= messages && rows.toReversed();
    });
  const place = (charger: SeededCharger) => ({ id: charger.id, networkId: rig.network.id });
  const eventsOf = (charger: SeededCharger) => readStatusEvents(clickhouse, place(charger), {}, 100);

  await t.test('stores every frame of both directions in order, with latency and error', async (t) => {
    const charger = await seedCharger(sql, rig.network.id);
    const raw = await connectRaw(rig, charger, 'ocpp1.6');
    await raw.call('a', 'Heartbeat', {});
    // Times of calls are rounded to milliseconds.
    const answeredAt = Date.now();
    await until('a later time', () => Date.now() > answeredAt + 1);
    await raw.call('b', 'Nonsense', {});
    await until('the presence of the charger', () => rig.bus.presence.lookup(charger.uid));
    const reset = rig.command(charger.uid, { type: 'reset', kind: 'Soft' });
    const [, id] = await raw.next();
    raw.send(JSON.stringify([3, id, { status: 'Accepted' }]));
    await reset;
    const log = await logOf(charger, 6);
    t.match(log, [
      { direction: 'in', kind: 'call', action: 'Heartbeat', latencyMs: null, ocppVersion: '1.6' },
      { direction: 'out', kind: 'result', action: 'Heartbeat', errorCode: '' },
      { direction: 'in', kind: 'call', action: 'Nonsense' },
      { direction: 'out', kind: 'error', action: 'Nonsense', errorCode: 'NotImplemented' },
      { direction: 'out', kind: 'call', action: 'Reset', payload: /"type":"Soft"/ },
      { direction: 'in', kind: 'result', action: 'Reset', payload: /Accepted/ },
    ]);
    t.equal(log.length, 6);
    for (const [call, answer] of [log.slice(0, 2), log.slice(2, 4), log.slice(4)]) {
      t.equal(call?.messageId, answer?.messageId);
      t.equal(call?.connectionId, answer?.connectionId);
      t.ok((answer?.latencyMs ?? -1) > 0, 'an answer took its time');
    }
    await raw.terminate();
  });

  await t.test('stores text that is no frame and unrequested answers', async (t) => {
    const charger = await seedCharger(sql, rig.network.id);
    const raw = await connectRaw(rig, charger, 'ocpp2.0.1');
    raw.send('{"no": "frame"}');
    await raw.next();
    raw.send('[4,"never-asked","InternalError","",{}]');
    const log = await logOf(charger, 3);
    t.match(log, [
      { direction: 'in', kind: 'broken', action: '', messageId: '', payload: '{"no": "frame"}' },
      { direction: 'out', kind: 'error', errorCode: 'RpcFrameworkError' },
      { direction: 'in', kind: 'error', action: '', errorCode: 'InternalError', latencyMs: null },
    ]);
    await raw.terminate();
  });

  await t.test('masks a password that is sent', async (t) => {
    const { charger, client } = await rig.connect('ocpp1.6');
    const data = JSON.stringify({ key: 'AuthorizationKey', value: 'c0ffee' });
    await client.call('DataTransfer', { vendorId: 'test', data });
    const log = await logOf(charger, 2);
    t.notMatch(JSON.stringify(log), 'c0ffee');
    t.match(log[0]?.payload, /AuthorizationKey.*\*\*\*/);
  });

  await t.test('records sockets, states with errors and states implied by transactions', async (t) => {
    const { charger, client } = await rig.connect('ocpp1.6');
    const fault = { connectorId: 1, status: 'Faulted', errorCode: 'OtherError', timestamp: now() };
    await client.call('StatusNotification', { ...fault, vendorErrorCode: 'E-17', info: 'door open' });
    await client.call('StatusNotification', { ...fault, vendorErrorCode: 'E-17', info: 'door open' });
    await client.call('StatusNotification', { connectorId: 0, status: 'Available', errorCode: 'NoError' });
    await client.close();
    const events = await until('four events', async () => {
      const found = await eventsOf(charger);
      return found.length >= 4 && found;
    });
    t.equal(events.length, 4, 'what was said twice happened once');
    t.match(
      events.find((event) => event.kind === 'connected'),
      { evse: 0, connectionId: String },
    );
    t.match(
      events.find((event) => event.status === 'Faulted'),
      { evse: 1, connector: 1, errorCode: 'OtherError', vendorErrorCode: 'E-17', info: 'door open' },
    );
    t.match(
      events.find((event) => event.status === 'Available'),
      { evse: 0, errorCode: '', connectionId: null },
    );
    const sockets = events.filter((event) => event.kind !== 'status');
    t.equal(sockets[0]?.connectionId, sockets[1]?.connectionId);
  });

  await t.test('records a repeated charging state once', async (t) => {
    const { charger, client } = await rig.connect('ocpp2.0.1');
    const tag = await seedToken(sql, rig.network.id);
    const event = (eventType: string, seqNo: number, chargingState: string) =>
      client.call('TransactionEvent', {
        eventType,
        seqNo,
        timestamp: now(),
        triggerReason: 'ChargingStateChanged',
        transactionInfo: { transactionId: 'tx-1', chargingState },
        evse: { id: 1, connectorId: 1 },
        idToken: { idToken: tag, type: 'Central' },
      });
    await event('Started', 0, 'Charging');
    await event('Updated', 1, 'Charging');
    await event('Updated', 2, 'SuspendedEV');
    await event('Updated', 3, 'Charging');
    await event('Updated', 4, 'Charging');
    await client.close();
    const states = await until('the end of the socket', async () => {
      const found = (await eventsOf(charger)).toReversed();
      return (
        found.some(({ kind }) => kind === 'disconnected') && found.filter(({ kind }) => kind === 'status')
      );
    });
    t.same(
      states.map(({ status }) => status),
      ['Charging', 'SuspendedEV', 'Charging'],
    );
  });
});
