import { getHeapStatistics } from 'node:v8';
import t from 'tap';
import { collectGarbage, loopUtilization, MemoryRelease } from '#gateway/shard/memory-release.ts';
import { createLogger } from '#shared/log/log.ts';

const log = createLogger('test', 'silent');

/** A shard's numbers, which a test changes, and the connections at each collection. */
function createShard() {
  const shard = { connections: 0, utilization: 0, collections: new Array<number>(), fails: false };
  const release = new MemoryRelease({
    connections: () => shard.connections,
    utilization: () => shard.utilization,
    collect: () => {
      if (shard.fails) return Promise.reject(new Error('no inspector'));
      shard.collections.push(shard.connections);
      return Promise.resolve();
    },
    log,
  });
  return { shard, release };
}

void t.test('releases memory once after chargers connected and the shard became quiet', async (t) => {
  const { shard, release } = createShard();
  shard.connections = 5000;
  shard.utilization = 0.6;
  await release.check();
  t.strictSame(shard.collections, [], 'not while it works');
  shard.utilization = 0.02;
  await release.check();
  await release.check();
  t.strictSame(shard.collections, [5000]);
});

void t.test('leaves memory alone in a period with a command', async (t) => {
  const { shard, release } = createShard();
  shard.connections = 5000;
  release.commandArrived();
  await release.check();
  t.strictSame(shard.collections, []);
  await release.check();
  t.strictSame(shard.collections, [5000], 'the next period had none');
});

void t.test('releases memory after chargers disconnected', async (t) => {
  const { shard, release } = createShard();
  shard.connections = 5000;
  await release.check();
  shard.connections = 100;
  await release.check();
  t.strictSame(shard.collections, [5000, 100]);
});

void t.test('leaves memory alone when few chargers came or went', async (t) => {
  const { shard, release } = createShard();
  shard.connections = 499;
  await release.check();
  t.strictSame(shard.collections, []);
  shard.connections = 10_000;
  await release.check();
  shard.connections = 10_900;
  await release.check();
  t.strictSame(shard.collections, [10_000]);
});

void t.test('tries again after a failure', async (t) => {
  const { shard, release } = createShard();
  shard.connections = 1000;
  shard.fails = true;
  await release.check();
  shard.fails = false;
  await release.check();
  t.strictSame(shard.collections, [1000]);
});

void t.test('collects garbage through the inspector', async (t) => {
  let garbage: object[] | null = Array.from({ length: 500_000 }, (_, index) => ({ index }));
  const before = getHeapStatistics().used_heap_size;
  t.equal(garbage.length, 500_000);
  garbage = null;
  await collectGarbage();
  t.ok(getHeapStatistics().used_heap_size < before - 8_000_000);
});

void t.test('measures the share of time that the loop works', (t) => {
  const utilization = loopUtilization();
  t.ok(utilization() >= 0);
  t.ok(utilization() <= 1);
  t.end();
});
