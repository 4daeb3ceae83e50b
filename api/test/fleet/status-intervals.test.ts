import { randomUUID } from 'node:crypto';
import t from 'tap';
import { socketRow, statusEventTable, statusRow } from '#shared/clickhouse/status-events.ts';
import { insertRows } from '#shared/testing/rows.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { fillYearOfReadings } from '#shared/testing/year-of-readings.ts';
import { items, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

const begin = Date.parse('2026-03-10T08:00:00Z');
const hourMs = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();

async function addCharger(api: TestApi) {
  const charger = await seedCharger(api.stores.sql, api.network.id, { connectors: 2 });
  return { ...charger, networkId: api.network.id };
}

type Charger = Awaited<ReturnType<typeof addCharger>>;

/** Returns a status of a connector, whose EVSE has its number; 0: the charger as a whole. */
function status(charger: Charger, number: number, at: number, name: string, errorCode: string | null = null) {
  const position = number === 0 ? null : { evse: number, connector: 1 };
  const event = { position, status: name, errorCode, vendorErrorCode: null, info: null, at: new Date(at) };
  return statusRow(charger, event, at);
}

const read = (api: TestApi, key: string | null, charger: { uuid: string }, query: Record<string, string>) =>
  api.call(key, { url: `/cpms/v1/chargers/${charger.uuid}/status-intervals`, query });

void t.test('returns the intervals of connectors and connection, clipped to the range', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api);
  const [first, second] = [randomUUID(), randomUUID()];
  const rows = [
    status(charger, 1, begin - 90 * 24 * hourMs, 'Unavailable'),
    status(charger, 1, begin - hourMs, 'Available'),
    status(charger, 1, begin + hourMs, 'Charging', 'NoError'),
    status(charger, 1, begin + hourMs, 'Charging', 'NoError'),
    status(charger, 1, begin + 2 * hourMs, 'Faulted', 'GroundFailure'),
    status(charger, 2, begin + 3 * hourMs, 'Available'),
    status(charger, 0, begin - hourMs, 'Available'),
    socketRow(charger, 'connected', begin - 2 * hourMs, { connectionId: first }),
    socketRow(charger, 'connected', begin + hourMs, { connectionId: second }),
    // Of the socket that was replaced.
    socketRow(charger, 'disconnected', begin + hourMs + 5, { connectionId: first }),
    socketRow(charger, 'disconnected', begin + 3 * hourMs, { connectionId: second }),
  ];
  await insertRows(api.stores.clickhouse, statusEventTable, rows);
  const answer = await read(api, key, charger, { from: iso(begin), to: iso(begin + 4 * hourMs) });
  t.equal(answer.status, 200);
  const at = (hours: number) => iso(begin + hours * hourMs);
  t.same(answer.json['data'], {
    chargerId: charger.uuid,
    from: at(0),
    to: at(4),
    connectors: [
      {
        connectorNumber: 1,
        evse: 1,
        intervals: [
          { status: 'Available', errorCode: null, from: at(0), to: at(1), changes: 0 },
          { status: 'Charging', errorCode: null, from: at(1), to: at(2), changes: 0 },
          { status: 'Faulted', errorCode: 'GroundFailure', from: at(2), to: at(4), changes: 0 },
        ],
      },
      {
        connectorNumber: 2,
        evse: 2,
        intervals: [{ status: 'Available', errorCode: null, from: at(3), to: at(4), changes: 0 }],
      },
      {
        connectorNumber: null,
        evse: null,
        intervals: [{ status: 'Available', errorCode: null, from: at(0), to: at(4), changes: 0 }],
      },
    ],
    connection: [
      { isOnline: true, from: at(0), to: at(3), changes: 0 },
      { isOnline: false, from: at(3), to: at(4), changes: 0 },
    ],
  });
});

void t.test('returns at most some hundred intervals for a year', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api);
  const until = new Date('2026-03-01T00:00:00Z');
  const rows = Array.from({ length: 5000 }, (_, n) =>
    status(charger, 1, until.getTime() - n * 2 * hourMs, n % 2 === 0 ? 'Available' : 'Charging'),
  );
  await insertRows(api.stores.clickhouse, statusEventTable, rows);
  const range = { from: '2025-03-01T00:00:00Z', to: until.toISOString() };
  const answer = await read(api, key, charger, range);
  const intervals = items(items(answer.json['data']?.['connectors'])[0]?.['intervals']);
  t.ok(intervals.length > 0 && intervals.length <= 600);
  for (const [index, one] of intervals.entries()) {
    if (index > 0 && one['from'] !== intervals[index - 1]?.['to']) t.fail('a gap between intervals');
  }
  t.equal(intervals[0]?.['from'], iso(Date.parse('2025-03-01T00:00:00Z')));
});

void t.test('returns the gap of a year of readings as offline', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api);
  const until = new Date('2026-03-01T00:00:00Z');
  await fillYearOfReadings(api.stores, charger, { until, days: 105, connectors: 1, messageDays: 0 });
  const from = until.getTime() - 105 * 24 * hourMs;
  const answer = await read(api, key, charger, { from: iso(from), to: until.toISOString() });
  t.match(items(answer.json['data']?.['connection']), [
    { isOnline: true },
    { isOnline: false, from: iso(from + 100 * 24 * hourMs), to: iso(from + 103 * 24 * hourMs) },
    { isOnline: true },
  ]);
});

void t.test('returns no interval for an unknown, an empty or a future range', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api);
  const empty = { connectors: [], connection: [] };
  t.match((await read(api, key, charger, {})).json['data'], empty);
  await insertRows(api.stores.clickhouse, statusEventTable, [status(charger, 1, begin, 'Available')]);
  t.match((await read(api, key, charger, { from: iso(begin), to: iso(begin) })).json['data'], empty);
  const future = Date.now() + 24 * hourMs;
  t.match(
    (await read(api, key, charger, { from: iso(future), to: iso(future + hourMs) })).json['data'],
    empty,
  );
});

void t.test('refuses wrong ranges, and hides the states of a charger from others', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api);
  await insertRows(api.stores.clickhouse, statusEventTable, [status(charger, 1, begin, 'Available')]);
  const wrong: Record<string, string>[] = [
    { from: iso(begin), to: iso(begin - 1) },
    { from: '2010-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
    { points: '9' },
    { points: '1001' },
  ];
  for (const query of wrong) {
    t.match(await read(api, key, charger, query), {
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED' } },
    });
  }
  const other = await mintKey(api, { unrestricted: false, networkIds: [api.otherNetwork.id] });
  t.match(await read(api, other, charger, {}), {
    status: 404,
    json: { error: { code: 'CHARGER_NOT_FOUND' } },
  });
  const narrow = await mintKey(api, { scopes: ['cpms:read:sessions'] });
  t.match(await read(api, narrow, charger, {}), { status: 403 });
  t.match(await read(api, null, charger, {}), { status: 401 });
  t.match(await read(api, key, { uuid: randomUUID() }, {}), { status: 404 });
});
