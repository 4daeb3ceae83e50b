import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClickHouseError } from '@clickhouse/client';
import t, { type Test } from 'tap';
import { decodeSegment, encodeSegmentHeader } from '#gateway/wal/segment-format.ts';
import { loadEveryMs, SegmentLoader, type SegmentLoaderOptions } from '#gateway/wal/segment-loader.ts';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import type { Logger } from '#shared/log/log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { meterRow } from '#shared/testing/meter-rows.ts';
import { until } from '#shared/testing/until.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';
import { append, openWal, walDirectory } from './support/segments.ts';

const sessionId = '0d1a7e3c-51a2-4a63-9d12-7a86b1f4c6a5';
const row = (energyWh: number, session: string | null = null) =>
  meterRow({ networkId: 1, chargerId: 7, sessionId: session }, new Date(1_770_000_000_000), { energyWh });

/** A loader whose stores keep what they get in memory. */
function scene(t: Test) {
  const directory = walDirectory(t);
  const inserted: Buffer[] = [];
  const recorded: unknown[] = [];
  const errors: { text: string; fields: object }[] = [];
  const faults: string[] = [];
  const failed: string[] = [];
  const clickhouse = {
    async send(_query: string, rows: readonly Uint8Array[]) {
      inserted.push(Buffer.concat(rows));
    },
  };
  const sql = Object.assign(
    (_texts: unknown, ...values: unknown[]) => {
      recorded.push(values);
      return Promise.resolve([]);
    },
    { json: (value: unknown) => value },
  );
  const log = {
    error: (fields: object, text: string) => errors.push({ fields, text }),
    warn: () => undefined,
    info: () => undefined,
  };
  return {
    directory,
    files: () => readdirSync(directory).toSorted(),
    inserted: () => Buffer.concat(inserted),
    recorded,
    errors,
    faults,
    failed,
    loader: (options: Partial<SegmentLoaderOptions>) =>
      new SegmentLoader({
        wal: { oldest: () => Promise.resolve(null), dropOldest: () => undefined, completeSegments: 0 },
        recovered: [],
        clickhouse: clickhouse as unknown as ClickHouse,
        sql: sql as unknown as Sql,
        deadlineMs: 20_000,
        loaded: () => undefined,
        faulty: (reason) => faults.push(reason),
        failed: (fault) => failed.push(fault),
        unknownFaultMs: 60_000,
        log: log as unknown as Logger,
        ...options,
      }),
  };
}

/** Returns the bytes of a segment with three frames, and its frames. */
async function smallSegment(t: Test) {
  const wal = openWal(walDirectory(t));
  for (const energy of [1, 2, 3]) await append(wal, [row(energy)]);
  await wal.close();
  const file = readFileSync((await wal.oldest())?.path ?? '');
  return { file, frames: decodeSegment(file)?.frames ?? [] };
}

void t.test('sets a segment with a wrong bit at any byte aside and loads its intact frames', async (t) => {
  const { file, frames } = await smallSegment(t);
  t.equal(frames.length, 3);
  const wrongLoads: number[] = [];
  for (let at = 0; at < file.length; at += 1) {
    const { directory, files, inserted, errors, faults, loader } = scene(t);
    const wrong = Buffer.from(file);
    wrong[at]! ^= 1 << (at & 7);
    const path = join(directory, '0.segment');
    writeFileSync(path, wrong);
    await loader({ recovered: [path] }).loadAll();
    const [name = '', ...others] = files();
    const isSetAside = /^0\.segment\.(damaged|unreadable)$/.test(name) && others.length === 0;
    const isReported = errors.length > 0 && faults.length === 1;
    // Any of the frames, in order, and nothing else.
    const possible = Array.from({ length: 8 }, (_, kept) =>
      Buffer.concat(frames.filter((_frame, index) => (kept >> index) & 1)),
    );
    const isIntact = possible.some((rows) => rows.equals(inserted()));
    if (!isSetAside || !isReported || !isIntact) wrongLoads.push(at);
  }
  t.same(wrongLoads, []);
});

