import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { listSegments } from '#gateway/wal/segment-files.ts';
import { decodeSegment } from '#gateway/wal/segment-format.ts';
import { SegmentLoader, type SegmentLoaderOptions } from '#gateway/wal/segment-loader.ts';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { createLogger } from '#shared/log/log.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { meterRow } from '#shared/testing/meter-rows.ts';
import { storedSamples } from '#shared/testing/stored-samples.ts';
import { testStores } from '#shared/testing/stores.ts';
import { withDatabase } from '#shared/testing/test-servers.ts';
import { until } from '#shared/testing/until.ts';
import { append, leaveSegments, openWal, walDirectory } from './support/segments.ts';

const chargerId = 7;
const begin = Date.UTC(2026, 4, 4);
const empty = { oldest: () => Promise.resolve(null), dropOldest: () => undefined, completeSegments: 0 };

async function scene(t: Test) {
  const stores = await testStores(t);
  const { clickhouse, sql } = stores;
  const directory = walDirectory(t);
  const sessionId = randomUUID();
  return {
    ...stores,
    directory,
    reading: (energyWh: number) =>
      meterRow({ networkId: 1, chargerId, sessionId }, new Date(begin + energyWh * 1000), {
        energyWh,
        extra: { Vendor: 'x' },
        flags: ['value-unreadable'],
      }),
    loader: (options: Partial<SegmentLoaderOptions>) =>
      new SegmentLoader({
        wal: empty,
        recovered: [],
        clickhouse,
        sql,
        deadlineMs: 20_000,
        loaded: () => undefined,
        faulty: () => undefined,
        failed: () => undefined,
        unknownFaultMs: 60_000,
        log: createLogger('test', 'silent'),
        ...options,
      }),
    stored: async () => {
      const samples = await storedSamples(clickhouse, { chargerId, sessionId });
      t.ok(samples.every(({ extra, flags }) => extra['Vendor'] === 'x' && flags.length === 1));
      return samples.map(({ energyWh }) => energyWh);
    },
    files: () => readdirSync(directory),
  };
}

void t.test('loads the segments of a log soon after they are written', async (t) => {
  const { directory, loader, reading, stored, files } = await scene(t);
  const wal = openWal(directory, { written: () => loading.wake() });
  const loading = loader({ wal });
  for (const energy of [1, 2, 3]) {
    await append(wal, [reading(energy)]);
    await until('an empty log', async () => files().length === 0);
  }
  t.same(await stored(), [1, 2, 3]);
  t.equal(loading.waiting, 0);
  await append(wal, [reading(4)]);
  await wal.close();
  await loading.close();
  t.same(await stored(), [1, 2, 3, 4], 'the rest is loaded at the end');
  t.same(files(), []);
});

void t.test('loads the segments of an earlier run in order', async (t) => {
  const { directory, loader, reading, stored, files } = await scene(t);
  const recovered = await leaveSegments(directory, [[reading(1), reading(2)], [reading(3)]]);
  await loader({ recovered }).loadAll();
  t.same(await stored(), [1, 2, 3]);
  t.same(files(), []);
});

void t.test('stores a segment once that is loaded twice', async (t) => {
  const { directory, loader, reading, stored } = await scene(t);
  const [path = ''] = await leaveSegments(directory, [[reading(1), reading(2)]]);
  const contents = readFileSync(path);
  await loader({ recovered: [path] }).loadAll();
  writeFileSync(path, contents);
  await loader({ recovered: [path] }).loadAll();
  t.same(await stored(), [1, 2]);
});

