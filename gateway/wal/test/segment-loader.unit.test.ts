import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { decodeSegment, encodeSegmentHeader } from '#gateway/wal/segment-format.ts';
import { SegmentLoader, type SegmentLoaderOptions } from '#gateway/wal/segment-loader.ts';
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
    loader: (options: Partial<SegmentLoaderOptions>) =>
      new SegmentLoader({
        wal: { oldest: () => Promise.resolve(null), dropOldest: () => undefined, completeSegments: 0 },
        recovered: [],
        clickhouse: clickhouse as unknown as ClickHouse,
        sql: sql as unknown as Sql,
        deadlineMs: 20_000,
        loaded: () => undefined,
        faulty: (reason) => faults.push(reason),
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
    clock.advance(500);
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
