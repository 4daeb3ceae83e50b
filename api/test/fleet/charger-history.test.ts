import { randomUUID } from 'node:crypto';
import t from 'tap';
import { socketRow, statusEventTable, statusRow } from '#shared/clickhouse/status-events.ts';
import { frameTable, type FrameRow } from '#shared/testing/message-rows.ts';
import { insertRows } from '#shared/testing/rows.ts';
import { seedConnection } from '#shared/testing/seed.ts';
import {
  type Answer,
  items,
  mintKey,
  register,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';

const url = '/cpms/v1/chargers';
const unknown = '00000000-0000-4000-8000-000000000000';
/** Yesterday: ClickHouse drops messages after 90 days. */
const day = new Date(Date.now() - 24 * 60 * 60_000).toISOString().slice(0, 10);
const begin = Date.parse(`${day}T08:00:00Z`);
const connectionId = randomUUID();

/** A charger with its id in the stores. */
async function addCharger(api: TestApi, key: string, serial: string) {
  const { id, networkId } = await register(api, key, { serial });
  const [row] = await api.stores.sql<{ id: number }[]>`select id from chargers where uuid = ${id}`;
  return { uuid: id, networkId, id: row?.id ?? 0 };
}

type Place = Awaited<ReturnType<typeof addCharger>>;

/** Returns frame n of a charger, by default `n` ms after the beginning; even ones are incoming. */
function frame(charger: Place, n: number, changed: { time?: number; action?: string } = {}): FrameRow {
  const direction = n % 2 === 0 ? 'in' : 'out';
  return [
    charger.networkId,
    charger.id,
    changed.time ?? begin + n,
    n,
    direction,
    n % 2 === 0 ? 'call' : 'result',
    changed.action ?? 'Heartbeat',
    `m${n}`,
    '',
    n % 2 === 0 ? null : 1.5,
    '1.6',
    connectionId,
    `frame ${n}`,
    false,
  ];
}

const payloads = (answer: Answer) => items(answer.json['data']).map((message) => message['payload']);

void t.test('lists the messages of a charger newest first, each as transmitted', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api, key, 'CP-1');
  const neighbour = await addCharger(api, key, 'CP-2');
  await insertRows(api.stores.clickhouse, frameTable, [
    frame(charger, 0),
    frame(charger, 1),
    frame(neighbour, 2),
  ]);
  const answer = await api.call(key, { url: `${url}/${charger.uuid}/messages` });
  t.match(answer, {
    status: 200,
    json: {
      success: true,
      nextCursor: null,
      data: [
        {
          time: `${day}T08:00:00.001Z`,
          direction: 'out',
          kind: 'result',
          action: 'Heartbeat',
          messageId: 'm1',
          payload: 'frame 1',
          truncated: false,
          latencyMs: 1.5,
          errorCode: null,
          ocppVersion: '1.6',
          connectionId,
        },
        { direction: 'in', kind: 'call', latencyMs: null, payload: 'frame 0' },
      ],
    },
  });
  t.equal(items(answer.json['data']).length, 2, 'and none of the neighbour');
});

void t.test('filters messages by time, action and direction', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api, key, 'CP-1');
  const rows = Array.from({ length: 6 }, (_, n) =>
    frame(charger, n, { time: begin + n * 1000, action: n < 2 ? 'BootNotification' : 'Heartbeat' }),
  );
  await insertRows(api.stores.clickhouse, frameTable, rows);
  const list = async (query: string) =>
    payloads(await api.call(key, { url: `${url}/${charger.uuid}/messages?${query}` }));
  t.same(await list('action=BootNotification'), ['frame 1', 'frame 0']);
  t.same(await list('direction=in'), ['frame 4', 'frame 2', 'frame 0']);
  t.same(await list('direction=out&action=Heartbeat'), ['frame 5', 'frame 3']);
  t.same(
    await list(`from=${day}T08:00:02Z&to=${day}T09:00:03%2B01:00`),
    ['frame 3', 'frame 2'],
    'both ends count, in any zone',
  );
  t.same(await list('action=Nothing'), []);
});

