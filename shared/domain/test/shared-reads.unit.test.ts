import t from 'tap';
import { SharedReads } from '#shared/domain/kernel/shared-reads.ts';

/** Reads that end when they are released. */
function reads() {
  const shared = new SharedReads<string>();
  const under: PromiseWithResolvers<string>[] = [];
  const started: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    shared,
    under,
    started,
    ask: (key: string) =>
      shared.read(key, () => {
        const one = Promise.withResolvers<string>();
        under.push(one);
        started.push(key);
        waiting.shift()?.();
        return one.promise;
      }),
    nextStart: () => new Promise<void>((resolve) => waiting.push(resolve)),
  };
}

void t.test('shares a read among callers who asked before it started', async (t) => {
  const { ask, under, started, nextStart } = reads();
  const begins = nextStart();
  const [first, second] = [ask('page 1'), ask('page 1')];
  await begins;
  const again = nextStart();
  const third = ask('page 1');
  t.strictSame(started, ['page 1'], 'who asks during a read waits for the next');
  under[0]?.resolve('before');
  t.strictSame(await Promise.all([first, second]), ['before', 'before']);
  await again;
  under[1]?.resolve('after');
  t.equal(await third, 'after');
  t.strictSame(started, ['page 1', 'page 1']);
});

void t.test('reads different keys at the same time', async (t) => {
  const { ask, under, started, nextStart } = reads();
  const begins = [nextStart(), nextStart()];
  const both = [ask('page 1'), ask('page 2')];
  await Promise.all(begins);
  t.strictSame(started, ['page 1', 'page 2']);
  under[1]?.resolve('two');
  t.equal(await both[1], 'two');
  under[0]?.resolve('one');
  t.equal(await both[0], 'one');
});

void t.test('rejects all callers of a read that fails, once', async (t) => {
  const { ask, under, started, nextStart } = reads();
  const begins = nextStart();
  const both = [ask('page 1'), ask('page 1')];
  await begins;
  under[0]?.reject(new Error('no such network'));
  const outcomes = await Promise.allSettled(both);
  t.strictSame(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  t.strictSame(started, ['page 1']);
});
