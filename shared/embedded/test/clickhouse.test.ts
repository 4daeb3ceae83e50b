import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ClickHouseError, createClient, type ClickHouseClient } from '@clickhouse/client';
import t, { type Test } from 'tap';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';
import { directory } from './support/directory.ts';
import { until } from '#shared/testing/until.ts';

const store = await startEmbeddedClickHouse({ dataDir: `${directory(t)}/clickhouse` });
const client = createClient({ url: store.url });
t.teardown(async () => {
  await client.close();
  await store.stop();
});

async function rowsOf(query: string, on: ClickHouseClient = client, more: object = {}): Promise<unknown[]> {
  const result = await on.query({ query, format: 'JSONEachRow', ...more });
  return result.json();
}

async function command(query: string): Promise<void> {
  await client.command({ query });
}

/** The error that ClickHouse answered. */
async function failure(work: Promise<unknown>): Promise<ClickHouseError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ClickHouseError) return error;
    throw error;
  }
  throw new Error('it should have failed');
}

/** A request without the client, which writes neither of the formats that are tried with it. */
function post(query: string, body: string | Buffer): Promise<Response> {
  const { origin, password } = new URL(store.url);
  const headers = { Authorization: `Basic ${Buffer.from(`default:${password}`).toString('base64')}` };
  return fetch(`${origin}/?query=${encodeURIComponent(query)}`, { method: 'POST', body, headers });
}

/** A client for a database of its own. */
async function ownDatabase(test: Test, name: string, options: object = {}): Promise<ClickHouseClient> {
  await command(`CREATE DATABASE ${name}`);
  const own = createClient({ url: store.url, database: name, ...options });
  test.teardown(() => own.close());
  return own;
}

void t.test('answers ping with and without a query', async (t) => {
  t.same(await client.ping(), { success: true });
  t.same(await client.ping({ select: true }), { success: true });
});

void t.test('returns inserted rows in every text format and in binary', async (t) => {
  await command('CREATE TABLE formats (n UInt32, s String) ENGINE = MergeTree ORDER BY n');
  await client.insert({ table: 'formats', values: [{ n: 1, s: 'ä\n' }], format: 'JSONEachRow' });
  await client.insert({ table: 'formats', values: [[2, "it's"]], format: 'JSONCompactEachRow' });
  await client.insert({ table: 'formats', columns: ['n'], values: [{ n: 3 }], format: 'JSONEachRow' });
  t.equal((await post('INSERT INTO formats FORMAT TabSeparated', '4\ta\\tb\n')).status, 200);
  // UInt32 9 and a string of three bytes that are no UTF-8: the first byte is a tab, which must not be skipped.
  t.equal(
    (await post('INSERT INTO formats FORMAT RowBinary', Buffer.from([9, 0, 0, 0, 3, 0xff, 0x00, 0x0a])))
      .status,
    200,
  );
  t.same(await rowsOf('SELECT n, hex(s) AS s FROM formats ORDER BY n'), [
    { n: 1, s: 'C3A40A' },
    { n: 2, s: '69742773' },
    { n: 3, s: '' },
    { n: 4, s: '610962' },
    { n: 9, s: 'FF000A' },
  ]);
});

void t.test('stores data whole that holds empty lines, in every format', async (t) => {
  await command('CREATE TABLE blank_lines (n UInt32, s String) ENGINE = MergeTree ORDER BY n');
  const count = async () => {
    const [row] = await rowsOf('SELECT toUInt32(count()) AS n, max(s) AS s FROM blank_lines');
    await command('TRUNCATE TABLE blank_lines');
    return row;
  };
  // 2570 is two line feeds at the begin of a row; every text ends with two.
  const rows = Array.from({ length: 3000 }, (_, n) => {
    const row = Buffer.from('....\u0004ab\n\n');
    row.writeUInt32LE(n);
    return row;
  });
  for (const body of [Buffer.concat(rows), Buffer.concat(Array.from({ length: 50 }, () => rows).flat())]) {
    const answer = await post(
      'INSERT INTO blank_lines (n, s) SETTINGS max_threads = 1 FORMAT RowBinary',
      body,
    );
    t.match(JSON.parse(answer.headers.get('x-clickhouse-summary') ?? ''), {
      written_rows: `${body.length / 9}`,
    });
    t.same(await count(), { n: body.length / 9, s: 'ab\n\n' });
  }
  const broken = await post(
    'INSERT INTO blank_lines FORMAT RowBinary',
    Buffer.concat([...rows, Buffer.from('x')]),
  );
  t.match(broken, { status: 500 });
  t.equal(broken.headers.get('x-clickhouse-exception-code'), '33');
  t.same(await count(), { n: 0, s: '' });
  t.equal((await post('INSERT INTO blank_lines FORMAT JSONEachRow', '{"n":1}\n\n{"n":2}\n')).status, 200);
  t.same(await count(), { n: 2, s: '' });
});