void t.test('returns pages without gaps or repeats while messages arrive', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api, key, 'CP-1');
  // All in two milliseconds: the time by itself orders nothing.
  const rows = Array.from({ length: 25 }, (_, n) => frame(charger, n, { time: begin + (n < 13 ? 0 : 1) }));
  await insertRows(api.stores.clickhouse, frameTable, rows);
  await insertRows(api.stores.clickhouse, frameTable, rows.slice(5, 15));
  const listed: unknown[] = [];
  let cursor: string | null = '';
  for (let page = 0; cursor !== null; page += 1) {
    const query = cursor === '' ? 'pageSize=10' : `pageSize=10&cursor=${cursor}`;
    const answer = await api.call(key, { url: `${url}/${charger.uuid}/messages?${query}` });
    t.equal(answer.status, 200);
    listed.push(...payloads(answer));
    cursor = answer.json['nextCursor'] as unknown as string | null;
    await insertRows(api.stores.clickhouse, frameTable, [
      frame(charger, 100 + page, { time: begin + 60_000 }),
    ]);
  }
  t.same(listed, rows.map((row) => row[12]).toReversed());
});

void t.test('returns states with their errors, and socket events, in the status history', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api, key, 'CP-1');
  await api.call(key, { method: 'POST', url: `${url}/${charger.uuid}/connectors` });
  const faulted = {
    position: { evse: 1, connector: 1 },
    status: 'Faulted',
    errorCode: 'OtherError',
    vendorErrorCode: 'E-17',
    info: 'door open',
    at: new Date(begin + 1000),
  };
  const whole = { ...faulted, position: null, errorCode: null, vendorErrorCode: null, info: null };
  const rows = [
    socketRow(charger, 'connected', begin, { connectionId }),
    statusRow(charger, faulted, begin + 1500),
    statusRow(charger, faulted, begin + 9500),
    statusRow(charger, { ...whole, status: 'Available', at: new Date(begin + 2000) }, begin + 2000),
    socketRow(charger, 'disconnected', begin + 3000, { connectionId, info: 'replaced by a newer socket' }),
  ];
  await insertRows(api.stores.clickhouse, statusEventTable, rows);
  const history = `${url}/${charger.uuid}/status-history`;
  const answer = await api.call(key, { url: history });
  t.match(answer, { status: 200, json: { success: true, nextCursor: null } });
  t.match(answer.json['data'], [
    { kind: 'disconnected', connectionId, info: 'replaced by a newer socket', status: null },
    { kind: 'status', status: 'Available', connectorNumber: null, evse: null, connectionId: null },
    {
      kind: 'status',
      time: `${day}T08:00:01.000Z`,
      connectorNumber: 1,
      evse: 1,
      status: 'Faulted',
      errorCode: 'OtherError',
      vendorErrorCode: 'E-17',
      info: 'door open',
    },
    { kind: 'connected', connectionId, info: null },
  ]);
  t.equal(items(answer.json['data']).length, 4, 'what a charger says twice happened once');

  const first = await api.call(key, { url: `${history}?pageSize=3` });
  const cursor = first.json['nextCursor'] as unknown as string;
  const second = await api.call(key, { url: `${history}?pageSize=3&cursor=${cursor}` });
  t.same([...items(first.json['data']), ...items(second.json['data'])], answer.json['data']);
  const narrowed = await api.call(key, {
    url: `${history}?from=${day}T08:00:01Z&to=${day}T08:00:02Z`,
  });
  t.match(narrowed.json['data'], [{ status: 'Available' }, { status: 'Faulted' }]);
});

const onlyOfMessages: [string, string][] = [
  ['direction=up', 'direction'],
  ['action=', 'action'],
];