void t.test('keeps segments while ClickHouse is unavailable or misconfigured', async (t) => {
  const { directory, clickhouseUrl, loader, reading, stored, files } = await scene(t);
  const recovered = await leaveSegments(directory, [[reading(1)], [reading(2)]]);
  const urls = [`http://127.0.0.1:${await freePort()}/none`, withDatabase(clickhouseUrl, 'no_such_database')];
  for (const url of urls) {
    const wrong = openClickHouse(url, { name: 'test', connections: 1 });
    t.teardown(() => wrong.close());
    await t.rejects(loader({ recovered, clickhouse: wrong }).loadAll());
    t.equal(files().length, 2);
  }
  await loader({ recovered }).loadAll();
  t.same(await stored(), [1, 2]);
});

void t.test('continues after an outage by itself', async (t) => {
  const { directory, loader, reading, stored, files, clickhouse } = await scene(t);
  const recovered = await leaveSegments(directory, [[reading(1)], [reading(2)]]);
  await clickhouse.command({ query: 'rename table meter_samples to away' });
  const loading = loader({ recovered });
  loading.wake();
  await until('the outage is noticed', async () => loading.waiting === 2);
  await clickhouse.command({ query: 'rename table away to meter_samples' });
  await until('an empty log', async () => files().length === 0 && loading.waiting === 0);
  await loading.close();
  t.same(await stored(), [1, 2]);
});

void t.test('keeps a segment while PostgreSQL is unavailable and stores it once', async (t) => {
  const { directory, loader, reading, stored, files, clickhouse } = await scene(t);
  const recovered = await leaveSegments(directory, [[reading(1)]]);
  const away = openPostgres(`postgres://nobody@127.0.0.1:${await freePort()}/none`, {
    name: 'test',
    connections: 1,
  });
  t.teardown(() => away.end());
  const early = loader({ recovered, sql: away });
  for (const round of ['first', 'second']) {
    await t.rejects(early.loadAll(), { code: 'ECONNREFUSED' }, round);
    t.equal(files().length, 1);
  }
  const rows = await clickhouse.query({ query: 'select count() from meter_samples', format: 'TabSeparated' });
  t.equal((await rows.text()).trim(), '1');
  await loader({ recovered }).loadAll();
  t.same(await stored(), [1]);
  t.same(files(), []);
});

void t.test('loads what can be read of damaged segments and sets them aside', async (t) => {
  const { directory, loader, reading, stored, files } = await scene(t);
  const wal = openWal(directory);
  for (const energy of [1, 2, 3]) await append(wal, [reading(energy)]);
  await wal.close();
  const [damaged = '', cut = ''] = await leaveSegments(directory, [[reading(4)]]);
  const contents = readFileSync(damaged);
  contents.write('?', contents.indexOf('Vendor', contents.indexOf('Vendor') + 6));
  writeFileSync(damaged, contents);
  writeFileSync(cut, readFileSync(cut).subarray(0, -1));
  const foreign = `${directory}/0-foreign.segment`;
  writeFileSync(foreign, 'not a segment');
  await loader({ recovered: [foreign, damaged, cut] }).loadAll();
  t.same(await stored(), [1, 3]);
  t.same(
    files()
      .map((name) => name.split('.').slice(1).join('.'))
      .toSorted(),
    ['segment.damaged', 'segment.unreadable'],
    'a cut segment ends at an unanswered message',
  );
});

void t.test('sets aside the frames that ClickHouse refuses and loads all others', async (t) => {
  const { directory, loader, reading, stored, files } = await scene(t);
  await leaveSegments(directory, [[reading(1)]]);
  const wal = openWal(directory);
  await append(wal, [reading(2)]);
  for (const wrong of ['no row of the table', 'nor this']) {
    wal.rows.string(wrong);
    wal.rows.endRow();
    await wal.commit().durable();
    await append(wal, [reading(3 + wrong.length)]);
  }
  await wal.close();
  await leaveSegments(directory, [[reading(90)]]);
  await loader({ recovered: await listSegments(directory) }).loadAll();
  t.same(await stored(), [1, 2, 11, 22, 90]);
  t.match(files(), [/refused$/]);
  const [refused = ''] = files();
  t.equal(decodeSegment(readFileSync(join(directory, refused)))?.frames.length, 2);
});