void t.test('reports the number of written rows, also for INSERT SELECT and an empty insert', async (t) => {
  await command('CREATE TABLE counted (n UInt32) ENGINE = MergeTree ORDER BY n');
  const values = Array.from({ length: 1234 }, (_, n) => ({ n }));
  const inserted = await client.insert({ table: 'counted', values, format: 'JSONEachRow' });
  t.equal(inserted.summary?.written_rows, '1234');
  const copied = await client.command({ query: 'INSERT INTO counted SELECT number FROM numbers(10)' });
  t.equal(copied.summary?.written_rows, '10');
  const empty = await client.exec({
    query: 'INSERT INTO counted FORMAT JSONEachRow',
    values: Readable.from([]),
  });
  t.equal(empty.summary?.written_rows, '0');
  t.same(await rowsOf('SELECT toUInt32(count()) AS n FROM counted'), [{ n: 1244 }]);
});

void t.test('returns errors as ClickHouseError with code, type and message', async (t) => {
  t.match(await failure(rowsOf('SELECT * FROM nowhere')), {
    code: '60',
    type: 'UNKNOWN_TABLE',
    message: /nowhere/,
  });
  t.match(await failure(command('selekt 1')), { code: '62', type: 'SYNTAX_ERROR' });
  t.match(await failure(command('SELECT 1; SELECT 2')), { code: '62', type: 'SYNTAX_ERROR' });
  t.match(await failure(command("KILL QUERY WHERE query_id = ''")), { code: '48', type: 'NOT_IMPLEMENTED' });
  const bad = client.insert({ table: 'nowhere', values: [{ n: 1 }], format: 'JSONEachRow' });
  t.match(await failure(bad), { code: '60', type: 'UNKNOWN_TABLE' });
  await command('CREATE TABLE strict (n UInt32) ENGINE = MergeTree ORDER BY n');
  const wrong = client.insert({ table: 'strict', values: [{ n: 'x' }], format: 'JSONEachRow' });
  t.match(await failure(wrong), { code: '27', type: 'CANNOT_PARSE_INPUT_ASSERTION_FAILED' });
  const elsewhere = createClient({ url: store.url, database: 'no_such_database' });
  t.teardown(() => elsewhere.close());
  t.match(await failure(rowsOf('SELECT 1', elsewhere)), { code: '81', type: 'UNKNOWN_DATABASE' });
});

void t.test('answers only ping without the password', async (t) => {
  const { origin } = new URL(store.url);
  t.equal((await fetch(`${origin}/ping`)).status, 200);
  const refused = await fetch(`${origin}/?query=SELECT+1`);
  t.equal(refused.status, 403);
  t.equal(refused.headers.get('x-clickhouse-exception-code'), '516');
  const key = new URL(store.url).password;
  const allowed = await fetch(`${origin}/?query=SELECT+1`, { headers: { 'X-ClickHouse-Key': key } });
  t.equal(await allowed.text(), '1\n');
});

void t.test('binds parameters of any content', async (t) => {
  const query =
    'SELECT {s:String} AS s, {n:UInt8} AS n, {l:Array(String)} AS l, {none:Nullable(String)} AS none';
  for (const s of ["'; DROP TABLE x; --", 'tab\there', 'back\\slash', 'line\nend', '\\N', 'ünï', '']) {
    const query_params = { s, n: 7, l: ['a', "b'"], none: null };
    t.same(await rowsOf(query, client, { query_params }), [{ s, n: 7, l: ['a', "b'"], none: null }]);
    t.same(await rowsOf(query, client, { query_params, use_multipart_params: true }), [
      { s, n: 7, l: ['a', "b'"], none: null },
    ]);
  }
  await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      const [row] = await rowsOf('SELECT {n:UInt32} AS n', client, { query_params: { n } });
      t.same(row, { n }, 'side by side, each sees its own');
    }),
  );
  t.equal(
    (await failure(rowsOf('SELECT {n:UInt32} AS n'))).type,
    'UNKNOWN_QUERY_PARAMETER',
    'none is left over',
  );
});

