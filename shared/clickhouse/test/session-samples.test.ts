import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import type { StoredReading } from '#shared/clickhouse/meter-samples.ts';
import { readSessionSamples, type WrittenSamples } from '#shared/clickhouse/session-samples.ts';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';
import { testStores } from '#shared/testing/stores.ts';

const minute = 60_000;
const month = 30 * 24 * 60 * minute;

interface Key {
  chargerId: number;
  sessionId: string;
}

/** A reading of a session some seconds after a time. */
function row(
  { chargerId, sessionId }: Key,
  startedAt: number,
  seconds: number,
  more: Partial<StoredReading>,
) {
  return meterRow({ networkId: 1, chargerId, sessionId }, new Date(startedAt + seconds * 1000), more);
}

const parsed = ({ json }: WrittenSamples) =>
  JSON.parse(`[${Buffer.from(json).toString()}]`) as Record<string, unknown>[];

void t.test('reads the readings of sessions that are requested together in one query', async (t) => {
  const { clickhouse } = await testStores(t);
  const sessions = Array.from({ length: 60 }, (_, n) => ({
    key: { chargerId: 1 + (n % 7), sessionId: randomUUID() },
    // Of this month and of earlier ones.
    startedAt: Date.now() - 60 * minute - (n % 3) * month,
    readings: 5 + n,
  }));
  const rows = sessions.flatMap(({ key, startedAt, readings }, n) =>
    Array.from({ length: readings }, (_, reading) =>
      row(key, startedAt, reading, { energyWh: n * 1000 + reading }),
    ),
  );
  await insertMeterRows(clickhouse, rows);
  await insertMeterRows(clickhouse, rows.slice(0, 100));

  const answers = await Promise.all(
    sessions.map(({ key, startedAt }, n) =>
      readSessionSamples(clickhouse, key, n % 2 === 0 ? 1000 : 20, {
        from: startedAt,
        to: startedAt + 60 * minute,
      }),
    ),
  );
  for (const [n, samples] of answers.entries()) {
    const readings = sessions[n]?.readings ?? 0;
    const returned = Math.min(readings, n % 2 === 0 ? 1000 : 20);
    t.strictSame(
      parsed(samples).map(({ energyKwh }) => energyKwh),
      Array.from({ length: returned }, (_, reading) => (n * 1000 + reading) / 1000),
    );
    t.equal(samples.isTruncated, returned < readings);
  }

  const [first, second] = sessions;
  if (first === undefined || second === undefined) throw new Error('no sessions');
  const { sessionId } = first.key;
  const foreign = await readSessionSamples(clickhouse, { ...second.key, sessionId }, 10);
  t.strictSame([parsed(foreign), foreign.isTruncated], [[], false], 'not of another charger');
  const whole = await readSessionSamples(clickhouse, second.key, 6);
  t.strictSame([parsed(whole).length, whole.isTruncated], [6, false], 'of whenever it was; all there are');
});

void t.test('returns a reading as valid JSON, whatever the charger sent', async (t) => {
  const { clickhouse } = await testStores(t);
  const key = { chargerId: 1, sessionId: randomUUID() };
  const startedAt = Date.now() - minute;
  const odd = 'a "quoted" \\ back/slash,\n\t\r\u0000\u2028 ü 🔌 </script>';
  await insertMeterRows(clickhouse, [
    row(key, startedAt, 0, { energyWh: 1234.5678, powerW: 7400.25, currentA: -0.1, voltageV: 230 }),
    row(key, startedAt, 1, { context: odd, extra: { [odd]: odd, b: '' }, flags: [odd, 'two'] }),
    // Half of a character, as it could be stored before it was looked for.
    row(key, startedAt, 3, { extra: { a: 'x\udc00y' } }),
    row(key, startedAt, 2, { energyWh: 0, powerW: -11_000, socPercent: 100, temperatureC: 1e21 }),
    row(key, startedAt, 2.5, { energyWh: 1.7e307, powerW: -1e308, currentA: 1.7e308, voltageV: 1e-9 }),
  ]);
  const at = (seconds: number) => ({ timestamp: new Date(startedAt + seconds * 1000).toISOString() });
  await clickhouse.command({
    query: `insert into meter_samples (charger_id, session_id, time, received_at, context, extra, flags)
      select 1, {sessionId:UUID}, fromUnixTimestamp64Milli({time:Int64}) as time, time, broken, map(broken, broken), [broken]
      from (select concat('x', char(240)) as broken)`,
    query_params: { sessionId: key.sessionId, time: startedAt + 4000 },
  });
  const written = await readSessionSamples(clickhouse, key, 10);
  t.ok(isUtf8(written.json));
  const [broken, half, ...others] = parsed(written).toReversed();
  t.strictSame(broken, { ...at(4), context: 'x\ufffd', extra: { 'x\ufffd': 'x\ufffd' }, flags: ['x\ufffd'] });
  t.match(half, { ...at(3), extra: { a: /^x\ufffd+y$/ } });
  t.strictSame(others.toReversed(), [
    { ...at(0), energyKwh: 1.234568, powerKw: 7.40025, currentA: -0.1, voltageV: 230 },
    { ...at(1), context: odd, extra: { [odd]: odd, b: '' }, flags: [odd, 'two'] },
    { ...at(2), energyKwh: 0, powerKw: -11, socPercent: 100, temperatureC: 1e21 },
    { ...at(2.5), currentA: 1.7e308, voltageV: 1e-9 },
  ]);
});