for (const name of ['messages', 'status-history']) {
  void t.test(`${name}: names the faults of a query`, async (t) => {
    const api = await startTestApi(t);
    const key = await mintKey(api);
    const { uuid } = await addCharger(api, key, 'CP-1');
    const tooLarge = Buffer.from('1.99999999999999999999').toString('base64url');
    const wrong: [string, string][] = [
      ['pageSize=0', 'pageSize'],
      ['pageSize=1001', 'pageSize'],
      ['from=yesterday', 'from'],
      ['from=2026-11-21T00:00:00Z&to=2026-11-20T00:00:00Z', 'from'],
      ['cursor=nonsense', 'cursor'],
      [`cursor=${tooLarge}`, 'cursor'],
      ['networkId=1', 'networkId'],
      ...(name === 'messages' ? onlyOfMessages : []),
    ];
    for (const [query, field] of wrong) {
      const answer = await api.call(key, { url: `${url}/${uuid}/${name}?${query}` });
      t.match(
        answer,
        { status: 400, json: { error: { code: 'VALIDATION_FAILED', details: { errors: [{ field }] } } } },
        query,
      );
    }
    t.equal((await api.call(key, { url: `${url}/1/${name}` })).status, 400);
    t.equal((await api.call(key, { url: `${url}/${uuid}/${name}?pageSize=1000` })).status, 200);
  });

  void t.test(`${name}: another network's charger does not exist`, async (t) => {
    const api = await startTestApi(t);
    const key = await mintKey(api);
    const { uuid } = await addCharger(api, key, 'CP-1');
    const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
    const notFound = { status: 404, json: { error: { code: 'CHARGER_NOT_FOUND' } } };
    t.match(await api.call(other, { url: `${url}/${uuid}/${name}` }), notFound);
    t.match(await api.call(key, { url: `${url}/${unknown}/${name}` }), notFound);
    t.match(await api.call(key, { url: `${url}/${uuid}/${name}?networkId=${api.otherNetwork.uuid}` }), {
      status: 404,
      json: { error: { code: 'NETWORK_NOT_FOUND' } },
    });
    const noScope = await mintKey(api, { scopes: ['cpms:write:chargers'] });
    t.match(await api.call(noScope, { url: `${url}/${uuid}/${name}` }), {
      status: 403,
      json: { error: { code: 'SCOPE_MISSING' } },
    });
    t.match(await api.call(null, { url: `${url}/${uuid}/${name}` }), {
      status: 401,
      json: { error: { code: 'KEY_MISSING' } },
    });
  });
}

void t.test('hides messages of an earlier network of a charger from its new one', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api, key, 'CP-1');
  const before = { ...charger, networkId: api.otherNetwork.id };
  await insertRows(api.stores.clickhouse, frameTable, [frame(before, 0), frame(charger, 1)]);
  await insertRows(api.stores.clickhouse, statusEventTable, [
    socketRow(before, 'connected', begin, { connectionId }),
    socketRow(charger, 'connected', begin + 1, { connectionId }),
  ]);
  t.same(payloads(await api.call(key, { url: `${url}/${charger.uuid}/messages` })), ['frame 1']);
  const history = await api.call(key, { url: `${url}/${charger.uuid}/status-history` });
  t.equal(items(history.json['data']).length, 1);
});

void t.test(
  'reports a charger as connected while a live gateway holds its socket, and as online after a message',
  async (t) => {
    const api = await startTestApi(t);
    const { sql } = api.stores;
    const key = await mintKey(api);
    const { uuid } = await addCharger(api, key, 'CP-1');
    await api.call(key, { method: 'POST', url: `${url}/${uuid}/connectors` });
    const detail = async () => (await api.call(key, { url: `${url}/${uuid}` })).json['data'];
    t.match(await detail(), { isOnline: false, isConnected: false, connectedAt: null, disconnectedAt: null });
    await sql`update chargers set last_heartbeat_at = now()`;
    t.match(await detail(), { isOnline: false, isConnected: false }, 'heard, but not connected');
    await seedConnection(sql, uuid);
    t.match(await detail(), { isOnline: true, isConnected: true, connectedAt: String, disconnectedAt: null });
    await sql`update chargers set disconnected_at = now()`;
    t.match(await detail(), { isConnected: false, disconnectedAt: String }, 'its socket was closed');
    await sql`update chargers set disconnected_at = null`;
    await sql`update gateway_shards set seen_at = now() - interval '11 seconds'`;
    t.match(await detail(), { isConnected: false }, 'its gateway died');

    t.match(await detail(), {
      connectors: [{ status: 'UNKNOWN', availability: null, vendorErrorCode: null }],
    });
    await sql`update connectors set status = 'Faulted', error_code = 'OtherError', vendor_error_code = 'E-17',
    status_info = 'door open', status_at = now()`;
    t.match(await detail(), {
      connectors: [
        {
          availability: 'Operative',
          statusAt: String,
          errorCode: 'OtherError',
          vendorErrorCode: 'E-17',
          info: 'door open',
        },
      ],
    });
    await sql`update connectors set status = 'Unavailable'`;
    t.match(await detail(), { connectors: [{ availability: 'Inoperative' }] });
  },
);