void t.test('applies settings to their own query only', async (t) => {
  const query = "SELECT getSetting('max_execution_time') AS s";
  const slow = { clickhouse_settings: { max_execution_time: 11 } };
  for (let i = 0; i < 6; i++) {
    t.same(await rowsOf(query, client, slow), [{ s: 11 }]);
    t.same(await rowsOf(query), [{ s: 0 }]);
  }
  t.equal(
    (await failure(rowsOf(query, client, { clickhouse_settings: { no_such: 1 } }))).type,
    'UNKNOWN_SETTING',
  );
  t.same(await rowsOf(query, client, { clickhouse_settings: { readonly: '1' } }), [{ s: 0 }]);
  t.same(
    await rowsOf(query, client, slow),
    [{ s: 11 }],
    'also after readonly, which forbids to set anything',
  );
  await command('SET max_execution_time = 5');
  for (let i = 0; i < 4; i++) t.same(await rowsOf(query), [{ s: 0 }], 'SET reaches no other request');
});

void t.test('ends a query at its time limit', async (t) => {
  const limited = { clickhouse_settings: { max_execution_time: 1 } };
  const endless = 'SELECT max(cityHash64(number)) FROM numbers(1000000000000)';
  t.equal((await failure(rowsOf(endless, client, limited))).type, 'TIMEOUT_EXCEEDED');
});

void t.test('separates databases', async (t) => {
  const a = await ownDatabase(t, 'test_a');
  const b = await ownDatabase(t, 'test_b');
  for (const [name, own] of Object.entries({ a, b })) {
    await own.command({ query: 'CREATE TABLE who (name String) ENGINE = MergeTree ORDER BY name' });
    await own.insert({ table: 'who', values: [{ name }], format: 'JSONEachRow' });
  }
  await Promise.all(
    Array.from({ length: 40 }, async () => {
      t.same(await rowsOf('SELECT name FROM who', a), [{ name: 'a' }]);
      t.same(await rowsOf('SELECT name FROM who', b), [{ name: 'b' }]);
    }),
  );
  await a.command({ query: 'DROP DATABASE test_a' });
  t.equal((await failure(rowsOf('SELECT name FROM who', a))).type, 'UNKNOWN_DATABASE');
  t.same(await rowsOf('SELECT name FROM who', b), [{ name: 'b' }]);
});

void t.test('answers a fast query during a slow one', async (t) => {
  const query = 'SELECT number, sipHash64(number) /* slow */ FROM numbers(1000000000000) FORMAT CSV';
  const { stream } = await client.exec({ query, clickhouse_settings: streamed });
  await once(stream, 'readable');
  for (let i = 0; i < 20; i++) t.same(await rowsOf('SELECT 1 AS one'), [{ one: 1 }]);
  stream.destroy();
});

void t.test('counts a repeated row of a ReplacingMergeTree once with FINAL', async (t) => {
  const own = await ownDatabase(t, 'test_replacing');
  await own.command({
    query: 'CREATE TABLE samples (id UInt32, wh UInt32, v UInt32) ENGINE = ReplacingMergeTree(v) ORDER BY id',
  });
  for (const v of [1, 3, 2]) {
    await own.insert({ table: 'samples', values: [{ id: 1, wh: v * 100, v }], format: 'JSONEachRow' });
  }
  t.same(await rowsOf('SELECT id, wh FROM samples FINAL', own), [{ id: 1, wh: 300 }]);
  const final = { clickhouse_settings: { final: 1 } };
  t.same(await rowsOf('SELECT id, wh FROM samples', own, final), [{ id: 1, wh: 300 }]);
});

void t.test('fills a materialized view on an insert', async (t) => {
  const own = await ownDatabase(t, 'test_view');
  await own.command({ query: 'CREATE TABLE samples (day Date, wh UInt32) ENGINE = MergeTree ORDER BY day' });
  await own.command({
    query: `CREATE MATERIALIZED VIEW daily ENGINE = SummingMergeTree ORDER BY day
      AS SELECT day, toUInt32(sum(wh)) AS wh FROM samples GROUP BY day`,
  });
  const values = [10, 20].map((wh) => ({ day: '2026-01-02', wh }));
  await own.insert({ table: 'samples', values, format: 'JSONEachRow' });
  await own.insert({ table: 'samples', values, format: 'JSONEachRow' });
  const query = 'SELECT day, toUInt32(sum(wh)) AS wh FROM daily GROUP BY day';
  t.same(await rowsOf(query, own), [{ day: '2026-01-02', wh: 60 }]);
});

