import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { meterTable } from '#shared/clickhouse/meter-samples.ts';
import { decodeSegment } from '#gateway/wal/segment-format.ts';
import { listSegments } from '#gateway/wal/segment-files.ts';
import { noteEarliest } from '#shared/clickhouse/meter-row-reader.ts';
import { addMeterRow } from '#shared/clickhouse/meter-samples.ts';
import { encodedRows, meterRow } from '#shared/testing/meter-rows.ts';
import { until } from '#shared/testing/until.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';
import { smallDisk } from '#shared/testing/small-disk.ts';
import { DiskFull, DiskSpace } from '#gateway/wal/disk-space.ts';
import { append, openWal, walDirectory } from './support/segments.ts';

const origin = { networkId: 1, chargerId: 7, sessionId: '0d1a7e3c-51a2-4a63-9d12-7a86b1f4c6a5' };
const row = (energyWh: number) => meterRow(origin, new Date(1_770_000_000_000 + energyWh), { energyWh });

/** Returns the rows of segments, in order. */
function rowsIn(paths: readonly string[]): Buffer {
  return Buffer.concat(paths.flatMap((path) => decodeSegment(readFileSync(path))?.frames ?? []));
}

const bytesOf = (energies: readonly number[]): Buffer =>
  Buffer.concat(encodedRows(energies.map(row)).chunks());

void t.test('keeps rows in order over many commits and segments', async (t) => {
  const directory = walDirectory(t);
  const wal = openWal(directory);
  const energies = Array.from({ length: 40 }, (_, n) => n);
  for (const energy of energies) {
    await append(wal, [row(energy)]);
    if (energy % 10 === 9) await wal.oldest();
  }
  await wal.close();
  t.ok(rowsIn(await listSegments(directory)).equals(bytesOf(energies)));
  t.equal((await wal.oldest())?.path, (await listSegments(directory))[0], 'the oldest comes first');
});

void t.test('commits the rows of one turn with one write', async (t) => {
  const directory = walDirectory(t);
  const writes: number[] = [];
  const wal = openWal(directory, { written: (rows) => writes.push(rows) });
  await Promise.all([1, 2, 3].map((energy) => append(wal, [row(energy)])));
  t.same(writes, [3]);
  await wal.close();
});

void t.test('writes what waits when it is closed', async (t) => {
  const directory = walDirectory(t);
  const wal = openWal(directory, { everyMs: 60_000 });
  const first = append(wal, [row(1)]);
  await wal.close();
  await first;
  t.ok(rowsIn(await listSegments(directory)).equals(bytesOf([1])));
});

void t.test('answers a waiter that joins after the commit', async (t) => {
  const wal = openWal(walDirectory(t));
  const done = append(wal, [row(1)]);
  const commit = wal.commit();
  await done;
  await commit.durable();
  t.pass('it is answered');
  await wal.close();
});

void t.test('refuses the rows of a failed write only, and continues with a new segment', async (t) => {
  const directory = walDirectory(t);
  const failures: string[] = [];
  let isFull = false;
  const wal = openWal(directory, {
    space: { take: () => (isFull ? Promise.reject(new DiskFull(0, 1)) : Promise.resolve()) },
    failed: (error) => failures.push(error.name),
  });
  await append(wal, [row(1)]);
  isFull = true;
  await t.rejects(append(wal, [row(2)]), DiskFull);
  isFull = false;
  await append(wal, [row(3)]);
  await wal.close();
  t.same(failures, ['DiskFull']);
  const segments = await listSegments(directory);
  t.equal(segments.length, 2);
  t.ok(rowsIn(segments).equals(bytesOf([1, 3])));
});

void t.test(
  'keeps acknowledged rows on a disk that becomes full, and continues when it has room',
  async (t) => {
    const disk = smallDisk(t, 1);
    if (disk === null) return;
    const wal = openWal(disk);
    const stored: number[] = [];
    const large = (energyWh: number) =>
      meterRow(origin, new Date(energyWh), { energyWh, context: 'x'.repeat(100_000) });
    const failure = await (async () => {
      for (let energy = 0; ; energy += 1) {
        const error = await append(wal, [large(energy)]).catch((refusal: unknown) => refusal);
        if (error !== undefined) return error;
        stored.push(energy);
      }
    })();
    t.match(failure, { code: 'ENOSPC' });
    t.ok(stored.length > 5);
    await wal.oldest();
    const segments = await listSegments(disk);
    const earliest = new Map<string, number>();
    const rows = rowsIn(segments);
    noteEarliest(rows, meterTable.columns, earliest);
    t.same([...earliest], [[origin.sessionId, 0]], 'the rows can be read');
    t.ok(rows.equals(Buffer.concat(encodedRows(stored.map(large)).chunks())));
    await t.rejects(new DiskSpace(disk, 2 ** 20).take(1), DiskFull);
    await wal.close();
  },
);

