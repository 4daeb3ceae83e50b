import t from 'tap';
import type { RPCClient } from 'ocpp-rpc';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { findCharger } from '#shared/postgres/fleet/charger-records.ts';
import { listConnectors } from '#shared/testing/connectors.ts';
import { findSession } from '#shared/postgres/charging/session-records.ts';
import { listedSessions } from '#shared/testing/listed-sessions.ts';
import { seedTariff, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { type Rig, startRig } from './support/rig.ts';

const everything = { networks: allNetworks, userId: null };
const begin = Date.now() - 200_000;
const at = (seconds: number): string => new Date(begin + seconds * 1000).toISOString();

interface Event {
  type: 'Started' | 'Updated' | 'Ended';
  transactionId: string;
  seqNo: number;
  /** Energy register in Wh. */
  register?: number;
  context?: string;
  idToken?: { idToken: string; type: string };
  evse?: { id: number; connectorId?: number };
  info?: Record<string, unknown>;
}

/** A TransactionEvent `seqNo` tens of seconds after the begin. */
function event(client: RPCClient, said: Event): Promise<unknown> {
  const { type, transactionId, seqNo, register, context, idToken, evse, info } = said;
  const sampledValue = [{ value: register, context: context ?? 'Sample.Periodic' }];
  return client.call('TransactionEvent', {
    eventType: type,
    timestamp: at(seqNo * 10),
    triggerReason: 'MeterValuePeriodic',
    seqNo,
    transactionInfo: { transactionId, ...info },
    ...(idToken === undefined ? {} : { idToken }),
    ...(evse === undefined ? {} : { evse }),
    ...(register === undefined ? {} : { meterValue: [{ timestamp: at(seqNo * 10), sampledValue }] }),
  });
}

async function sessionOf(rig: Rig, transactionId: string) {
  const rows = await listedSessions(rig.stores.sql, everything);
  const found = rows.filter((row) => row.transactionId === transactionId);
  if (found.length !== 1) throw new Error(`${found.length} sessions of ${transactionId}`);
  return found[0];
}

void t.test('OCPP 2.0.1', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const tag = await seedToken(sql, rig.network.id);
  const idToken = { idToken: tag, type: 'ISO14443' };
  await seedTariff(sql, rig.network.id);

  await t.test('serves boot, status, authorize, start, meter values and stop', async (t) => {
    const { charger, client } = await rig.connect('ocpp2.0.1');
    const boot = await client.call('BootNotification', {
      reason: 'PowerUp',
      chargingStation: { vendorName: 'Vendor', model: 'Model', firmwareVersion: '2.0', serialNumber: 'S1' },
    });
    t.match(boot, { status: 'Accepted', interval: Number });
    t.match(await findCharger(sql, allNetworks, charger.uuid), {
      firmwareVersion: '2.0',
      serialNumber: 'S1',
      ocppVersion: '2.0.1',
    });
    const status = { timestamp: at(-5), connectorStatus: 'Available', evseId: 2, connectorId: 1 };
    t.same(await client.call('StatusNotification', status), {});
    const connectors = await listConnectors(sql, [charger.id]);
    t.same(
      connectors.map((connector) => [connector.number, connector.status]),
      [
        [1, 'UNKNOWN'],
        [2, 'Available'],
      ],
    );
    t.same(await client.call('Authorize', { idToken }), { idTokenInfo: { status: 'Accepted' } });

    const started = await client.call('TransactionEvent', {
      eventType: 'Started',
      timestamp: at(0),
      triggerReason: 'Authorized',
      seqNo: 0,
      transactionInfo: { transactionId: 'life', chargingState: 'Charging' },
      evse: { id: 2, connectorId: 1 },
      idToken,
      meterValue: [{ timestamp: at(0), sampledValue: [{ value: 1000, context: 'Transaction.Begin' }] }],
    });
    t.same(started, { idTokenInfo: { status: 'Accepted' } });
    t.equal((await listConnectors(sql, [charger.id]))[1]?.status, 'Charging');
    const updated = await client.call('TransactionEvent', {
      eventType: 'Updated',
      timestamp: at(10),
      triggerReason: 'MeterValuePeriodic',
      seqNo: 1,
      transactionInfo: { transactionId: 'life' },
      meterValue: [
        {
          timestamp: at(10),
          sampledValue: [
            { value: 3.5, unitOfMeasure: { unit: 'kWh' } },
            { value: 74, measurand: 'Power.Active.Import', unitOfMeasure: { unit: 'W', multiplier: 2 } },
            { value: 10, measurand: 'Current.Import', phase: 'L1' },
            { value: 12, measurand: 'Current.Import', phase: 'L2' },
            { value: 229, measurand: 'Voltage', phase: 'L1-N' },
            { value: 231, measurand: 'Voltage', phase: 'L2-N' },
            { value: 55, measurand: 'SoC', location: 'EV' },
          ],
        },
      ],
    });
    t.same(updated, {});
    const session = await sessionOf(rig, 'life');
    if (session === undefined) return;
    t.match(session, {
      status: 'ACTIVE',
      idToken: tag,
      meterStartWh: 1000,
      connectorNumber: 2,
      flags: { length: 0 },
    });
    await until('live values of the session', async () => {
      const live = await findSession(sql, everything, session.uuid);
      return live?.energyWh === 2500 && live.powerW === 7400 && live.socPercent === 55;
    });
    await event(client, {
      type: 'Ended',
      transactionId: 'life',
      seqNo: 2,
      register: 6000,
      context: 'Transaction.End',
      info: { stoppedReason: 'EVDisconnected' },
    });
    const ended = await findSession(sql, everything, session.uuid);
    t.match(ended, { status: 'COMPLETED', energyWh: 5000, meterStopWh: 6000, stopReason: 'EVDisconnected' });
    t.equal(ended?.cost?.totalInclVatMinor, '363');
    const samples = await rig.storedSamples({ chargerId: charger.id, sessionId: session.uuid });
    t.same(
      samples.map((row) => [row.energyWh, row.powerW, row.currentA, row.voltageV, row.socPercent]),
      [
        [1000, null, null, null, null],
        [3500, 7400, 12, 230, 55],
        [6000, null, null, null, null],
      ],
      'the unit multiplier, kWh and phases end in the columns',
    );
  });

  await t.test('assigns a token that is shown after the cable was plugged in', async (t) => {
    const { client } = await rig.connect('ocpp2.0.1');
    const evse = { id: 1, connectorId: 1 };
    const transactionId = 'cable-first';
    t.same(
      await event(client, { type: 'Started', transactionId, seqNo: 0, evse }),
      {},
      'no token, no idTokenInfo',
    );
    t.match(await sessionOf(rig, transactionId), { status: 'ACTIVE', idToken: null });
    const authorized = await event(client, { type: 'Updated', transactionId, seqNo: 1, idToken });
    t.same(authorized, { idTokenInfo: { status: 'Accepted' } });
    t.match(await sessionOf(rig, transactionId), { status: 'ACTIVE', idToken: tag });
  });

  await t.test('counts from the first register when the start has none', async (t) => {
    const { client } = await rig.connect('ocpp2.0.1');
    const transactionId = 'no-begin';
    await event(client, { type: 'Started', transactionId, seqNo: 0, evse: { id: 1 }, idToken });
    await event(client, { type: 'Updated', transactionId, seqNo: 1, register: 2000 });
    await event(client, { type: 'Updated', transactionId, seqNo: 2, register: 3000 });
    await event(client, {
      type: 'Ended',
      transactionId,
      seqNo: 3,
      register: 7000,
      context: 'Transaction.End',
    });
    t.match(await sessionOf(rig, transactionId), {
      status: 'COMPLETED',
      meterStartWh: 2000,
      energyWh: 5000,
      flags: ['meter-start-missing'],
    });
  });

  await t.test('creates and flags a session from an end without a start', async (t) => {
    const { client } = await rig.connect('ocpp2.0.1');
    const transactionId = 'only-end';
    const ended: Event = { type: 'Ended', transactionId, seqNo: 5, register: 9000, evse: { id: 2 }, idToken };
    t.same(await event(client, ended), { idTokenInfo: { status: 'Accepted' } });
    t.same(await event(client, ended), { idTokenInfo: { status: 'Accepted' } }, 'the same again is answered');
    t.match(await sessionOf(rig, transactionId), {
      status: 'COMPLETED',
      energyWh: 0,
      meterStopWh: 9000,
      idToken: tag,
      flags: ['start-missing', 'energy-unmeasured', 'meter-start-missing', 'energy-estimated'],
    });
  });

  await t.test('creates the same session from repeated events in any order', async (t) => {
    const evse = { id: 2, connectorId: 1 };
    const make = (transactionId: string): Event[] => [
      {
        type: 'Started',
        transactionId,
        seqNo: 0,
        register: 1000,
        context: 'Transaction.Begin',
        evse,
        idToken,
      },
      { type: 'Updated', transactionId, seqNo: 1, register: 3000, evse },
      { type: 'Ended', transactionId, seqNo: 2, register: 6000, context: 'Transaction.End', evse },
    ];
    for (const order of ['0,1,2', '0,2,1', '1,0,2', '1,2,0', '2,0,1', '2,1,0']) {
      const { charger, client } = await rig.connect('ocpp2.0.1');
      const events = make(`order-${order}`);
      for (const index of `${order},${order}`.split(',')) {
        const said = events[Number(index)];
        if (said !== undefined) await event(client, said);
      }
      const session = await sessionOf(rig, `order-${order}`);
      t.match(session, {
        status: 'COMPLETED',
        energyWh: 5000,
        meterStartWh: 1000,
        meterStopWh: 6000,
        idToken: tag,
        connectorNumber: 2,
        flags: { length: 0 },
        cost: { totalInclVatMinor: '363' },
      });
      t.same(session?.startedAt, new Date(at(0)), order);
      t.same(session?.endedAt, new Date(at(20)));
      const samples = await rig.storedSamples({
        chargerId: charger.id,
        sessionId: session?.uuid ?? '',
      });
      t.same(
        samples.map((row) => row.energyWh),
        [1000, 3000, 6000],
        'each reading once',
      );
    }
  });

  await t.test('keeps an ended session closed on a late update', async (t) => {
    const { charger, client } = await rig.connect('ocpp2.0.1');
    const transactionId = 'late';
    const evse = { id: 1, connectorId: 1 };
    await event(client, { type: 'Started', transactionId, seqNo: 0, register: 0, evse, idToken });
    await event(client, { type: 'Ended', transactionId, seqNo: 9, register: 5000 });
    const status = { timestamp: at(100), connectorStatus: 'Available', evseId: 1, connectorId: 1 };
    await client.call('StatusNotification', status);
    const info = { chargingState: 'Charging' };
    await event(client, { type: 'Updated', transactionId, seqNo: 3, register: 4000, evse, info });
    t.match(await sessionOf(rig, transactionId), { status: 'COMPLETED', energyWh: 5000 });
    t.equal((await listConnectors(sql, [charger.id]))[0]?.status, 'Available');
    const again = rig.client(charger, 'ocpp2.0.1');
    await again.connect();
    await event(again, { type: 'Updated', transactionId, seqNo: 4, register: 4500, evse });
    t.match(
      await sessionOf(rig, transactionId),
      { status: 'COMPLETED', energyWh: 5000 },
      'on a new socket neither',
    );
  });

  await t.test('answers each token by its state', async (t) => {
    const { client } = await rig.connect('ocpp2.0.1');
    const blocked = await seedToken(sql, rig.network.id, { isValid: false });
    const expired = await seedToken(sql, rig.network.id, { expiresAt: new Date(Date.now() - 1000) });
    const expiring = await seedToken(sql, rig.network.id, { expiresAt: new Date('2099-01-01T00:00:00Z') });
    const answers: [string, string][] = [
      ['NOBODY', 'Invalid'],
      [blocked, 'Blocked'],
      [expired, 'Expired'],
    ];
    for (const [index, [text, status]] of answers.entries()) {
      const token = { idToken: text, type: 'ISO14443' };
      t.match(await client.call('Authorize', { idToken: token }), { idTokenInfo: { status } });
      const transactionId = `token-${index}`;
      const started = await event(client, {
        type: 'Started',
        transactionId,
        seqNo: 0,
        evse: { id: 1 },
        idToken: token,
      });
      t.match(started, { idTokenInfo: { status } });
      t.match(await sessionOf(rig, transactionId), { idToken: text }, 'the session is kept all the same');
    }
    t.same(await client.call('Authorize', { idToken: { idToken: expiring, type: 'ISO14443' } }), {
      idTokenInfo: { status: 'Accepted', cacheExpiryDateTime: '2099-01-01T00:00:00.000Z' },
    });
  });

  await t.test('accepts any driver with NoAuthorization', async (t) => {
    const { client } = await rig.connect('ocpp2.0.1');
    const free = { idToken: '', type: 'NoAuthorization' };
    const transactionId = 'free';
    const started = await event(client, {
      type: 'Started',
      transactionId,
      seqNo: 0,
      evse: { id: 1 },
      idToken: free,
    });
    t.same(started, { idTokenInfo: { status: 'Accepted' } }, 'a token came, so idTokenInfo answers');
    t.match(await sessionOf(rig, transactionId), { status: 'ACTIVE', idToken: null });
  });

  await t.test('sends commands in 2.0.1', async (t) => {
    const { charger, client } = await rig.connect('ocpp2.0.1');
    const calls: unknown[][] = [];
    client.handle(async ({ method, params }) => {
      calls.push([method, params]);
      if (method === 'RequestStartTransaction') return { status: 'Accepted', transactionId: 'begun' };
      return { status: method === 'Reset' ? 'Scheduled' : 'Accepted' };
    });
    const position = { evse: 2, connector: 1 };
    const command = (said: Parameters<Rig['command']>[1]) => rig.command(charger.uid, said);
    t.match(await command({ type: 'remote-start', idToken: tag, position, remoteStartId: 77 }), {
      ok: true,
      result: { accepted: true, transactionId: 'begun' },
    });
    await event(client, {
      type: 'Started',
      transactionId: 'begun',
      seqNo: 0,
      evse: { id: 2 },
      idToken,
      info: { remoteStartId: 77 },
    });
    const [row] = await sql<{ remoteStartId: number }[]>`
      select remote_start_id as "remoteStartId" from sessions where ocpp_transaction_id = 'begun'`;
    t.equal(row?.remoteStartId, 77, 'the session tells which request began it');
    await command({ type: 'remote-stop', transactionId: 'begun' });
    t.match(await command({ type: 'reset', kind: 'Hard' }), { ok: true, result: { status: 'Scheduled' } });
    await command({ type: 'reset', kind: 'Soft' });
    await command({ type: 'trigger-message', requestedMessage: 'StatusNotification', position });
    await command({ type: 'trigger-message', requestedMessage: 'MeterValues', position });
    t.match(await command({ type: 'trigger-message', requestedMessage: 'Nonsense', position }), {
      ok: false,
      code: 'COMMAND_NOT_SUPPORTED',
    });
    t.same(calls, [
      [
        'RequestStartTransaction',
        { idToken: { idToken: tag, type: 'Central' }, remoteStartId: 77, evseId: 2 },
      ],
      ['RequestStopTransaction', { transactionId: 'begun' }],
      ['Reset', { type: 'Immediate' }],
      ['Reset', { type: 'OnIdle' }],
      ['TriggerMessage', { requestedMessage: 'StatusNotification', evse: { id: 2, connectorId: 1 } }],
      ['TriggerMessage', { requestedMessage: 'MeterValues', evse: { id: 2 } }],
    ]);
  });
});
