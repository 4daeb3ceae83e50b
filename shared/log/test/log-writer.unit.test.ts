import t from 'tap';
import { BlockWriter, type LogWriterOptions } from '#shared/log/block-writer.ts';
import { BinaryRows } from '#shared/clickhouse/row-binary.ts';
import { LogWriter } from '#shared/log/log-writer.ts';
import { createLogger } from '#shared/log/log.ts';
import { until } from '#shared/testing/until.ts';

const silent = createLogger('test', 'silent');

interface Store {
  written: unknown[][];
  state: 'up' | 'down' | 'refuses';
  stored: number;
  dropped: number;
}

interface Changed {
  everyMs?: number;
  rowsPerInsert?: number;
  maxBytes?: number;
}

function writerOn(store: Store, changed: Changed) {
  return new LogWriter<[number]>(optionsOn(store, changed));
}

function optionsOn(store: Store, changed: Changed): LogWriterOptions {
  return {
    name: 'test',
    everyMs: 3_600_000,
    rowsPerInsert: 1000,
    maxBytes: 10_000,
    async write(chunks) {
      if (store.state !== 'up') throw new Error(store.state);
      const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
      store.written.push(lines.map((line) => (JSON.parse(line) as [unknown])[0]));
    },
    isRowFault: () => store.state === 'refuses',
    stored: (rows) => (store.stored += rows),
    dropped: (rows) => (store.dropped += rows),
    log: silent,
    ...changed,
  };
}

const newStore = (state: Store['state'] = 'up'): Store => ({ written: [], state, stored: 0, dropped: 0 });

void t.test('writes rows in order when the batch is full or its delay is over', async (t) => {
  const store = newStore();
  const full = writerOn(store, { rowsPerInsert: 3 });
  for (const row of [1, 2, 3]) full.add([row]);
  await until('a full batch', async () => store.written.length === 1);
  const late = writerOn(store, { everyMs: 5 });
  late.add([4]);
  late.add([5]);
  await until('a late batch', async () => store.written.length === 2);
  t.same(store.written, [
    [1, 2, 3],
    [4, 5],
  ]);
  t.match(store, { stored: 5, dropped: 0 });
});

void t.test('drops and counts rows beyond its capacity while the store is unavailable', async (t) => {
  const store = newStore('down');
  const writer = writerOn(store, { maxBytes: 10 * '[n]\n'.length, rowsPerInsert: 4 });
  for (let row = 0; row < 25; row += 1) writer.add([row]);
  t.equal(store.dropped, 15, 'at once: no caller waits');
  store.state = 'up';
  await writer.close();
  t.same(store.written.flat(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  t.match(store, { stored: 10, dropped: 15 });
  writer.add([26]);
  t.equal(store.dropped, 16, 'a closed one takes nothing');
});

void t.test('writes later rows after rows that the store refuses', async (t) => {
  const store = newStore('refuses');
  const writer = writerOn(store, { maxBytes: 2 * '[n]\n'.length, everyMs: 1 });
  writer.add([1]);
  writer.add([2]);
  await until('the refusal', async () => store.dropped === 2);
  store.state = 'up';
  writer.add([3]);
  await writer.close();
  t.same(store.written, [[3]]);
});

void t.test('writes failed rows once and in order when the store is back', async (t) => {
  const store = newStore('down');
  let tries = 0;
  const writer = new LogWriter<[number]>({
    ...optionsOn(store, { rowsPerInsert: 2, everyMs: 1 }),
    async write(chunks) {
      tries += 1;
      await optionsOn(store, {}).write(chunks);
    },
  });
  for (const row of [1, 2, 3]) writer.add([row]);
  await until('a try that fails', async () => tries >= 1);
  t.match(store, { stored: 0, dropped: 0 });
  store.state = 'up';
  // A shard that stops may fail on the way, and closes it again.
  await Promise.all([writer.close(), writer.close()]);
  t.same(store.written, [[1, 2], [3]]);
  t.match(store, { stored: 3, dropped: 0 });
});

void t.test('counts unwritten rows as dropped at close', async (t) => {
  const store = newStore('down');
  const writer = writerOn(store, {});
  writer.add([1]);
  writer.add([2]);
  await writer.close();
  t.match(store, { stored: 0, dropped: 2 });
});

void t.test('uses the memory of stored rows again', async (t) => {
  const memory: unknown[] = [];
  const written: string[] = [];
  const writer = new BlockWriter(
    {
      ...optionsOn(newStore(), { everyMs: 1 }),
      async write(chunks) {
        memory.push(chunks[0]?.buffer);
        written.push(Buffer.concat(chunks).toString('latin1').slice(1));
      },
    },
    () => new BinaryRows(),
  );
  for (const text of ['first', 'second', 'third']) {
    const rows = writer.begin();
    rows?.string(text);
    rows?.endRow();
    writer.added();
    await until(`the write of ${text}`, async () => written.includes(text));
  }
  await writer.close();
  t.same(written, ['first', 'second', 'third']);
  t.equal(new Set(memory).size, 2, 'one block is filled while the other is written');
});
