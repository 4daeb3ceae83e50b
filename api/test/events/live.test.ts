import t, { type Test } from 'tap';
import { startApiProcess } from '#api/test/support/api-process.ts';
import { openStream, type StreamClient } from '#api/test/support/event-stream.ts';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { type Rig, startRig } from '#gateway/test/support/rig.ts';
import { systemClock } from '#shared/domain/kernel/system-clock.ts';
import { seedCharger, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

const now = () => new Date().toISOString();

/** Parts of the newest message of a stream. */
interface Shown {
  isOnline: boolean;
  isRunning?: boolean;
  connector?: ShownConnector | null;
  connectors?: ShownConnector[];
}
interface ShownConnector {
  number: number;
  status: string;
  sessionId: string | null;
  reading: Record<string, unknown> | null;
}

const newest = ({ messages }: StreamClient) =>
  messages.findLast(({ event }) => event === 'live')?.data as unknown as Shown;

/** Resolves when the newest message has these values. */
const shows = (client: StreamClient, what: string, holds: (shown: Shown) => boolean) =>
  client.until(what, () => holds(newest(client)));

/** A gateway with two shards, and an API process, over the same stores. */
async function liveScene(t: Test, clock = systemClock) {
  const rig = await startRig(t);
  const api = await startApiProcess(t, rig.stores, { clock });
  const key = await mintKey({ stores: rig.stores, network: rig.network });
  const idTag = await seedToken(rig.stores.sql, rig.network.id);
  const open = (path: string) => openStream(t, api.app, key, `/cpms/v1${path}`);
  return { rig, api, key, idTag, open };
}

async function sessionOf({ stores }: Rig, chargerId: number): Promise<string> {
  const [row] = await stores.sql<
    { uuid: string }[]
  >`select uuid from sessions where charger_id = ${chargerId}`;
  return row?.uuid ?? '';
}

const register = (value: number, context: string) => ({ value, context });

const expected = {
  powerKw: 7.4,
  currentA: 32.1,
  voltageV: 230,
  energyRegisterKwh: 1.5,
  sessionEnergyKwh: 0.5,
  socPercent: 54,
};

void t.test('follows a charger of OCPP 1.6 through a session', async (t) => {
  // The clock of the API stands still: it reads the stored state once, and then shows what it receives.
  const { rig, idTag, open } = await liveScene(t, new VirtualClock());
  const { charger, client } = await rig.connect('ocpp1.6');
  const stream = await open(`/chargers/${charger.uuid}/live`);
  await stream.received(1);
  t.match(newest(stream), {
    chargerId: charger.uuid,
    isOnline: true,
    connectors: [
      { number: 1, status: String, sessionId: null, reading: null },
      { number: 2, status: String, sessionId: null, reading: null },
    ],
  });
  const start = { connectorId: 1, idTag, meterStart: 1000, timestamp: now() };
  const { transactionId } = (await client.call('StartTransaction', start)) as { transactionId: number };
  const session = await sessionOf(rig, charger.id);
  await client.call('StatusNotification', {
    connectorId: 1,
    errorCode: 'NoError',
    status: 'Charging',
    timestamp: now(),
  });
  const sampledValue = [
    { value: '1500', measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
    { value: '7400', measurand: 'Power.Active.Import', unit: 'W' },
    { value: '32.1', measurand: 'Current.Import', unit: 'A' },
    { value: '230', measurand: 'Voltage', unit: 'V' },
    { value: '54', measurand: 'SoC', unit: 'Percent' },
  ];
  await client.call('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [{ timestamp: now(), sampledValue }],
  });
  await shows(stream, 'the reading', ({ connectors }) => connectors?.[0]?.reading?.['powerKw'] === 7.4);
  t.match(newest(stream).connectors?.[0], { status: 'Charging', sessionId: session, reading: expected });
  const ofSession = await open(`/sessions/${session}/live`);
  await ofSession.received(1);
  t.match(newest(ofSession), {
    sessionId: session,
    chargerId: charger.uuid,
    isOnline: true,
    isRunning: true,
    connector: { number: 1, reading: { powerKw: 7.4 } },
  });
  await client.call('StopTransaction', { transactionId, meterStop: 2000, timestamp: now() });
  await shows(stream, 'the end', ({ connectors }) => connectors?.[0]?.sessionId === null);
  await ofSession.ended();
  t.match(
    ofSession.messages.slice(-2).map(({ event, data }) => ({ event, data })),
    [
      { event: 'live', data: { isRunning: false, connector: null } },
      { event: 'stream.ended', data: { message: 'The session has ended.' } },
    ],
  );
});

void t.test('follows a session of OCPP 2.0.1', async (t) => {
  const { rig, idTag, open } = await liveScene(t);
  const { charger, client } = await rig.connect('ocpp2.0.1');
  const stream = await open(`/chargers/${charger.uuid}/live`);
  const event = (eventType: string, seqNo: number, more: object) =>
    client.call('TransactionEvent', {
      eventType,
      timestamp: now(),
      triggerReason: 'MeterValuePeriodic',
      seqNo,
      ...more,
    });
  await event('Started', 0, {
    transactionInfo: { transactionId: 'live', chargingState: 'Charging' },
    evse: { id: 2, connectorId: 1 },
    idToken: { idToken: idTag, type: 'ISO14443' },
    meterValue: [{ timestamp: now(), sampledValue: [register(1000, 'Transaction.Begin')] }],
  });
  const session = await sessionOf(rig, charger.id);
  await event('Updated', 1, {
    transactionInfo: { transactionId: 'live' },
    meterValue: [
      {
        timestamp: now(),
        sampledValue: [
          register(1500, 'Sample.Periodic'),
          { value: 7400, measurand: 'Power.Active.Import' },
          { value: 32.1, measurand: 'Current.Import' },
          { value: 230, measurand: 'Voltage' },
          { value: 54, measurand: 'SoC' },
        ],
      },
    ],
  });
  await shows(stream, 'the reading', ({ connectors }) => connectors?.[1]?.reading?.['powerKw'] === 7.4);
  t.match(newest(stream).connectors?.[1], { status: 'Charging', sessionId: session, reading: expected });
  const ofSession = await open(`/sessions/${session}/live`);
  await event('Ended', 2, { transactionInfo: { transactionId: 'live', stoppedReason: 'Local' } });
  await ofSession.ended();
  t.equal(newest(ofSession).isRunning, false);
});

void t.test('shows that a charger disconnects, and follows it to its next connection', async (t) => {
  const { rig, open } = await liveScene(t);
  const { charger, client } = await rig.connect('ocpp1.6');
  const stream = await open(`/chargers/${charger.uuid}/live`);
  await client.close({ force: true });
  await shows(stream, 'offline', ({ isOnline }) => !isOnline);
  // The kernel chooses the shard: the watch must be at each of them.
  for (let round = 1; round <= 4; round += 1) {
    const again = rig.client(charger, 'ocpp1.6');
    await again.connect();
    await shows(stream, 'online', ({ isOnline }) => isOnline);
    const power = { value: String(round * 1000), measurand: 'Power.Active.Import', unit: 'W' };
    await again.call('MeterValues', {
      connectorId: 2,
      meterValue: [{ timestamp: now(), sampledValue: [power] }],
    });
    await shows(stream, 'its reading', ({ connectors }) => connectors?.[1]?.reading?.['powerKw'] === round);
    await again.close({ force: true });
    await shows(stream, 'offline', ({ isOnline }) => !isOnline);
  }
});

void t.test('publishes at most one state a second, and none after the last watcher left', async (t) => {
  const { rig, api, open } = await liveScene(t);
  const { charger, client } = await rig.connect('ocpp1.6');
  const begun = performance.now();
  const stream = await open(`/chargers/${charger.uuid}/live`);
  const send = (watts: number) =>
    client.call('MeterValues', {
      connectorId: 1,
      meterValue: [
        {
          timestamp: now(),
          sampledValue: [{ value: String(watts), measurand: 'Power.Active.Import', unit: 'W' }],
        },
      ],
    });
  for (let watts = 1000; watts <= 60_000; watts += 1000) await send(watts);
  await shows(stream, 'the last reading', ({ connectors }) => connectors?.[0]?.reading?.['powerKw'] === 60);
  const states = stream.messages.slice(1);
  const seconds = ((states.at(-1)?.at ?? begun) - begun) / 1000;
  t.ok(states.length <= seconds + 2, `${states.length} states in ${seconds} s`);
  stream.close();
  await until('the end of the watch', async () => api.deps.liveWatches.size === 0);
});

void t.test('answers with the last state of an ended session, and ends', async (t) => {
  const { rig, idTag, open } = await liveScene(t);
  const { charger, client } = await rig.connect('ocpp1.6');
  const start = { connectorId: 1, idTag, meterStart: 1000, timestamp: now() };
  const { transactionId } = (await client.call('StartTransaction', start)) as { transactionId: number };
  await client.call('StopTransaction', { transactionId, meterStop: 2000, timestamp: now() });
  const stream = await open(`/sessions/${await sessionOf(rig, charger.id)}/live`);
  await stream.ended();
  t.match(
    stream.messages.map(({ event, data }) => ({ event, data })),
    [
      { event: 'live', data: { isRunning: false } },
      { event: 'stream.ended', data: {} },
    ],
  );
});

void t.test('refuses callers who may not read the charger', async (t) => {
  const api = await startTestApi(t);
  const { uuid } = await seedCharger(api.stores.sql, api.network.id, { connectors: 1 });
  const elsewhere = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const rows: [path: string, key: string | null, status: number, code: string][] = [
    [`/chargers/${uuid}/live`, null, 401, 'KEY_MISSING'],
    [`/chargers/${uuid}/live`, elsewhere, 404, 'CHARGER_NOT_FOUND'],
    [`/chargers/${uuid}/live`, await mintKey(api, { scopes: ['cpms:read:sessions'] }), 403, 'SCOPE_MISSING'],
    [`/chargers/${uuid}/live`, await mintKey(api, { apiFamily: 'emsp' }), 403, 'API_FAMILY_MISMATCH'],
    [`/sessions/${uuid}/live`, null, 401, 'KEY_MISSING'],
    [`/sessions/${uuid}/live`, await mintKey(api), 404, 'SESSION_NOT_FOUND'],
    [`/sessions/${uuid}/live`, await mintKey(api, { scopes: ['cpms:read:chargers'] }), 403, 'SCOPE_MISSING'],
  ];
  for (const [path, key, status, code] of rows) {
    const answer = await api.call(key, { url: `/cpms/v1${path}` });
    t.match(answer, { status, json: { error: { code } } }, `${path} ${code}`);
  }
  t.equal(api.deps.liveWatches.size, 0);
});
