import t from 'tap';
import { type BatchReader, Loader, batchLoader } from '#shared/domain/kernel/loader.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Reader of lengths that records the keys it was given; each read waits until it is released. */
function lengths(options: Partial<BatchReader<string, number>> = {}) {
  const reads: string[][] = [];
  const gates: (() => void)[] = [];
  const loader = new Loader<string, number>({
    async read(keys) {
      reads.push(keys);
      await new Promise<void>((resolve) => gates.push(resolve));
      if (keys.includes('bad')) throw new Error('bad');
      return new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, key.length]));
    },
    isStoreFailure: () => false,
    maxKeys: 3,
    deadlineMs: 10_000,
    ...options,
  });
  const letGo = async (): Promise<void> => {
    await turn();
    gates.shift()?.();
    await turn();
  };
  return { loader, reads, letGo };
}

void t.test('reads the keys of one turn together and later ones in the next read', async (t) => {
  const { loader, reads, letGo } = lengths();
  const first = Promise.all([loader.load('a'), loader.load('bb'), loader.load('a'), loader.load('unknown')]);
  await letGo();
  const later = ['ccc', 'dddd', 'eeeee'].map((key) => loader.load(key));
  t.same(reads, [['a', 'bb'], ['unknown']], 'no more than three at once, each key once');
  await letGo();
  t.same(await first, [1, 2, 1, undefined]);
  await letGo();
  t.same(await Promise.all(later), [3, 4, 5]);
  t.same(reads.slice(2), [['ccc', 'dddd', 'eeeee']]);
  const afterwards = loader.load('f');
  await letGo();
  t.equal(await afterwards, 1, 'an idle loader reads again');
});

void t.test('fails only the key that makes a read fail', async (t) => {
  const { loader, reads, letGo } = lengths();
  const asked = Promise.allSettled(['a', 'bad', 'ccc'].map((key) => loader.load(key)));
  for (let read = 0; read < 5; read += 1) await letGo();
  t.match(await asked, [
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: { message: 'bad' } },
    { status: 'fulfilled', value: 3 },
  ]);
  t.equal(reads.length, 5);
});

void t.test('rejects all callers of a batch at once when the store fails', async (t) => {
  const { loader, reads, letGo } = lengths({ isStoreFailure: () => true });
  const asked = Promise.allSettled(['a', 'bad'].map((key) => loader.load(key)));
  await letGo();
  t.match(await asked, [{ status: 'rejected' }, { status: 'rejected' }]);
  t.equal(reads.length, 1);
});

void t.test('fails a read that exceeds its deadline and starts the next', async (t) => {
  const answers = [new Promise<Map<string, number>>(() => undefined), Promise.resolve(new Map([['b', 2]]))];
  const loader = new Loader<string, number>({
    read: () => answers.shift() ?? Promise.resolve(new Map()),
    isStoreFailure: () => false,
    maxKeys: 3,
    deadlineMs: 20,
  });
  await t.rejects(loader.load('a'), { name: 'DeadlinePassed' });
  t.equal(await loader.load('b'), 2);
});

void t.test('runs up to the maximum of reads, each of one kind', async (t) => {
  const { loader, reads, letGo } = lengths({ maxReads: 2, kindOf: (key) => key.slice(0, 1) });
  const asked = Promise.all(['a1', 'b1', 'a22', 'c1', 'b22', 'a333', 'a4'].map((key) => loader.load(key)));
  await turn();
  t.same(reads, [
    ['a1', 'a22', 'a333'],
    ['b1', 'b22'],
  ]);
  await letGo();
  t.same(reads[2], ['c1'], 'who has waited longest comes next');
  for (let read = 0; read < 3; read += 1) await letGo();
  t.same(reads.slice(3), [['a4']]);
  t.same(await asked, [2, 2, 3, 2, 3, 4, 2]);
});

void t.test('lets other kinds run when one has reached its maximum', async (t) => {
  const { loader, reads, letGo } = lengths({ maxReads: 2, maxOfKind: 1, kindOf: (key) => key.slice(0, 1) });
  const asked = Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map((key) => loader.load(key)));
  await turn();
  t.same(reads, [['a1', 'a2', 'a3'], ['b1']]);
  await letGo();
  t.same(reads.slice(2), [['a4']], 'it is read when the first of it ended');
  for (let read = 0; read < 3; read += 1) await letGo();
  t.same(reads.slice(3), [['c1']]);
  t.same(await asked, [2, 2, 2, 2, 2, 2]);
});

void t.test('separates the reads of different stores', async (t) => {
  const reads: [string, string[]][] = [];
  const readName = batchLoader({
    async read(store: { name: string }, keys: string[]) {
      reads.push([store.name, keys]);
      return new Map(keys.map((key) => [key, `${key} of ${store.name}`]));
    },
    isStoreFailure: () => false,
    maxKeys: 3,
    deadlineMs: 10_000,
  });
  const [north, south] = [{ name: 'north' }, { name: 'south' }];
  t.same(await Promise.all([readName(north, 'a'), readName(south, 'a'), readName(north, 'b')]), [
    'a of north',
    'a of south',
    'b of north',
  ]);
  t.same(reads, [
    ['north', ['a', 'b']],
    ['south', ['a']],
  ]);
});
