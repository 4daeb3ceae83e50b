import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Spool } from '#gateway/ingest/spool.ts';
import { requireRoomToOpen, SpoolFull } from '#gateway/ingest/spool-space.ts';
import type { MeterRow } from '#shared/clickhouse/meter-samples.ts';
import { freeBytes, smallDisk } from '#shared/testing/small-disk.ts';

const mebibyte = 2 ** 20;

/** Rows that LZ4 makes little smaller: about 90 KB of them. */
function rows(): MeterRow[] {
  return Array.from({ length: 500 }, (_, index) => {
    const time = Date.UTC(2026, 4, 4) + index;
    const measured = [Math.random(), Math.random(), Math.random(), null, null, null] as const;
    const extra = { Vendor: randomUUID() + randomUUID() };
    return [1, 7, 1, 1, randomUUID(), time, time, 'Sample.Periodic', ...measured, extra, []];
  });
}

/** Appends until it is refused; the number of batches that were taken. */
async function fill(t: Test, spool: Spool): Promise<number> {
  for (let taken = 0; ; taken += 1) {
    const refusal = await spool.append(rows()).catch((error: unknown) => error);
    if (refusal === undefined) continue;
    t.type(refusal, SpoolFull);
    return taken;
  }
}

void t.test(
  'refuses readings before the disk is full and accepts them when there is room again',
  async (t) => {
    const disk = smallDisk(t, 16);
    if (disk === null) return;
    const floorBytes = 4 * mebibyte;
    const spool = new Spool(join(disk, 'spool'), 'test', floorBytes);
    t.teardown(() => spool.close());
    const ballast = join(disk, 'ballast');
    writeFileSync(ballast, Buffer.alloc(6 * mebibyte));
    const first = await fill(t, spool);
    t.ok(first > 10, `${first} batches were taken`);
    t.ok(freeBytes(disk) >= floorBytes / 2, `${freeBytes(disk)} bytes are left`);
    t.ok((await spool.room()) < 256 * 1024);
    t.equal(spool.size(), first);
    rmSync(ballast);
    t.ok((await fill(t, spool)) > 10, 'there is room again');
  },
);

void t.test('reuses the space of removed readings', async (t) => {
  const disk = smallDisk(t, 16);
  if (disk === null) return;
  const floorBytes = 4 * mebibyte;
  const spool = new Spool(join(disk, 'spool'), 'test', floorBytes);
  t.teardown(() => spool.close());
  const first = await fill(t, spool);
  for (const round of [1, 2, 3, 4]) {
    for (let batch = spool.first(10_000); batch !== null; batch = spool.first(10_000)) {
      await spool.remove(batch.keys);
    }
    t.equal(spool.size(), 0);
    const taken = await fill(t, spool);
    t.ok(taken > first / 3, `round ${round}: ${taken} batches after ${first}`);
    t.ok(freeBytes(disk) >= floorBytes / 2, `round ${round}: ${freeBytes(disk)} bytes are left`);
  }
});

void t.test('removes no reading while other files fill the disk', async (t) => {
  const disk = smallDisk(t, 16);
  if (disk === null) return;
  const spool = new Spool(join(disk, 'spool'), 'test', 4 * mebibyte);
  t.teardown(() => spool.close());
  await spool.append(rows());
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, Buffer.alloc(freeBytes(disk)));
  const keys = spool.first(1)?.keys ?? [];
  await t.rejects(spool.remove(keys), SpoolFull);
  t.throws(() => requireRoomToOpen(disk), { message: /the disk of .* is full/ });
  rmSync(ballast);
  await spool.remove(keys);
  t.equal(spool.size(), 0);
});