void t.test('refuses rows while too many wait for the disk', async (t) => {
  const held = Promise.withResolvers<void>();
  const writing = Promise.withResolvers<void>();
  const take = (): Promise<void> => {
    writing.resolve();
    return held.promise;
  };
  const wal = openWal(walDirectory(t), { space: { take } });
  const huge = [meterRow(origin, new Date(), { context: 'x'.repeat(17 * 2 ** 20) })];
  const first = append(wal, huge);
  await writing.promise;
  const others = [append(wal, huge), append(wal, huge)];
  t.throws(() => wal.rows, { name: 'DiskTooSlow' });
  held.resolve();
  await Promise.all([first, ...others]);
  t.ok(wal.rows, 'it takes rows again');
  await wal.close();
});

void t.test('refuses rows during a write that misses its deadline, and keeps all others', async (t) => {
  const directory = walDirectory(t);
  let held: Promise<void> = Promise.resolve();
  const wal = openWal(directory, { space: { take: () => held }, deadlineMs: 1000 });
  await append(wal, [row(1)]);
  const stall = Promise.withResolvers<void>();
  held = stall.promise;
  const stalled = append(wal, [row(2)]);
  await t.rejects(stalled, { name: 'DeadlinePassed' });
  t.throws(() => wal.rows, { name: 'DiskTooSlow' });
  held = Promise.resolve();
  stall.resolve();
  await until('the log takes rows again', async () => isOpen(wal));
  for (const energy of [3, 4, 5]) await append(wal, [row(energy)]);
  await wal.close();
  const rows = rowsIn(await listSegments(directory));
  t.ok(rows.equals(bytesOf([1, 2, 3, 4, 5])), 'a refused row may be there, an acknowledged one must be');
});

void t.test('leaves no file of a segment that cannot be created, and pauses before the next', async (t) => {
  const directory = walDirectory(t);
  const failures: Error[] = [];
  let names: string[] = [];
  const clock = new VirtualClock();
  const wal = openWal(directory, {
    clock,
    // Its header cannot be written: a column does not fit into JSON.
    table: { name: 'readings', columns: [1n as never] },
    failed: (error) => {
      failures.push(error);
      names = readdirSync(directory);
    },
  });
  const first = append(wal, [row(1)]);
  clock.advance(1);
  await t.rejects(first, TypeError);
  const second = append(wal, [row(2)]);
  // The timers are those of the next attempt and of the answer.
  await until('the pause', () => clock.pending === 2);
  clock.advance(999);
  t.equal(failures.length, 1, 'the second attempt waits');
  clock.advance(1);
  await t.rejects(second, TypeError);
  t.same(names, []);
  t.equal(failures.length, 2);
  await wal.close();
});

void t.test('cuts a row off that cannot be encoded', async (t) => {
  const directory = walDirectory(t);
  const wal = openWal(directory);
  const [, reading] = row(2);
  const first = append(wal, [row(1)]);
  const broken = { ...reading, context: 'x'.repeat(70_000), flags: [null as never] };
  t.throws(
    () => addMeterRow(wal.rows, { ...origin, position: { evse: 1, connector: 1 } }, broken),
    TypeError,
  );
  await Promise.all([first, append(wal, [row(3)])]);
  await wal.close();
  t.ok(rowsIn(await listSegments(directory)).equals(bytesOf([1, 3])));
});

void t.test('knows which segment has late readings', async (t) => {
  const wal = openWal(walDirectory(t));
  const add = async (energy: number, isLate: boolean) => {
    addMeterRow(wal.rows, ...row(energy));
    await wal.commit(isLate).durable();
  };
  const completed: (boolean | undefined)[] = [];
  const complete = async () => {
    completed.push((await wal.oldest())?.hasLate);
    wal.dropOldest();
  };
  await add(1, true);
  await add(2, false);
  await complete();
  await add(3, false);
  await complete();
  t.same(completed, [true, false]);
  await wal.close();
});

function isOpen(wal: ReturnType<typeof openWal>): boolean {
  try {
    return wal.rows.rows >= 0;
  } catch {
    return false;
  }
}
