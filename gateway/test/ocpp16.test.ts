import t from 'tap';
import { findCharger } from '#shared/postgres/fleet/charger-records.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { listConnectors } from '#shared/testing/connectors.ts';
import { findSession } from '#shared/postgres/charging/session-records.ts';
import { listedSessions } from '#shared/testing/listed-sessions.ts';
import { seedTariff, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { startRig } from './support/rig.ts';

const everything = { networks: allNetworks, userId: null };

void t.test('serves boot, status, authorize, start, meter values and stop of a 1.6 charger', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const { charger, client } = await rig.connect('ocpp1.6');
  const tag = await seedToken(sql, rig.network.id);
  await seedTariff(sql, rig.network.id);

  const boot = (await client.call('BootNotification', {
    chargePointVendor: 'Vendor',
    chargePointModel: 'Model',
    firmwareVersion: '1.2.3',
  })) as { status: string; interval: number };
  t.equal(boot.status, 'Accepted');
  t.ok(boot.interval > 0);
  const record = await findCharger(sql, allNetworks, charger.uuid);
  t.match(
    record,
    { firmwareVersion: '1.2.3', ocppVersion: '1.6' },
    'the boot is stored before it is accepted',
  );

  await client.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' });
  const [connector] = await listConnectors(sql, [charger.id]);
  t.equal(connector?.status, 'Available');
  t.equal((await findCharger(sql, allNetworks, charger.uuid))?.status, 'Available');

  t.same(await client.call('Authorize', { idTag: tag }), { idTagInfo: { status: 'Accepted' } });
  t.same(await client.call('Authorize', { idTag: tag.toLowerCase() }), { idTagInfo: { status: 'Accepted' } });
  t.same(await client.call('Authorize', { idTag: 'NOBODY' }), { idTagInfo: { status: 'Invalid' } });

  const startedAt = new Date(Date.now() - 60_000);
  const { transactionId, idTagInfo } = (await client.call('StartTransaction', {
    connectorId: 1,
    idTag: tag,
    meterStart: 1000,
    timestamp: startedAt.toISOString(),
  })) as { transactionId: number; idTagInfo: { status: string } };
  t.ok(transactionId > 0);
  t.equal(idTagInfo.status, 'Accepted');

  for (let n = 1; n <= 3; n += 1) {
    await client.call('MeterValues', {
      connectorId: 1,
      transactionId,
      meterValue: [
        {
          timestamp: new Date(startedAt.getTime() + n * 10_000).toISOString(),
          sampledValue: [
            { value: String(1 + n), unit: 'kWh' },
            { value: '7.4', measurand: 'Power.Active.Import', unit: 'kW' },
            { value: '230', measurand: 'Voltage', phase: 'L1-N', unit: 'V' },
            { value: '42', measurand: 'SoC', unit: 'Percent' },
          ],
        },
      ],
    });
  }
  const rows = await listedSessions(sql, everything);
  const session = rows[0];
  t.equal(rows.length, 1);
  if (session === undefined) return;
  const samples = await rig.storedSamples({ chargerId: charger.id, sessionId: session.uuid });
  t.same(
    samples.map((sample) => [sample.energyWh, sample.powerW, sample.voltageV, sample.socPercent]),
    [
      [2000, 7400, 230, 42],
      [3000, 7400, 230, 42],
      [4000, 7400, 230, 42],
    ],
    'acknowledged readings are in ClickHouse, in Wh and W',
  );
  await until('live values of the session', async () => {
    const live = await findSession(sql, everything, session.uuid);
    return live?.energyWh === 3000 && live.powerW === 7400;
  });

  const stopped = await client.call('StopTransaction', {
    transactionId,
    idTag: tag,
    meterStop: 6000,
    timestamp: new Date().toISOString(),
    reason: 'Local',
  });
  t.same(stopped, { idTagInfo: { status: 'Accepted' } });
  const ended = await findSession(sql, everything, session.uuid);
  t.match(ended, { status: 'COMPLETED', energyWh: 5000, meterStopWh: 6000, stopReason: 'Local' });
  // 5 kWh at 0.40 and 1.00 per session, 21 % VAT: 2.00 + 0.42 + 1.00 + 0.21.
  t.equal(ended?.cost?.totalInclVatMinor, '363');
});

void t.test('returns the state of the token that stops a session, and none without a token', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const { client } = await rig.connect('ocpp1.6');
  const group = await seedToken(sql, rig.network.id, { groupId: 'FAMILY' });
  const blocked = await seedToken(sql, rig.network.id, { isValid: false });
  for (const [idTag, answer] of [
    [group, { idTagInfo: { status: 'Accepted', parentIdTag: 'FAMILY' } }],
    [blocked, { idTagInfo: { status: 'Blocked' } }],
    ['unknown', { idTagInfo: { status: 'Invalid' } }],
    [undefined, {}],
  ] as const) {
    const timestamp = new Date().toISOString();
    const start = { connectorId: 1, idTag: group, meterStart: 0, timestamp };
    const { transactionId } = (await client.call('StartTransaction', start)) as { transactionId: number };
    const stop = { transactionId, meterStop: 10, timestamp, ...(idTag !== undefined && { idTag }) };
    t.same(await client.call('StopTransaction', stop), answer, idTag ?? 'no token');
    const [session] = await sql<{ status: string }[]>`
      select status from sessions where ocpp_transaction_id = ${String(transactionId)}`;
    t.equal(session?.status, 'COMPLETED');
  }
});

