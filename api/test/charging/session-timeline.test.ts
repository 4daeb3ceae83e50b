import t from 'tap';
import { type ClickHouse, openClickHouse } from '#shared/clickhouse/client.ts';
import { billingScene } from '#api/test/support/billing.ts';
import { items, type Json, mintKey, register, startTestApi } from '#api/test/support/fixtures.ts';
import { endSession, startSession } from '#api/test/support/records.ts';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';
import { seedRemoteStart } from '#shared/testing/seed.ts';

const minute = 60_000;

/** A call with its answer, as the gateway logs it. */
async function logCall(
  clickhouse: ClickHouse,
  at: Date,
  charger: { id: number; networkId: number },
  call: { action: string; messageId: string; payload: object; answer: object; direction?: 'in' | 'out' },
) {
  const { action, messageId, payload, answer, direction = 'in' } = call;
  await clickhouse.insert({
    table: 'ocpp_messages',
    values: [
      {
        network_id: charger.networkId,
        charger_id: charger.id,
        time: at.getTime(),
        seq: String(at.getTime()),
        direction,
        kind: 'call',
        action,
        message_id: messageId,
        ocpp_version: '1.6',
        payload: JSON.stringify(payload),
        answer_kind: 'result',
        answer_payload: JSON.stringify(answer),
        latency_ms: 5,
      },
    ],
    format: 'JSONEachRow',
  });
}

async function scene(t: Parameters<typeof billingScene>[0]) {
  const { api, chargerUuid } = await billingScene(t);
  const key = await mintKey(api);
  const read = async (uuid: string, by: string | null = key) =>
    api.call(by, { url: `/cpms/v1/sessions/${uuid}/timeline` });
  const startedAt = new Date(Date.now() - 3 * 60 * minute);
  const session = await startSession(api.stores.sql, { chargerUuid, startedAt });
  const at = (minutes: number) => new Date(startedAt.getTime() + minutes * minute);
  return { api, key, read, session, at };
}

