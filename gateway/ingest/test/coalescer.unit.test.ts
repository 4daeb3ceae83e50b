import t from 'tap';
import { Coalescer } from '#gateway/ingest/coalescer.ts';
import { createLogger } from '#shared/log/log.ts';

const log = createLogger('test', 'silent');
const never = 3_600_000;

void t.test('writes the newest value of each key once', async (t) => {
  const written: unknown[] = [];
  const values = new Coalescer<string, number>({
    name: 'values',
    everyMs: never,
    deadlineMs: 10_000,
    log,
    write: async (batch) => void written.push([...batch]),
  });
  values.set('a', 1);
  values.set('b', 2);
  values.set('a', 3);
  values.set('c', 4);
  values.delete('c');
  await values.flush();
  await values.flush();
  t.same(written, [
    [
      ['a', 3],
      ['b', 2],
    ],
  ]);
  t.equal(values.get('a'), undefined, 'what is stored is not held');
  await values.close();
});

void t.test('keeps values while the store fails, newer ones replacing older ones', async (t) => {
  const written: unknown[] = [];
  let isDown = true;
  const values = new Coalescer<string, number>({
    name: 'values',
    everyMs: never,
    deadlineMs: 10_000,
    log,
    async write(batch) {
      if (isDown) throw new Error('down');
      written.push([...batch]);
    },
  });
  values.set('a', 1);
  values.set('b', 2);
  const flushed = values.flush();
  values.set('a', 5);
  await flushed;
  t.equal(values.get('b'), 2);
  isDown = false;
  await values.close();
  t.same(written, [
    [
      ['a', 5],
      ['b', 2],
    ],
  ]);
});

void t.test('returns a value while it is being written', async (t) => {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const values = new Coalescer<string, number>({
    name: 'values',
    everyMs: never,
    deadlineMs: 10_000,
    log,
    write() {
      begun.resolve();
      return gate.promise;
    },
  });
  values.set('a', 1);
  const flushed = values.flush();
  await begun.promise;
  t.equal(values.get('a'), 1);
  gate.resolve();
  await flushed;
  t.equal(values.get('a'), undefined);
  await values.close();
});

void t.test('abandons a write that exceeds its deadline and writes its values again', async (t) => {
  const written: unknown[] = [];
  const values = new Coalescer<string, number>({
    name: 'values',
    everyMs: never,
    deadlineMs: 20,
    log,
    write(batch) {
      written.push([...batch]);
      return written.length === 1 ? new Promise(() => undefined) : Promise.resolve();
    },
  });
  values.set('a', 1);
  await values.flush();
  await values.flush();
  t.same(written, [[['a', 1]], [['a', 1]]]);
  await values.close();
});