void t.test('returns the same session for a repeated start, whatever its message id', async (t) => {
  const rig = await startRig(t, { SHARDS: '2' });
  const { charger, client } = await rig.connect('ocpp1.6');
  const tag = await seedToken(rig.stores.sql, rig.network.id);
  const start = { connectorId: 1, idTag: tag, meterStart: 10, timestamp: new Date().toISOString() };
  const first = (await client.call('StartTransaction', start)) as { transactionId: number };
  const again = (await client.call('StartTransaction', start)) as { transactionId: number };
  t.equal(again.transactionId, first.transactionId);

  // A new socket, perhaps on another shard, while the old one is half open.
  const other = rig.client(charger, 'ocpp1.6');
  await other.connect();
  const elsewhere = (await other.call('StartTransaction', start)) as { transactionId: number };
  t.equal(elsewhere.transactionId, first.transactionId);

  const stop = { transactionId: first.transactionId, meterStop: 5010, timestamp: new Date().toISOString() };
  t.same(await other.call('StopTransaction', stop), {});
  t.same(await other.call('StopTransaction', { ...stop, meterStop: 9999 }), {}, 'a second stop is answered');
  const rows = await listedSessions(rig.stores.sql, everything);
  t.equal(rows.length, 1);
  t.match(rows[0], { status: 'COMPLETED', energyWh: 5000 }, 'and changes nothing');
});

void t.test('answers and stores a stop that fits no session', async (t) => {
  const rig = await startRig(t);
  const { client } = await rig.connect('ocpp1.6');
  for (const transactionId of [0, -1, 2_147_483_647]) {
    const stop = { transactionId, meterStop: 1, timestamp: new Date().toISOString() };
    t.same(await client.call('StopTransaction', stop), {});
    t.same(await client.call('StopTransaction', stop), {});
  }
  const [{ kept } = { kept: 0 }] = await rig.stores.sql<{ kept: number }[]>`
    select count(*)::integer as kept from unmatched_stops`;
  t.equal(kept, 3, 'once each');
});

void t.test('bills no negative energy when a meter runs backwards or its stop is missing', async (t) => {
  const rig = await startRig(t);
  const { client } = await rig.connect('ocpp1.6');
  const tag = await seedToken(rig.stores.sql, rig.network.id);
  const charge = async (connectorId: number, meterStop: number): Promise<void> => {
    const timestamp = new Date().toISOString();
    const { transactionId } = (await client.call('StartTransaction', {
      connectorId,
      idTag: tag,
      meterStart: 5000,
      timestamp,
    })) as { transactionId: number };
    await client.call('StopTransaction', { transactionId, meterStop, timestamp });
  };
  await charge(1, 4000);
  await charge(2, -1);
  const rows = await listedSessions(rig.stores.sql, everything);
  t.same(
    rows.map((row) => row.energyWh),
    [0, 0],
  );
  t.same(rows.flatMap((row) => row.flags).toSorted(), [
    'energy-estimated',
    'energy-unmeasured',
    'meter-backwards',
    'meter-stop-missing',
    'no-tariff',
    'no-tariff',
  ]);
});

void t.test('sends commands to a 1.6 charger and returns its answers', async (t) => {
  const rig = await startRig(t);
  const { charger, client } = await rig.connect('ocpp1.6');
  const calls: unknown[][] = [];
  client.handle(async ({ method, params }) => {
    calls.push([method, params]);
    return { status: method === 'Reset' ? 'Rejected' : 'Accepted' };
  });
  const position = { evse: 2, connector: 1 };
  const start = await rig.command(charger.uid, {
    type: 'remote-start',
    idToken: 'TAG',
    position,
    remoteStartId: 1,
  });
  t.match(start, { ok: true, result: { accepted: true, status: 'Accepted' } });
  await rig.command(charger.uid, { type: 'remote-stop', transactionId: '17' });
  const reset = await rig.command(charger.uid, { type: 'reset', kind: 'Hard' });
  t.match(reset, { ok: true, result: { accepted: false, status: 'Rejected' } });
  await rig.command(charger.uid, { type: 'trigger-message', requestedMessage: 'Heartbeat', position: null });
  t.same(calls, [
    ['RemoteStartTransaction', { idTag: 'TAG', connectorId: 2 }],
    ['RemoteStopTransaction', { transactionId: 17 }],
    ['Reset', { type: 'Hard' }],
    ['TriggerMessage', { requestedMessage: 'Heartbeat' }],
  ]);
  const unknown = await rig.command(charger.uid, {
    type: 'trigger-message',
    requestedMessage: 'Nonsense',
    position: null,
  });
  t.match(unknown, { ok: false, code: 'COMMAND_NOT_SUPPORTED' });
});