void t.test('tells the course of a session from its request to its receipt', async (t) => {
  const { api, key, read, session, at } = await scene(t);
  const { sql, clickhouse } = api.stores;
  const charger = { id: session.chargerId, networkId: api.network.id };
  const [place] = await sql<{ evse: number }[]>`
    select evse_number as evse from connectors where charger_id = ${charger.id} and number = 1`;
  await seedRemoteStart(sql, charger.id, { idToken: 'TAG-1', remoteStartId: 7 });
  await sql`
    update remote_starts set status = 'started', requested_at = ${at(-1)},
      session_id = (select id from sessions where uuid = ${session.uuid})`;
  await logCall(clickhouse, at(-0.5), charger, {
    action: 'Authorize',
    messageId: 'm-1',
    payload: { idTag: 'tag-1' },
    answer: { idTagInfo: { status: 'Accepted' } },
  });
  await logCall(clickhouse, at(-0.4), charger, {
    action: 'Authorize',
    messageId: 'other',
    payload: { idTag: 'another' },
    answer: { idTagInfo: { status: 'Invalid' } },
  });
  await logCall(clickhouse, at(0), charger, {
    action: 'StartTransaction',
    messageId: 'm-2',
    payload: { idTag: 'TAG-1', connectorId: 1 },
    answer: { transactionId: Number(session.transactionId), idTagInfo: { status: 'Accepted' } },
  });
  await logCall(clickhouse, at(60), charger, {
    action: 'StopTransaction',
    messageId: 'm-3',
    payload: { transactionId: Number(session.transactionId) },
    answer: {},
  });
  const status = (minutes: number, kind: string, more: object) => ({
    network_id: charger.networkId,
    charger_id: charger.id,
    time: at(minutes).getTime(),
    received_at: at(minutes).getTime(),
    kind,
    ...more,
  });
  const connector = { evse: place?.evse, connector: 1 };
  await clickhouse.insert({
    table: 'status_events',
    values: [
      status(1, 'status', { ...connector, status: 'Charging', error_code: 'NoError' }),
      status(2, 'status', { evse: 99, connector: 1, status: 'Faulted' }),
      status(20, 'disconnected', { connection_id: session.uuid }),
      status(21, 'connected', { connection_id: session.uuid }),
    ],
    format: 'JSONEachRow',
  });
  const origin = { networkId: api.network.id, chargerId: charger.id, sessionId: session.uuid };
  await insertMeterRows(clickhouse, [
    meterRow(origin, at(1), { energyWh: 1000 }),
    meterRow(origin, at(3), { energyWh: 1200 }),
  ]);
  const idle = { from: at(40).toISOString(), to: at(60).toISOString(), cause: 'SuspendedEV' };
  await sql`update sessions set idle_periods = ${sql.json([idle])} where uuid = ${session.uuid}`;
  await endSession(sql, session, 20_000);
  const amended = await api.call(key, {
    method: 'POST',
    url: `/cpms/v1/sessions/${session.uuid}/amend`,
    payload: { reason: 'agreed', energyKwh: 10 },
  });
  t.equal(amended.status, 200, amended.text);
  await api.call(key, { url: `/cpms/v1/sessions/${session.uuid}/receipt` });

  const { status: code, json } = await read(session.uuid);
  t.equal(code, 200);
  t.match(json['data'], { sessionId: session.uuid, isTruncated: false, isPartial: false });
  const entries = items(json['data']?.['entries']);
  const brief = entries.map(
    ({ type, status }) => `${type as unknown as string} ${status as unknown as string}`,
  );
  t.strictSame(brief.slice(0, 2), ['start-requested started', 'authorized Accepted']);
  // Start and its message have the same time, as have the stop, its message and the price.
  t.strictSame(brief.slice(2, 4).toSorted(), ['start-reported Accepted', 'started Accepted']);
  t.strictSame(brief.slice(4, 9), [
    'connector-status Charging',
    'first-energy null',
    'disconnected null',
    'connected null',
    'idle SuspendedEV',
  ]);
  t.strictSame(brief.slice(9, 12).toSorted(), ['priced SETTLED', 'stop-reported null', 'stopped COMPLETED']);
  t.strictSame(brief.slice(12), ['changed amend', 'receipt-issued null']);
  const find = (type: string): Json | undefined =>
    entries.find((entry) => (entry['type'] as unknown as string) === type);
  t.match(find('authorized'), { reason: 'Authorize', link: { kind: 'message', id: 'm-1' } });
  t.match(find('idle'), { time: idle.from, until: idle.to });
  t.match(find('changed'), { by: 'test', reason: 'agreed', link: { kind: 'audit-entry' } });
  t.match(find('receipt-issued'), { link: { kind: 'receipt', id: /^R-/ } });
});

void t.test('names the review of a price and a limit that was reached', async (t) => {
  const { api, read, session } = await scene(t);
  await api.stores.sql`update sessions set limit_passed = 'MaxEnergy' where uuid = ${session.uuid}`;
  await endSession(api.stores.sql, session, 900_000, ['energy-implausible']);
  const entries = items((await read(session.uuid)).json['data']?.['entries']);
  const find = (type: string) => entries.find((entry) => (entry['type'] as unknown as string) === type);
  t.match(find('under-review'), { status: 'REVIEW', reason: 'energy-implausible' });
  t.match(find('limit-reached'), { status: 'MaxEnergy' });
  t.equal(find('priced'), undefined);
});

void t.test('shows what PostgreSQL has while ClickHouse is unavailable', async (t) => {
  const clickhouse = openClickHouse('http://127.0.0.1:1/none', { name: 'test', connections: 1 });
  t.teardown(() => clickhouse.close());
  const api = await startTestApi(t, { clickhouse });
  const key = await mintKey(api);
  const charger = await register(api, key, { serial: 'CP-1' });
  const session = await startSession(api.stores.sql, { chargerUuid: charger.id });
  await endSession(api.stores.sql, session, 10_000);
  const { json } = await api.call(key, { url: `/cpms/v1/sessions/${session.uuid}/timeline` });
  t.match(json['data'], {
    isPartial: true,
    entries: [
      { type: 'started', status: 'Accepted' },
      { type: 'stopped', status: 'COMPLETED', reason: 'Local' },
    ],
  });
});

void t.test('hides the course of a session from others', async (t) => {
  const { api, read, session } = await scene(t);
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.match(await read(session.uuid, foreign), { status: 404, json: { error: { code: 'SESSION_NOT_FOUND' } } });
  const scopeless = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  t.match(await read(session.uuid, scopeless), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
  t.equal((await read(session.uuid, null)).status, 401);
});