void t.test('returns the time of receipt of a late reading', async (t) => {
  const { clickhouse } = await testStores(t);
  const key = { chargerId: 1, sessionId: randomUUID() };
  const startedAt = Date.now() - 60 * minute;
  const delays = [-60_001, -60_000, 60_000, 60_001];
  await insertMeterRows(
    clickhouse,
    delays.map((delay, seconds) =>
      row(key, startedAt, seconds, { receivedAt: new Date(startedAt + seconds * 1000 + delay) }),
    ),
  );
  t.strictSame(
    parsed(await readSessionSamples(clickhouse, key, 10)).map(({ receivedAt }) => receivedAt),
    [
      new Date(startedAt - 60_001).toISOString(),
      undefined,
      undefined,
      new Date(startedAt + 63_001).toISOString(),
    ],
  );
});

void t.test('returns readings of the former format unchanged', async (t) => {
  const { clickhouse } = await testStores(t, { fresh: true });
  const key = { chargerId: 1, sessionId: randomUUID() };
  const startedAt = Date.now() - 10 * minute;
  const rows = [
    row(key, startedAt, 0, { energyWh: 12_345, extra: { Frequency: '50' } }),
    row(key, startedAt, 1, { powerW: 7400.5, currentA: 32.1, voltageV: 230, receivedAt: new Date() }),
    row(key, startedAt, 2, { context: 'Trigger', socPercent: 50, temperatureC: 31.5, flags: ['clock'] }),
    row(key, startedAt, 3, {}),
  ];
  await insertMeterRows(clickhouse, rows);
  const returned = parsed(await readSessionSamples(clickhouse, key, 10));
  t.equal(returned.length, 4);

  const command = (query: string) => clickhouse.command({ query });
  const gorilla = ['energy_wh', 'power_w', 'current_a', 'voltage_v', 'soc_percent', 'temperature_c'].map(
    (column) => `modify column ${column} codec(Gorilla, ZSTD(1))`,
  );
  await command('truncate table meter_samples');
  await command(`alter table meter_samples drop column json, ${gorilla.join()} settings mutations_sync = 2`);
  await insertMeterRows(clickhouse, rows.slice(0, 3));
  const migrate = async (name: string) =>
    clickhouse.command({
      query: await readFile(new URL(`../migrations/${name}`, import.meta.url), 'utf8'),
      clickhouse_settings: { mutations_sync: '2' },
    });
  await migrate('0030_readings_as_told.sql');
  await insertMeterRows(clickhouse, rows.slice(3));
  t.strictSame(parsed(await readSessionSamples(clickhouse, key, 10)), returned);
  const partsWithout = async () => {
    const ofTable = `active and database = currentDatabase() and table = 'meter_samples'`;
    const result = await clickhouse.query({
      query: `
        select count() as parts from system.parts
        where ${ofTable} and name not in (select name from system.parts_columns where ${ofTable} and column = 'json')`,
      format: 'JSONEachRow',
    });
    return (await result.json<{ parts: number }>())[0]?.parts;
  };
  t.equal(await partsWithout(), 1);
  await migrate('0031_older_readings_as_told.sql');
  t.equal(await partsWithout(), 0);
  t.strictSame(
    parsed(await readSessionSamples(clickhouse, key, 10)),
    returned,
    'and after they were written so',
  );
  await command('optimize table meter_samples final');
  t.strictSame(parsed(await readSessionSamples(clickhouse, key, 10)), returned, 'and merged');
});

void t.test('returns readings in order of time over months', async (t) => {
  const { clickhouse } = await testStores(t);
  const key = { chargerId: 1, sessionId: randomUUID() };
  const startedAt = Date.now() - 70 * 24 * 60 * minute;
  const daily = Array.from({ length: 60 }, (_, day) => row(key, startedAt, day * 86_400, { energyWh: day }));
  for (const part of [daily.slice(40), daily.slice(0, 20), daily.slice(20, 40)]) {
    await insertMeterRows(clickhouse, part);
  }
  const samples = parsed(await readSessionSamples(clickhouse, key, 25));
  t.strictSame(
    samples.map(({ energyKwh }) => energyKwh),
    Array.from({ length: 25 }, (_, day) => day / 1000),
  );
});

void t.test('fails a query whose answer ends within a line', async (t) => {
  const server = createServer((_, response) => response.end(`${randomUUID()}\t0\t{`));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const clickhouse = openClickHouse(`http://127.0.0.1:${port}`, { name: 'test', connections: 1 });
  t.teardown(() => clickhouse.close());
  const read = readSessionSamples(clickhouse, { chargerId: 1, sessionId: randomUUID() }, 10);
  await t.rejects(read, { message: 'ClickHouse ended its answer within a line' });
});

void t.test('rejects the reader of a failed query and continues with the next', async (t) => {
  const { clickhouse } = await testStores(t);
  const key = { chargerId: 1, sessionId: randomUUID() };
  await clickhouse.command({ query: 'rename table meter_samples to away' });
  const reads = [1, 2, 3, 4].map(() => readSessionSamples(clickhouse, key, 10));
  for (const read of await Promise.allSettled(reads)) t.equal(read.status, 'rejected');
  await clickhouse.command({ query: 'rename table away to meter_samples' });
  t.strictSame(parsed(await readSessionSamples(clickhouse, key, 10)), []);
});
