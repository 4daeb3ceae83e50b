import t from 'tap';
import { startApiProcess } from '#api/test/support/api-process.ts';
import { openStream, type StreamClient } from '#api/test/support/event-stream.ts';
import { callApp, items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { answerCalls } from '#gateway/test/support/answering.ts';
import { connectRaw } from '#gateway/test/support/raw-charger.ts';
import { startRig } from '#gateway/test/support/rig.ts';
import { frameTable, type FrameRow } from '#shared/testing/message-rows.ts';
import { insertRows } from '#shared/testing/rows.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';

const messagesOf = ({ messages }: StreamClient) =>
  messages.filter(({ event }) => event === 'message').map(({ data }) => data);

const isEqual: (one: unknown, other: unknown) => boolean = Object.is;

const isBegin = (message: Record<string, unknown>) => message['action'] === 'DataTransfer';

void t.test('streams each call with its answer, as the list has it', async (t) => {
  const rig = await startRig(t);
  const api = await startApiProcess(t, rig.stores);
  const key = await mintKey({ stores: rig.stores, network: rig.network });
  const charger = await seedCharger(rig.stores.sql, rig.network.id);
  const raw = await connectRaw(rig, charger, 'ocpp1.6');
  const neighbour = await rig.connect('ocpp1.6');
  const path = `/cpms/v1/chargers/${charger.uuid}/messages`;
  const all = await openStream(t, api.app, key, `${path}/live`);
  const errors = await openStream(t, api.app, key, `${path}/live?errorsOnly=true`);
  const beats = await openStream(t, api.app, key, `${path}/live?action=Heartbeat&direction=out`);
  await until('the first message in all streams', async () => {
    await raw.call('first', 'Heartbeat', {});
    return messagesOf(all).length > 0 && messagesOf(beats).length > 0;
  });
  // A mark in the stream: the messages after it are compared.
  await raw.call('begin', 'DataTransfer', { vendorId: 'begin' });
  await all.until('the beginning', () => messagesOf(all).filter(isBegin).length === 2);
  const before = messagesOf(all).findLastIndex(isBegin) + 1;
  await neighbour.client.call('Heartbeat', {});
  await raw.call('beat', 'Heartbeat', {});
  await raw.call('unheard', 'Unheard', {});
  await all.until('two exchanges', () => messagesOf(all).length >= before + 4);
  t.match(messagesOf(all).slice(before), [
    { direction: 'in', kind: 'call', action: 'Heartbeat', latencyMs: null },
    { direction: 'out', kind: 'result', action: 'Heartbeat', latencyMs: Number },
    { direction: 'in', kind: 'call', action: 'Unheard' },
    { direction: 'out', kind: 'error', action: 'Unheard', errorCode: String },
  ]);
  await errors.until('the error', () => messagesOf(errors).length >= 2);
  t.match(messagesOf(errors), [{ action: 'Unheard' }, { action: 'Unheard', kind: 'error' }]);
  const answerId = messagesOf(all)[before + 1]?.id;
  await beats.until('the answer', () => messagesOf(beats).at(-1)?.id === answerId);
  for (const beat of messagesOf(beats)) {
    t.match(beat, { action: 'Heartbeat', direction: 'out', kind: 'result' });
  }
  const listed = await until('the rows in the list', async () => {
    const answer = await callApp(api.app, key, { url: path });
    const rows = items(answer.json['data']);
    return rows.some(({ action }) => isEqual(action, 'Unheard')) && rows;
  });
  const streamed = messagesOf(all);
  t.same(listed.slice(0, 4), streamed.slice(before).toReversed(), 'with the same identifiers');
  t.same(
    all.messages.filter(({ event }) => event === 'message').map(({ id }) => id),
    streamed.map(({ id }) => id),
  );
});

void t.test('streams and lists commands with their answers by the direction of the call', async (t) => {
  const rig = await startRig(t);
  const api = await startApiProcess(t, rig.stores);
  const key = await mintKey({ stores: rig.stores, network: rig.network });
  const { charger, client } = await rig.connect('ocpp1.6');
  answerCalls(client, () => ({ status: 'Accepted' }));
  const path = `/cpms/v1/chargers/${charger.uuid}/messages`;
  const stream = await openStream(t, api.app, key, `${path}/live?callDirection=out`);
  await until('a command in the stream', async () => {
    await client.call('Heartbeat', {});
    await rig.command(charger.uid, { type: 'reset', kind: 'Soft' });
    return messagesOf(stream).length >= 2;
  });
  const command = [
    { action: 'Reset', direction: 'in', kind: 'result' },
    { action: 'Reset', direction: 'out', kind: 'call' },
  ];
  t.match(messagesOf(stream).slice(0, 2), command.toReversed());
  const listed = await until('a command in the list', async () => {
    const query = { callDirection: 'out', pageSize: '2' };
    const rows = items((await callApp(api.app, key, { url: path, query })).json['data']);
    return rows.length > 0 && rows;
  });
  t.match(listed, command);
});

void t.test('masks secrets in followed messages', async (t) => {
  const rig = await startRig(t);
  const api = await startApiProcess(t, rig.stores);
  const key = await mintKey({ stores: rig.stores, network: rig.network });
  const { charger, client } = await rig.connect('ocpp1.6');
  const stream = await openStream(t, api.app, key, `/cpms/v1/chargers/${charger.uuid}/messages/live`);
  await until('the message', async () => {
    await client
      .call('DataTransfer', { vendorId: 'x', data: '{"password":"hunter2"}' })
      .catch(() => undefined);
    return messagesOf(stream).length >= 2;
  });
  t.notMatch(JSON.stringify(messagesOf(stream)), /hunter2/);
});

const begin = Math.floor((Date.now() - 24 * 3_600_000) / 3_600_000) * 3_600_000;

async function loggedScene(t: Parameters<typeof startTestApi>[0]) {
  const api = await startTestApi(t);
  const charger = await seedCharger(api.stores.sql, api.network.id);
  const row = (n: number, kind: FrameRow[5], payload: string): FrameRow => [
    api.network.id,
    charger.id,
    begin + n * 60_000,
    n,
    'in',
    kind,
    'Heartbeat',
    `m${n}`,
    kind === 'error' ? 'FormationViolation' : '',
    null,
    '1.6',
    '11111111-1111-4111-8111-111111111111',
    payload,
    false,
  ];
  const rows = [
    row(0, 'call', 'first'),
    row(1, 'call', 'Second'),
    row(2, 'error', 'third'),
    row(90, 'call', 'last'),
  ];
  await insertRows(api.stores.clickhouse, frameTable, rows);
  return { api, charger, rows, url: `/cpms/v1/chargers/${charger.uuid}/messages` };
}

void t.test('filters messages by identifier, text, direction of the call and errors', async (t) => {
  const { api, url } = await loggedScene(t);
  const key = await mintKey(api);
  const list = async (query: Record<string, string>) =>
    items((await api.call(key, { url, query })).json['data']).map((message) => message['payload']);
  t.same(await list({ errorsOnly: 'true' }), ['third']);
  t.same(await list({ callDirection: 'in' }), ['last', 'Second', 'first']);
  t.same(await list({ callDirection: 'out' }), ['third'], 'an answer without its call');
  t.same(await list({ messageId: 'm0' }), ['first']);
  t.same(await list({ search: 'SECOND' }), ['Second']);
  t.same(await list({ search: '%' }), []);
});

void t.test('counts calls and errors by bucket', async (t) => {
  const { api, url, rows } = await loggedScene(t);
  const key = await mintKey(api);
  await insertRows(api.stores.clickhouse, frameTable, rows.slice(0, 2));
  const query = {
    from: new Date(begin).toISOString(),
    to: new Date(begin + 9 * 3_600_000).toISOString(),
    points: '10',
  };
  const answer = await api.call(key, { url: `${url}/counts`, query });
  t.match(answer, { status: 200, json: { data: { bucketSeconds: 3600 } } });
  t.same(answer.json['data']?.['time'], [begin / 1000, begin / 1000 + 3600]);
  t.same(answer.json['data']?.['calls'], [2, 1]);
  t.same(answer.json['data']?.['errors'], [1, 0]);
  const none = await api.call(key, { url: `${url}/counts`, query: { from: query.from, to: query.from } });
  t.same(none.json['data']?.['calls'], []);
  const long = { from: '2010-01-01T00:00:00Z', to: query.to };
  t.match(await api.call(key, { url: `${url}/counts`, query: long }), {
    status: 400,
    json: { error: { code: 'VALIDATION_FAILED' } },
  });
});

void t.test('hides messages of a charger from others', async (t) => {
  const { api, url } = await loggedScene(t);
  const other = await mintKey(api, { unrestricted: false, networkIds: [api.otherNetwork.id] });
  const narrow = await mintKey(api, { scopes: ['cpms:read:sessions'] });
  for (const path of ['/live', '/counts']) {
    t.match(await api.call(other, { url: url + path }), {
      status: 404,
      json: { error: { code: 'CHARGER_NOT_FOUND' } },
    });
    t.match(await api.call(narrow, { url: url + path }), { status: 403 });
    t.match(await api.call(null, { url: url + path }), { status: 401 });
  }
});
