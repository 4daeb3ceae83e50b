import t from 'tap';
import type { ChargerCommand } from '#shared/domain/commands/commands.ts';
import { seedCharger, type SeededCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { connectRaw, type RawCharger } from './support/raw-charger.ts';
import { startRig, type Version } from './support/rig.ts';

const boots = {
  'ocpp1.6': { chargePointVendor: 'V', chargePointModel: 'M' },
  'ocpp2.0.1': { chargingStation: { vendorName: 'V', model: 'M' }, reason: 'PowerUp' },
  'ocpp2.1': { chargingStation: { vendorName: 'V', model: 'M' }, reason: 'PowerUp' },
} as const;
const versions = ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'] as const;
const held = (status: string) => ({ status, currentTime: String, interval: Number });
const refused = (id: string) => [4, id, 'SecurityError', String, {}];
const report = { requestId: 1, generatedAt: new Date().toISOString(), seqNo: 0 };

// One gateway for all of these: each has chargers of its own.
const rig = await startRig(t);
const { sql } = rig.stores;

async function connectHeld(registration: string, version: Version) {
  const charger = await seedCharger(sql, rig.network.id, { connectors: 1 });
  await sql`update chargers set registration = ${registration} where id = ${charger.id}`;
  const socket = await connectRaw(rig, charger, version);
  await until('presence', () => rig.bus.presence.lookup(charger.uid));
  await knowsHold(socket);
  return { charger, socket };
}

/** Holds a connected charger, as the API does, and waits until its shard knows. */
async function hold(charger: SeededCharger, socket: RawCharger): Promise<void> {
  await sql`update chargers set registration = 'Pending' where id = ${charger.id}`;
  await knowsHold(socket);
}

/** Waits until the shard knows that the charger is held: the change reaches it by a notification. */
async function knowsHold(socket: RawCharger): Promise<void> {
  await until('the hold', async () => (await socket.call('held', 'Heartbeat', {}))[0] === 4);
}

/** Answers the next command, and returns its action. */
async function accept(socket: RawCharger, answer: object): Promise<unknown> {
  const [, id, action] = await socket.next();
  socket.send(JSON.stringify([3, id, answer]));
  return action;
}

for (const version of versions) {
  for (const status of ['Pending', 'Rejected'] as const) {
    void t.test(`${version}: serves only BootNotification to a ${status} charger`, async (t) => {
      const { socket } = await connectHeld(status, version);
      const [, , answer] = await socket.call('1', 'BootNotification', boots[version]);
      t.match(answer, held(status));
      const { interval } = answer as { interval: number };
      const most = status === 'Pending' ? 66 : 330;
      t.ok(interval <= most && interval >= most * 0.8, `${interval} s`);
      t.match(await socket.call('2', 'Heartbeat', {}), refused('2'));
      t.match(
        await socket.call('3', 'Authorize', { idToken: { idToken: 'A', type: 'Central' } }),
        refused('3'),
      );
      const start = { eventType: 'Started', timestamp: new Date().toISOString() };
      const action = version === 'ocpp1.6' ? 'StartTransaction' : 'TransactionEvent';
      t.match(await socket.call('4', action, start), refused('4'));
    });
  }
}

void t.test('requests the device model of a Pending 2.0.1 station, not of a Rejected one', async (t) => {
  const pending = await connectHeld('Pending', 'ocpp2.0.1');
  t.same(await pending.socket.call('1', 'NotifyReport', report), [3, '1', {}]);
  const rejected = await connectHeld('Rejected', 'ocpp2.0.1');
  t.match(await rejected.socket.call('1', 'NotifyReport', report), refused('1'));
});

const selector = {
  component: 'TxCtrlr',
  componentInstance: null,
  evseId: null,
  connectorId: null,
  variable: 'A',
  variableInstance: null,
  attributeType: 'Actual',
} as const;
const trigger = { type: 'trigger-message', requestedMessage: 'BootNotification', position: null } as const;
const allowed201 = [
  [
    { type: 'get-variables', variables: [selector] },
    {
      getVariableResult: [
        { component: { name: 'TxCtrlr' }, variable: { name: 'A' }, attributeStatus: 'Accepted' },
      ],
    },
  ],
  [
    { type: 'set-variables', variables: [{ ...selector, value: '1' }] },
    {
      setVariableResult: [
        { component: { name: 'TxCtrlr' }, variable: { name: 'A' }, attributeStatus: 'Accepted' },
      ],
    },
  ],
  [
    { type: 'ocpp', action: 'GetBaseReport', payload: { requestId: 1, reportBase: 'FullInventory' } },
    { status: 'Accepted' },
  ],
  [{ type: 'ocpp', action: 'GetReport', payload: { requestId: 1 } }, { status: 'Accepted' }],
  [trigger, { status: 'Accepted' }],
] as const;
const allowed = {
  'ocpp1.6': [
    [{ type: 'get-configuration', keys: ['A'] }, {}],
    [{ type: 'change-configuration', key: 'A', value: '1' }, { status: 'Accepted' }],
    [trigger, { status: 'Accepted' }],
  ],
  'ocpp2.0.1': allowed201,
  'ocpp2.1': allowed201,
} as const satisfies Record<Version, readonly (readonly [ChargerCommand, object])[]>;

const start = { type: 'remote-start', position: null, idToken: 'A', remoteStartId: 1 } as const;
const forbidden: ChargerCommand[] = [
  { type: 'reset', kind: 'Soft' },
  start,
  { ...trigger, requestedMessage: 'Heartbeat' },
  { type: 'clear-cache' },
];

for (const version of versions) {
  void t.test(`${version}: sends only configuration commands to a Pending charger`, async (t) => {
    const { charger, socket } = await connectHeld('Pending', version);
    for (const [command, answer] of allowed[version]) {
      const reply = rig.command(charger.uid, command);
      await accept(socket, answer);
      t.match(await reply, { ok: true }, command.type);
    }
    for (const command of forbidden) {
      t.match(await rig.command(charger.uid, command), { ok: false, code: 'CHARGER_HELD' }, command.type);
    }
    const [starts] = await sql`select count(*)::integer from remote_starts where charger_id = ${charger.id}`;
    t.same(starts, { count: 0 }, 'a refused start leaves nothing');
  });

  void t.test(`${version}: sends no command to a Rejected charger`, async (t) => {
    const { charger } = await connectHeld('Rejected', version);
    for (const [command] of allowed[version]) {
      t.match(await rig.command(charger.uid, command), { ok: false, code: 'CHARGER_HELD' }, command.type);
    }
  });

  void t.test(`${version}: triggers a boot of a charger that is accepted and serves it`, async (t) => {
    const { charger, socket } = await connectHeld('Pending', version);
    t.match(await socket.call('1', 'BootNotification', boots[version]), [3, '1', held('Pending')]);
    await sql`update chargers set registration = 'Accepted' where id = ${charger.id}`;
    const triggered = rig.command(charger.uid, trigger);
    t.equal(await accept(socket, { status: 'Accepted' }), 'TriggerMessage');
    t.match(await triggered, { ok: true });
    t.match(await socket.call('2', 'BootNotification', boots[version]), [3, '2', held('Accepted')]);
    t.match(await socket.call('3', 'Heartbeat', {}), [3, '3', { currentTime: String }]);
  });
}

void t.test(
  'holds a charger whose boot is triggered before the notification of its hold arrives',
  async (t) => {
    const charger = await seedCharger(sql, rig.network.id, { connectors: 1 });
    const socket = await connectRaw(rig, charger, 'ocpp2.0.1');
    await until('presence', () => rig.bus.presence.lookup(charger.uid));
    await sql.begin(async (transaction) => {
      // Without triggers, the change is not notified.
      await transaction`set local session_replication_role = replica`;
      await transaction`update chargers set registration = 'Pending' where id = ${charger.id}`;
    });
    const triggered = rig.command(charger.uid, trigger);
    await accept(socket, { status: 'Accepted' });
    t.match(await triggered, { ok: true });
    t.match(await socket.call('1', 'BootNotification', boots['ocpp2.0.1']), [3, '1', held('Pending')]);
  },
);

const event = (eventType: string, seqNo: number, transactionId = 'T-1') => ({
  eventType,
  timestamp: new Date().toISOString(),
  triggerReason: 'CablePluggedIn',
  seqNo,
  transactionInfo: { transactionId },
  evse: { id: 1, connectorId: 1 },
});

void t.test('lets a charger that is held while connected end its session and start none', async (t) => {
  const charger = await seedCharger(sql, rig.network.id, { connectors: 2 });
  const socket = await connectRaw(rig, charger, 'ocpp2.0.1');
  await until('presence', () => rig.bus.presence.lookup(charger.uid));
  t.same(await socket.call('1', 'TransactionEvent', event('Started', 0)), [3, '1', {}]);
  await hold(charger, socket);
  t.match(await socket.call('2', 'TransactionEvent', event('Started', 0, 'T-2')), refused('2'));
  t.match(await socket.call('3', 'TransactionEvent', event('Ended', 1)), [3, '3', {}]);
  const sessions =
    await sql`select ocpp_transaction_id as id, status from sessions where charger_id = ${charger.id}`;
  t.same(sessions, [{ id: 'T-1', status: 'COMPLETED' }]);
});

void t.test('answers a held station that repeats the end of its session as the first time', async (t) => {
  const charger = await seedCharger(sql, rig.network.id, { connectors: 1 });
  const socket = await connectRaw(rig, charger, 'ocpp2.0.1');
  await until('presence', () => rig.bus.presence.lookup(charger.uid));
  await socket.call('1', 'TransactionEvent', event('Started', 0));
  await hold(charger, socket);
  t.same(await socket.call('2', 'TransactionEvent', event('Ended', 1)), [3, '2', {}]);
  t.same(await socket.call('3', 'TransactionEvent', event('Ended', 1)), [3, '3', {}]);
  t.same(await socket.call('4', 'TransactionEvent', event('Updated', 1)), [3, '4', {}]);
  t.match(await socket.call('5', 'TransactionEvent', event('Ended', 1, 'T-2')), refused('5'));
  t.match(await socket.call('6', 'TransactionEvent', event('Started', 0)), refused('6'));
  const sessions =
    await sql`select ocpp_transaction_id as id, status from sessions where charger_id = ${charger.id}`;
  t.same(sessions, [{ id: 'T-1', status: 'COMPLETED' }]);
});

void t.test('answers a held charge point that repeats its stop as the first time', async (t) => {
  const charger = await seedCharger(sql, rig.network.id, { connectors: 1 });
  const socket = await connectRaw(rig, charger, 'ocpp1.6');
  await until('presence', () => rig.bus.presence.lookup(charger.uid));
  const timestamp = new Date().toISOString();
  const start = { connectorId: 1, idTag: 'A', meterStart: 0, timestamp };
  const [, , begun] = await socket.call('1', 'StartTransaction', start);
  const { transactionId } = begun as { transactionId: number };
  await hold(charger, socket);
  const stop = { transactionId, meterStop: 100, timestamp };
  t.same(await socket.call('2', 'StopTransaction', stop), [3, '2', {}]);
  t.same(await socket.call('3', 'StopTransaction', stop), [3, '3', {}]);
  const meterValue = [{ timestamp, sampledValue: [{ value: '100' }] }];
  const reading = { connectorId: 1, transactionId, meterValue };
  t.same(await socket.call('4', 'MeterValues', reading), [3, '4', {}]);
  const unknown = { ...stop, transactionId: transactionId + 1000 };
  t.match(await socket.call('5', 'StopTransaction', unknown), refused('5'));
});

void t.test('keeps a charger held over a reconnection', async (t) => {
  const { charger, socket } = await connectHeld('Pending', 'ocpp2.0.1');
  await socket.call('1', 'BootNotification', boots['ocpp2.0.1']);
  await socket.terminate();
  const again = await connectRaw(rig, charger, 'ocpp2.0.1');
  t.match(await again.call('2', 'Heartbeat', {}), refused('2'));
});

void t.test('answers Pending to a new charger of a network that holds new chargers', async (t) => {
  await sql`update networks set new_charger_registration = 'Pending' where id = ${rig.network.id}`;
  const charger = await seedCharger(sql, rig.network.id);
  await sql`update networks set new_charger_registration = 'Accepted' where id = ${rig.network.id}`;
  const socket = await connectRaw(rig, charger, 'ocpp1.6');
  t.match(await socket.call('1', 'BootNotification', boots['ocpp1.6']), [3, '1', held('Pending')]);
});

void t.test('applies a hold that was set during a bus outage', async (t) => {
  const charger = await seedCharger(sql, rig.network.id);
  const socket = await connectRaw(rig, charger, 'ocpp1.6');
  t.match(await socket.call('1', 'Heartbeat', {}), [3, '1', { currentTime: String }]);
  await sql.begin(async (transaction) => {
    await transaction`alter table chargers disable trigger charger_changed`;
    await transaction`update chargers set registration = 'Pending' where id = ${charger.id}`;
    await transaction`alter table chargers enable trigger charger_changed`;
  });
  await sql`select pg_notify('charger_changed', '*')`;
  await until('the hold', async () => (await socket.call('2', 'Heartbeat', {}))[0] === 4);
});