void t.test('loads the complete frames of a segment that is cut at any byte, and removes it', async (t) => {
  const { file, frames } = await smallSegment(t);
  const wrongLoads: number[] = [];
  for (let length = 0; length <= file.length; length += 1) {
    const { directory, files, inserted, errors, loader } = scene(t);
    const path = join(directory, '0.segment');
    writeFileSync(path, file.subarray(0, length));
    await loader({ recovered: [path] }).loadAll();
    const possible = [0, 1, 2, 3].map((count) => Buffer.concat(frames.slice(0, count)));
    const isIntact = possible.some((rows) => rows.equals(inserted()));
    if (files().length > 0 || errors.length > 0 || !isIntact) wrongLoads.push(length);
  }
  t.same(wrongLoads, []);
});

void t.test('reports how much of a damaged segment was loaded', async (t) => {
  const { file, frames } = await smallSegment(t);
  const { directory, errors, faults, loader } = scene(t);
  const path = join(directory, '0.segment');
  const last = frames.at(-1)?.length ?? 0;
  file[file.length - 1]! ^= 1;
  writeFileSync(path, file);
  await loader({ recovered: [path] }).loadAll();
  t.same(faults, ['damaged']);
  t.match(errors, [{ fields: { loadedFrames: 2, damagedBytes: last + 12, path: `${path}.damaged` } }]);
});

void t.test('continues behind a segment whose file is gone', async (t) => {
  const { file, frames } = await smallSegment(t);
  const { directory, files, inserted, errors, faults, loader } = scene(t);
  const path = join(directory, '1.segment');
  writeFileSync(path, file);
  await loader({ recovered: [join(directory, '0.segment'), path] }).loadAll();
  t.ok(inserted().equals(Buffer.concat(frames)));
  t.same(files(), []);
  t.same(faults, ['missing']);
  t.match(errors, [{ text: /is gone/ }]);
});

void t.test('waits for a file that cannot be read now', async (t) => {
  const { directory, loader } = scene(t);
  const path = join(directory, '0.segment');
  mkdirSync(path);
  await t.rejects(loader({ recovered: [path] }).loadAll(), { code: 'EISDIR' });
});

void t.test(
  'sets a segment aside whose sessions cannot be read, and records those of the others',
  async (t) => {
    const { directory, files, inserted, recorded, faults, loader } = scene(t);
    const wal = openWal(directory);
    await append(wal, [row(1, sessionId)]);
    wal.rows.string('no row of this release');
    wal.rows.endRow();
    await wal.commit().durable();
    await wal.close();
    const path = (await wal.oldest())?.path ?? '';
    const frames = decodeSegment(readFileSync(path))?.frames ?? [];
    await loader({ recovered: [path] }).loadAll();
    t.ok(inserted().equals(Buffer.concat(frames)), 'ClickHouse got the rows');
    t.match(JSON.stringify(recorded), sessionId);
    t.same(faults, ['unreadable']);
    t.match(files(), [/unreadable$/]);
  },
);

void t.test('records readings as late that waited too long, although no load failed', async (t) => {
  const { directory, recorded, loader } = scene(t);
  const clock = new VirtualClock();
  const wal = openWal(directory);
  let finish: (() => void) | null = null;
  const send = () => new Promise<void>((resolve) => (finish = resolve));
  const loading = loader({ wal, clock, clickhouse: { send } as unknown as ClickHouse });
  /** Loads a reading with an insert of this duration; returns true when its readings are recorded as late. */
  const load = async (insertMs: number) => {
    await append(wal, [row(1, sessionId)]);
    loading.wake();
    clock.advance(loadEveryMs);
    const end = await until('the insert', () => finish);
    finish = null;
    clock.advance(insertMs);
    end();
    await until('the end of the load', () => clock.pending === 1);
    return recorded.splice(0).length > 0;
  };
  t.equal(await load(31_000), false);
  t.equal(await load(0), true, 'rows that may have waited for the slow insert');
  t.equal(await load(0), false);
  await loading.close();
  await wal.close();
});

void t.test('removes a segment without frames', async (t) => {
  const { directory, files, errors, loader } = scene(t);
  const path = join(directory, '0.segment');
  writeFileSync(path, encodeSegmentHeader({ name: 'readings', columns: [] }));
  await loader({ recovered: [path] }).loadAll();
  t.same([files(), errors], [[], []]);
});