void t.test('accepts a large compressed insert with settings and ISO times', async (t) => {
  const own = await ownDatabase(t, 'test_large', { compression: { request: true } });
  await own.command({
    query: 'CREATE TABLE big (at DateTime64(3), s String) ENGINE = MergeTree ORDER BY at',
  });
  const s = 'x'.repeat(1000);
  const values = Array.from({ length: 30_000 }, (_, i) => ({ at: new Date(i * 1000).toISOString(), s }));
  await own.insert({
    table: 'big',
    values,
    format: 'JSONEachRow',
    clickhouse_settings: {
      date_time_input_format: 'best_effort',
      async_insert: 1,
      wait_for_async_insert: 1,
    },
  });
  const query =
    'SELECT toUInt32(count()) AS n, toString(max(at)) AS last, toUInt32(sum(length(s))) AS bytes FROM big';
  t.same(await rowsOf(query, own), [{ n: 30_000, last: '1970-01-01 08:19:59.000', bytes: 30_000_000 }]);
  const result = await own.query({ query: 'SELECT s FROM big', format: 'JSONEachRow' });
  let read = 0;
  for await (const rows of result.stream()) read += rows.length;
  t.equal(read, 30_000, 'and is read back as a stream');
});

/** Settings of a query whose result is sent while it runs, and that ends with its client. */
const streamed = { readonly: '2', cancel_http_readonly_queries_on_client_close: 1 } as const;

async function streamedBytes(query: string): Promise<Buffer> {
  const { stream } = await client.exec({ query, clickhouse_settings: streamed });
  return Buffer.concat((await stream.toArray()) as Buffer[]);
}

void t.test('streams a binary result whole', async (t) => {
  const rows = await streamedBytes('SELECT number, unhex(hex(number)) FROM numbers(300000) FORMAT RowBinary');
  const whole = await client.exec({
    query: 'SELECT number, unhex(hex(number)) FROM numbers(300000) FORMAT RowBinary',
  });
  t.ok(rows.equals(Buffer.concat((await whole.stream.toArray()) as Buffer[])));
  const parquet = await streamedBytes(
    'SELECT number, toString(number) AS text FROM numbers(300000) FORMAT Parquet',
  );
  t.equal(parquet.subarray(0, 4).toString() + parquet.subarray(-4).toString(), 'PAR1PAR1');
  // The engine reads it back, through the binary insert.
  await command('CREATE TABLE read_back (number UInt64, text String) ENGINE = MergeTree ORDER BY number');
  t.equal((await post('INSERT INTO read_back FORMAT Parquet', parquet)).status, 200);
  t.same(
    await rowsOf('SELECT toUInt32(count()) AS n, toUInt32(max(toUInt32(text))) AS last FROM read_back'),
    [{ n: 300_000, last: 299_999 }],
  );
});

void t.test('streams an empty result in its format', async (t) => {
  const csv = await streamedBytes('SELECT 1 AS one WHERE 0 FORMAT CSVWithNames');
  t.equal(csv.toString(), '"one"\n');
  const parquet = await streamedBytes('SELECT 1 AS one WHERE 0 FORMAT Parquet');
  t.equal(parquet.subarray(-4).toString(), 'PAR1');
});

void t.test(
  'answers an error before the first byte with its status, and breaks off at a later one',
  async (t) => {
    t.match(await failure(streamedBytes('SELECT * FROM nowhere FORMAT Parquet')), { code: '60' });
    const late = streamedBytes(
      "SELECT throwIf(number = 3000000, 'late'), randomString(100) FROM numbers(4000000) FORMAT CSV",
    );
    await t.rejects(late, { message: 'aborted' });
  },
);

/** The streamed queries that run, by the comment of `endless`. */
function runningEndless(): Promise<unknown[]> {
  return rowsOf(
    "SELECT query_id FROM system.processes WHERE query LIKE '%/* endless */%' AND query NOT LIKE '%processes%'",
  );
}

void t.test('ends a streamed query when its client goes away', async (t) => {
  const query = 'SELECT number, sipHash64(number) /* endless */ FROM numbers(1000000000000) FORMAT CSV';
  // More than there are sessions: one that did not end would block the next.
  for (let n = 0; n < 6; n++) {
    const { stream } = await client.exec({ query, clickhouse_settings: streamed });
    await once(stream, 'readable');
    t.equal((await runningEndless()).length, 1);
    stream.destroy();
    await until('the end of the query', async () => (await runningEndless()).length === 0);
  }
});
