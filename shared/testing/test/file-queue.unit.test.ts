import t from 'tap';
import { FileQueue } from '#shared/testing/run/file-queue.ts';

const files = [
  'api/test/a.test.ts',
  'api/test/b.test.ts',
  'gateway/test/c.test.ts',
  'shared/test/d.unit.test.ts',
  'deploy/test/console/e.test.ts',
];

/** Takes all files for one worker. */
function drain(queue: FileQueue): string[] {
  const taken: string[] = [];
  for (let file = queue.take(null); file !== null; file = queue.take(null)) taken.push(file);
  return taken;
}

void t.test('gives each file out once, in an order that the seed determines', async (t) => {
  const order = drain(new FileQueue(files, {}, 7));
  t.same(order.toSorted(), files.toSorted());
  t.same(drain(new FileQueue(files, {}, 7)), order);
  const orders = new Set([1, 2, 3, 4, 5, 6].map((seed) => drain(new FileQueue(files, {}, seed)).join()));
  t.ok(orders.size > 1, 'other seeds give other orders');
});

void t.test('leaves a worker with the kind of files that it runs', async (t) => {
  const queue = new FileQueue(files, { 'gateway/test/c.test.ts': 100 }, 1);
  t.equal(queue.take(null), 'gateway/test/c.test.ts', 'the kind with the most work comes first');
  const next = queue.take('api');
  t.match(next, /^api\//);
  t.match(queue.take('api'), /^api\//);
  t.notMatch(queue.take('api'), /^api\//, 'then another kind');
});

void t.test('gives out the slowest files of a kind first', async (t) => {
  const queue = new FileQueue(files, { 'api/test/b.test.ts': 60 }, 1);
  t.equal(queue.take('api'), 'api/test/b.test.ts');
});

void t.test('gives the files of the console to one worker while there are others', async (t) => {
  const console = ['a', 'b', 'c'].map((name) => `deploy/test/console/${name}.test.ts`);
  const queue = new FileQueue([...console, 'api/test/a.test.ts'], {}, 1);
  t.match(queue.take(null), /console/);
  t.equal(queue.take(null), 'api/test/a.test.ts');
  t.match(queue.take('api'), /console/);
  t.match(queue.take('console'), /console/);
  t.equal(queue.take('console'), null);
});

void t.test('gives out files whose last run took no measurable time', async (t) => {
  const durations = Object.fromEntries(files.map((file) => [file, 0]));
  t.same(drain(new FileQueue(files, durations, 1)).toSorted(), files.toSorted());
});