/** A ClickHouse that refuses some inserts with a code. */
function refusing(code: string, isRefused: (rows: Buffer) => boolean) {
  const inserted: Buffer[] = [];
  const clickhouse = {
    async send(_query: string, chunks: readonly Uint8Array[]) {
      const rows = Buffer.concat(chunks);
      if (isRefused(rows)) throw new ClickHouseError({ code, type: 'NAME', message: 'refused' });
      inserted.push(rows);
    },
  };
  return {
    clickhouse: clickhouse as unknown as ClickHouse,
    inserted: () => Buffer.concat(inserted),
    accept: () => void (isRefused = () => false),
  };
}

/** Writes two segments, the first with three frames. Returns their paths and frames. */
async function twoSegments(t: Test, directory: string) {
  const { file, frames } = await smallSegment(t);
  const paths = ['0.segment', '1.segment'].map((name) => join(directory, name));
  for (const path of paths) writeFileSync(path, file);
  return { paths, frames };
}

void t.test('keeps readings for as long as ClickHouse is misconfigured, and loads them then', async (t) => {
  const { directory, files, faults, failed, loader } = scene(t);
  const { paths, frames } = await twoSegments(t, directory);
  const clock = new VirtualClock();
  const store = refusing('516', () => true);
  const loading = loader({ recovered: paths, clickhouse: store.clickhouse, clock });
  loading.wake();
  for (let round = 1; round <= 5; round += 1) {
    clock.advance(3_600_000);
    await until('a failed load', () => failed.length >= round && clock.pending === 1);
  }
  t.match(new Set(failed), new Set(['misconfigured']));
  t.ok(loading.lagSeconds >= 4 * 3600);
  t.same([files(), faults], [['0.segment', '1.segment'], []]);
  store.accept();
  await loading.loadAll();
  t.ok(store.inserted().equals(Buffer.concat([...frames, ...frames])));
  t.same(files(), []);
});

void t.test('sets rows aside that an unknown code refuses for a minute, and loads all others', async (t) => {
  const { directory, files, faults, errors, loader } = scene(t);
  const { paths, frames } = await twoSegments(t, directory);
  const clock = new VirtualClock();
  const [first, bad, last] = frames;
  if (first === undefined || bad === undefined || last === undefined) throw new Error('three frames');
  const store = refusing('49', (rows) => rows.includes(bad));
  const loading = loader({ recovered: paths, clickhouse: store.clickhouse, clock });
  await t.rejects(loading.loadAll(), { code: '49' });
  clock.advance(59_000);
  await t.rejects(loading.loadAll(), { code: '49' });
  t.same(files(), ['0.segment', '1.segment']);
  clock.advance(1000);
  // The next segment has a minute of its own.
  await t.rejects(loading.loadAll(), { code: '49' });
  t.same(files(), ['0.segment.refused', '1.segment']);
  t.same(faults, ['refused']);
  t.match(errors, [{ fields: { refusedFrames: 1, loadedFrames: 2 } }]);
  const kept = decodeSegment(readFileSync(join(directory, '0.segment.refused')))?.frames;
  t.ok(kept?.length === 1 && kept[0]?.equals(bad));
  t.ok(store.inserted().equals(Buffer.concat([first, last])));
  store.accept();
  await loading.loadAll();
  t.ok(store.inserted().equals(Buffer.concat([first, last, ...frames])));
});

void t.test('keeps rows that an unknown code refuses while an insert without rows fails too', async (t) => {
  const { directory, files, faults, loader } = scene(t);
  const { paths } = await twoSegments(t, directory);
  const clock = new VirtualClock();
  const { clickhouse } = refusing('49', () => true);
  const loading = loader({ recovered: paths, clickhouse, clock });
  for (let round = 0; round < 3; round += 1) {
    await t.rejects(loading.loadAll(), { code: '49' });
    clock.advance(3_600_000);
  }
  t.same([files(), faults], [['0.segment', '1.segment'], []]);
});
