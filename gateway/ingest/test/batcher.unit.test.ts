import t from 'tap';
import { type BatchWriter, Batcher } from '#gateway/ingest/batcher.ts';
import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

class StoreGone extends Error {}

/** No test waits that long (ms). */
const never = 3_600_000;

/** A batcher that keeps its batches; `fail` decides what becomes of a write. */
function recording(
  options: Partial<BatchWriter<number>> & { fail?: (items: number[]) => void; clock?: Clock } = {},
) {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  const writer: BatchWriter<number> = {
    senderOf: options.senderOf ?? ((item) => item),
    maxDelayMs: options.maxDelayMs ?? 5,
    deadlineMs: options.deadlineMs ?? 10_000,
    maxItems: options.maxItems ?? 100,
    concurrency: options.concurrency ?? 1,
    isStoreFailure: (error) => error instanceof StoreGone,
    async write(items) {
      batches.push(items);
      options.fail?.(items);
      if (options.fail === undefined) await new Promise<void>((resolve) => gates.push(resolve));
    },
  };
  const batcher = new Batcher(writer, options.clock);
  return { batcher, batches, finishOne: () => gates.shift()?.() };
}

void t.test('writes items that arrive together at once and acknowledges them afterwards', async (t) => {
  const { batcher, batches, finishOne } = recording({ maxItems: 3 });
  let acknowledged = 0;
  const adds = [1, 2, 3].map((item) => batcher.add(item).then(() => (acknowledged += 1)));
  t.same(batches, [[1, 2, 3]], 'a full batch does not wait');
  const later = [4, 5, 6, 7].map((item) => batcher.add(item));
  t.same(batches, [[1, 2, 3]], 'one write at a time');
  t.equal(acknowledged, 0);
  finishOne();
  await Promise.all(adds);
  t.equal(acknowledged, 3);
  const drained = batcher.drain();
  t.same(batches.slice(1), [[4, 5, 6]], 'never more than a full batch');
  finishOne();
  await Promise.all(later.slice(0, 3));
  await new Promise(setImmediate);
  t.same(batches.slice(2), [[7]], 'the rest right after it');
  finishOne();
  await Promise.all(later);
  await drained;
});

void t.test('writes a partial batch after its delay', async (t) => {
  const clock = new VirtualClock();
  const { batcher, batches } = recording({ fail: () => undefined, maxDelayMs: 500, clock });
  const first = batcher.add(1);
  clock.advance(1);
  await first;
  const second = batcher.add(2);
  const third = batcher.add(3);
  clock.advance(499);
  t.same(batches, [[1]], 'the first sender may come again meanwhile');
  clock.advance(1);
  await Promise.all([second, third]);
  t.same(batches, [[1], [2, 3]]);
});

void t.test('writes for a single sender without waiting for others, at most 40 times a second', async (t) => {
  const clock = new VirtualClock();
  const { batcher, batches } = recording({
    fail: () => undefined,
    maxDelayMs: never,
    senderOf: () => 7,
    clock,
  });
  const first = batcher.add(0);
  clock.advance(1);
  await first;
  await new Promise(setImmediate);
  for (let item = 1; item < 10; item += 1) {
    const added = batcher.add(item);
    clock.advance(24);
    t.equal(batches.length, item);
    clock.advance(1);
    t.equal(batches.length, item + 1);
    await added;
    await new Promise(setImmediate);
  }
});

void t.test('writes at once when every sender waits', async (t) => {
  const { batcher, batches } = recording({ fail: () => undefined, maxDelayMs: never });
  const all = [1, 2, 3, 4];
  await Promise.all([...all.map((sender) => batcher.add(sender)), batcher.drain()]);
  for (let round = 0; round < 3; round += 1) await Promise.all(all.map((sender) => batcher.add(sender)));
  t.same(batches, [all, all, all, all]);
});

void t.test('delays a fast sender among others for a moment only', async (t) => {
  const { batcher, batches } = recording({ fail: () => undefined, maxDelayMs: never });
  await Promise.all([batcher.add(1), batcher.add(2), batcher.drain()]);
  const slow = batcher.add(3);
  await batcher.add(1);
  await slow;
  t.same(batches, [
    [1, 2],
    [3, 1],
  ]);
});

void t.test('fails a write that exceeds its deadline and writes the batches behind it', async (t) => {
  const written: number[][] = [];
  const batcher = new Batcher<number>({
    senderOf: (item) => item,
    maxDelayMs: 1,
    maxItems: 2,
    concurrency: 1,
    deadlineMs: 20,
    isStoreFailure: () => false,
    write(items) {
      written.push(items);
      return items.includes(1) ? new Promise(() => undefined) : Promise.resolve();
    },
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
  t.same(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  );
  t.same(written, [[1, 2], [3]], 'and is not halved: the store did not say what it did not like');
  await batcher.drain();
});

void t.test('fails only the item that the store refuses, within few writes', async (t) => {
  const { batcher, batches } = recording({
    maxItems: 64,
    fail(items) {
      if (items.includes(42)) throw new Error('poison');
    },
  });
  const outcomes = await Promise.allSettled(Array.from({ length: 64 }, (_, item) => batcher.add(item)));
  t.same(
    outcomes.flatMap(({ status }, item) => (status === 'rejected' ? [item] : [])),
    [42],
  );
  t.ok(batches.length <= 13, `${batches.length} writes`);
  const stored = batches.filter((items) => !items.includes(42)).flat();
  t.equal(new Set(stored).size, stored.length, 'nothing is written twice');
});

void t.test('fails the whole batch without bisection when the store is unavailable', async (t) => {
  const { batcher, batches } = recording({
    maxItems: 8,
    fail() {
      throw new StoreGone();
    },
  });
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, item) => batcher.add(item)));
  t.ok(outcomes.every(({ status }) => status === 'rejected'));
  t.equal(batches.length, 1);
});

void t.test('drains waiting items and resolves when they are stored', async (t) => {
  const { batcher, finishOne, batches } = recording();
  const added = batcher.add(1);
  let drained = false;
  const drain = batcher.drain().then(() => (drained = true));
  t.same(batches, [[1]], 'without waiting for the linger');
  t.notOk(drained);
  finishOne();
  await added;
  await drain;
  await recording().batcher.drain();
});
