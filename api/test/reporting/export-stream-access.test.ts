import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import {
  addCdr,
  addCompleted,
  addConnector,
  type ExportApi,
  exportApi,
  readParquet,
} from '#api/test/support/exporting.ts';
import { items, mintKey } from '#api/test/support/fixtures.ts';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';
import { until } from '#shared/testing/until.ts';

const march = 'from=2026-03-01T00:00:00Z&to=2026-03-31T00:00:00Z';
const end = new Date('2026-03-02T10:00:00.123Z');

/** Stores readings of one charger, one a second, with a text in each; 500 per session. */
async function addReadings({ api }: ExportApi, count: number, textLength: number): Promise<void> {
  const { chargerId } = await addConnector(api);
  await api.stores.clickhouse.command({
    query: `
      insert into meter_samples (network_id, charger_id, session_id, time, received_at, context, energy_wh, power_w, extra)
      select ${api.network.id}, ${chargerId}, toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(intDiv(number, 500)), 12, '0'))),
        toDateTime64('2026-03-01 00:00:00', 3, 'UTC') + number, now64(3), 'Sample.Periodic', number / 7, 11000 + number % 13,
        map('Text', hex(randomString(${textLength})))
      from numbers(${count})`,
  });
}

/** Sends a request over a socket; the response is read by the caller. */
async function open({ api, key }: ExportApi, path: string) {
  if (!api.app.server.listening) await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = api.app.server.address() as AddressInfo;
  const sent = request({ port, path: `/cpms/v1${path}`, headers: { 'x-api-key': key } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { sent, response };
}

void t.test('refuses ranges beyond the limits', async (t) => {
  const { get } = await exportApi(t);
  const message = async (query: string) => {
    const response = await get(`/exports/sessions?${query}`);
    t.equal(response.statusCode, 400, query);
    return response.json<{ error: { message: string } }>().error.message;
  };
  t.match(
    await message('from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z'),
    /to must be at most 31 days after from/,
  );
  t.match(await message('from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'), /to must be after from/);
  const soon = new Date().toISOString();
  t.match(await message(`by=updated&from=2026-01-01T00:00:00Z&to=${soon}`), /5 minutes ago/);
  t.match(await message(`${march}&format=xml`), /format/);
});

void t.test('streams the networks of the key only', async (t) => {
  const { api, get } = await exportApi(t);
  const { sql, clickhouse } = api.stores;
  for (const networkId of [api.network.id, api.otherNetwork.id]) {
    const connector = await addConnector(api, networkId);
    const session = await addCompleted(sql, connector, end);
    await addCdr(sql, session, 1n);
    await insertMeterRows(clickhouse, [meterRow({ ...connector, sessionId: null }, end, { energyWh: 1 })]);
  }
  const all = await mintKey(api, { unrestricted: true, networkIds: [] });
  for (const dataset of ['sessions', 'cdrs', 'meter-values']) {
    const networks = async (query: string, key?: string) =>
      (await readParquet((await get(`/exports/${dataset}?${march}${query}`, {}, key)).rawPayload)).map(
        (row) => row['network_id'],
      );
    t.strictSame(await networks(''), [api.network.uuid], dataset);
    t.equal((await networks('', all)).length, 2, dataset);
    t.strictSame(
      await networks(`&networkId=${api.otherNetwork.uuid}`, all),
      [api.otherNetwork.uuid],
      dataset,
    );
    const foreign = await get(`/exports/${dataset}?${march}&networkId=${api.otherNetwork.uuid}`);
    t.match(foreign.json(), { error: { code: 'NETWORK_NOT_FOUND' } }, dataset);
  }
});

void t.test('requires the scope of exports and that of the data', async (t) => {
  const { api, get } = await exportApi(t);
  const missing = async (dataset: string, scopes: string[]) =>
    (await get(`/exports/${dataset}?${march}`, {}, await mintKey(api, { scopes }))).json<{
      error: { details: { scope: string } };
    }>().error.details.scope;
  t.equal(await missing('sessions', ['cpms:read:sessions']), 'cpms:read:exports');
  t.equal(await missing('sessions', ['cpms:read:exports']), 'cpms:read:sessions');
  t.equal(await missing('meter-values', ['cpms:read:exports']), 'cpms:read:sessions');
  t.equal(await missing('cdrs', ['cpms:read:exports', 'cpms:read:sessions']), 'cpms:read:ocpi-partners');
  t.match((await get(`/exports/sessions?${march}`, {}, null)).json(), { error: { code: 'KEY_MISSING' } });
});

void t.test('writes the audit log for each stream', async (t) => {
  const { api, key, get } = await exportApi(t);
  await get(`/exports/sessions?${march}`);
  const log = await api.call(key, { url: '/cpms/v1/audit-log?category=export' });
  t.match(items(log.json['data']), [{ category: 'export', action: 'stream', resourceName: 'sessions' }]);
});

void t.test('ends the query and serves the next stream when the client goes away', async (t) => {
  const exports = await exportApi(t);
  const { api, get } = exports;
  await addReadings(exports, 60_000, 500);
  const running = async () => {
    const result = await api.stores.clickhouse.query({
      query:
        "select query_id from system.processes where query like '%from meter_samples final%' and query not like '%system.processes%' and current_database = currentDatabase()",
      format: 'JSONEachRow',
    });
    return (await result.json()).length;
  };
  const { sent, response } = await open(exports, `/exports/meter-values?${march}&format=csv`);
  // Nothing is read: the query waits for the client, and holds its place.
  t.equal(await running(), 1);
  const second = await get(`/exports/sessions?${march}`);
  t.match(second.json(), { error: { code: 'TOO_MANY_EXPORTS' } });
  t.equal(second.statusCode, 429);
  const other = await mintKey(api);
  t.equal((await get(`/exports/sessions?${march}`, {}, other)).statusCode, 200, 'of another caller');
  response.on('error', () => undefined);
  sent.destroy();
  await until('the query to end', async () => (await running()) === 0);
  t.equal((await get(`/exports/sessions?${march}`)).statusCode, 200);
});

/** Counts the bytes that an API reads from ClickHouse in answers to `exec`. */
function countRead({ api }: ExportApi): () => number {
  const { clickhouse } = api.stores;
  const exec = clickhouse.exec.bind(clickhouse);
  let bytes = 0;
  clickhouse.exec = async (params: Parameters<typeof exec>[0]) => {
    const result = await exec(params);
    const { stream } = result;
    const push = stream.push.bind(stream);
    stream.push = (chunk: Buffer | null) => {
      bytes += chunk?.length ?? 0;
      return push(chunk);
    };
    return result;
  };
  return () => bytes;
}

/** Bytes that can be between a store and a client: buffers of sockets, most of all. */
const maxUnderWay = 12 * 1024 * 1024;

void t.test('reads no more readings than the client takes, and streams all of them', async (t) => {
  const exports = await exportApi(t);
  await addReadings(exports, 60_000, 500);
  const read = countRead(exports);
  const { response } = await open(exports, `/exports/meter-values?${march}`);
  // Nothing is taken: the API stops.
  let [last, repeats] = [0, 0];
  await until('the API to read no more', () => {
    repeats = read() === last && last > 0 ? repeats + 1 : 0;
    last = read();
    return repeats === 10;
  });
  let underWay = last;
  let received = 0;
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    received += chunk.length;
    chunks.push(chunk);
    underWay = Math.max(underWay, read() - received);
  }
  t.ok(underWay < maxUnderWay, `${underWay} bytes at a time`);
  t.ok(received > 2 * maxUnderWay, `${received} bytes in all`);
  const rows = await readParquet(Buffer.concat(chunks));
  t.equal(rows.length, 60_000);
  t.equal(new Set(rows.map(({ time }) => Number(time))).size, 60_000);
  t.ok(
    rows.every(
      ({ time, energy_wh: energyWh }) => energyWh === (Number(time) - Date.UTC(2026, 2, 1)) / 1000 / 7,
    ),
  );
});
