import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { MeterWriter } from '#gateway/ingest/meter-writer.ts';
import { Spool } from '#gateway/ingest/spool.ts';
import { SpoolDrain } from '#gateway/ingest/spool-drain.ts';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { type MeterRow } from '#shared/clickhouse/meter-samples.ts';
import { createLogger } from '#shared/log/log.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { testStores, withDatabase } from '#shared/testing/stores.ts';
import { storedSamples } from '#shared/testing/stored-samples.ts';
import { until } from '#shared/testing/until.ts';

const log = createLogger('test', 'silent');
/** The spool's disk has more free space than this. */
const floorBytes = 2 ** 20;
const chargerId = 7;

function directory(t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'chargeway-test-spool-'));
  t.teardown(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function reading(sessionId: string, energyWh: number): MeterRow {
  const time = Date.UTC(2026, 4, 4) + energyWh * 1000;
  const extra = { Vendor: 'x' };
  return [
    1,
    chargerId,
    1,
    1,
    sessionId,
    time,
    time,
    'Sample.Periodic',
    energyWh,
    null,
    null,
    null,
    null,
    null,
    extra,
    [],
  ];
}

/** A client of a ClickHouse that is not there. */
async function unreachable(t: Test) {
  const client = openClickHouse(`http://127.0.0.1:${await freePort()}/none`, {
    name: 'test',
    connections: 1,
  });
  t.teardown(() => client.close());
  return client;
}

void t.test(
  'keeps readings on disk over a restart while ClickHouse is unavailable, and drains them in order',
  async (t) => {
    const { clickhouse, sql } = await testStores(t);
    const path = directory(t);
    const sessionId = randomUUID();
    const stored: [number, string][] = [];
    const spool = new Spool(path, 'first', floorBytes);
    const writer = new MeterWriter({
      clickhouse: await unreachable(t),
      spool,
      log,
      stored: (rows, where) => stored.push([rows, where]),
    });
    await Promise.all([
      writer.add([reading(sessionId, 1), reading(sessionId, 2)]),
      writer.add([reading(sessionId, 3)]),
    ]);
    await writer.add([reading(sessionId, 4)]);
    await writer.add([]);
    await writer.drain();
    t.same(stored, [
      [3, 'spool'],
      [1, 'spool'],
    ]);
    await spool.close();

    const reopened = new Spool(path, 'second', floorBytes);
    t.equal(reopened.size(), 2, 'they outlive the process that wrote them');
    t.same(
      reopened.first(1)?.rows.map((row) => row[8]),
      [1, 2, 3],
      'the oldest first',
    );
    t.same(
      reopened.first(100)?.rows.map((row) => row[8]),
      [1, 2, 3, 4],
    );
    const drain = new SpoolDrain({ spool: reopened, clickhouse, sql, log });
    drain.start();
    await until('an empty spool', async () => reopened.size() === 0);
    await drain.stop();
    const samples = await storedSamples(clickhouse, { chargerId, sessionId });
    t.same(
      samples.map((sample) => sample.energyWh),
      [1, 2, 3, 4],
    );
    t.same(samples[0]?.extra, { Vendor: 'x' });
    await reopened.close();
  },
);

void t.test('stores the other rows when ClickHouse refuses one', async (t) => {
  const { clickhouse, sql } = await testStores(t);
  const spool = new Spool(directory(t), 'writer', floorBytes);
  const sessionId = randomUUID();
  await spool.append([reading(sessionId, 1), reading('no uuid', 2), reading(sessionId, 3)]);
  await spool.append([reading(sessionId, 4)]);
  const drain = new SpoolDrain({ spool, clickhouse, sql, log });
  drain.start();
  await until('an empty spool', async () => spool.size() === 0);
  await drain.stop();
  const samples = await storedSamples(clickhouse, { chargerId, sessionId });
  t.same(
    samples.map((sample) => sample.energyWh),
    [1, 3, 4],
  );
  await spool.close();
});

void t.test('fails only the sender of a reading that cannot be stored', async (t) => {
  const { clickhouse } = await testStores(t);
  const spool = new Spool(directory(t), 'writer', floorBytes);
  const sessionId = randomUUID();
  const writer = new MeterWriter({ clickhouse, spool, log, stored: () => undefined });
  const added = await Promise.allSettled([
    writer.add([reading(sessionId, 1)]),
    writer.add([reading('no uuid', 2)]),
    writer.add([reading(sessionId, 3)]),
  ]);
  t.same(
    added.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const samples = await storedSamples(clickhouse, { chargerId, sessionId });
  t.same(
    samples.map((sample) => sample.energyWh),
    [1, 3],
  );
  t.equal(spool.size(), 0);
  await spool.close();
});

void t.test(
  'keeps readings while ClickHouse is misconfigured and stores them once it is corrected',
  async (t) => {
    const { clickhouse, clickhouseUrl, sql } = await testStores(t);
    const spool = new Spool(directory(t), 'writer', floorBytes);
    const sessionId = randomUUID();
    const wrong = openClickHouse(withDatabase(clickhouseUrl, 'no_such_database'), {
      name: 'test',
      connections: 1,
    });
    t.teardown(() => wrong.close());
    const writer = new MeterWriter({ clickhouse: wrong, spool, log, stored: () => undefined });
    await writer.add([reading(sessionId, 1)]);
    t.equal(spool.size(), 1);

    // One round of the drain ends with its stop: it was refused, and kept everything.
    const early = new SpoolDrain({ spool, clickhouse: wrong, sql, log });
    await early.drainOnce().then(
      () => t.fail('the rows cannot have been stored'),
      () => t.equal(spool.size(), 1),
    );
    await new SpoolDrain({ spool, clickhouse, sql, log }).drainOnce();
    t.equal(spool.size(), 0);
    const samples = await storedSamples(clickhouse, { chargerId, sessionId });
    t.equal(samples.length, 1);
    await spool.close();
  },
);

void t.test('keeps the spool while PostgreSQL is unavailable and stores it once', async (t) => {
  const { clickhouse, sql } = await testStores(t);
  const spool = new Spool(directory(t), 'writer', floorBytes);
  await spool.append([reading(randomUUID(), 1)]);
  const away = openPostgres(`postgres://nobody@127.0.0.1:${await freePort()}/none`, {
    name: 'test',
    connections: 1,
  });
  t.teardown(() => away.end());
  const early = new SpoolDrain({ spool, clickhouse, sql: away, log });
  for (const round of ['first', 'second']) {
    await t.rejects(early.drainOnce(), { code: 'ECONNREFUSED' }, round);
    t.equal(spool.size(), 1);
  }
  const stored = await clickhouse.query({
    query: 'select count() from meter_samples',
    format: 'TabSeparated',
  });
  t.equal((await stored.text()).trim(), '1');
  await new SpoolDrain({ spool, clickhouse, sql, log }).drainOnce();
  t.equal(spool.size(), 0);
  await spool.close();
});
