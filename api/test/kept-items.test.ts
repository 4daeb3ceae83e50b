import t from 'tap';
import { Type } from 'typebox';
import { KeptItems } from '#api/routes/kept-items.ts';

interface Row {
  id: bigint;
  name: string;
  isFinal: boolean;
}

function kept() {
  const read: string[] = [];
  const items = new KeptItems({
    schema: Type.Object({ name: Type.String() }),
    idOf: ({ id }: Row) => id,
    view: ({ name }) => ({ name, secret: 'not in the schema' }),
    isFinal: ({ isFinal }) => isFinal,
  });
  return {
    read,
    at: async (versions: Record<string, string>, rows: Record<string, Partial<Row>> = {}) => {
      const places = Object.entries(versions).map(([id, version]) => ({ id: BigInt(id), version }));
      const written = await items.at(places, async (unknown) => {
        read.push(unknown.map(({ id }) => id).join());
        return unknown
          .flatMap(({ id }) => ({ id, name: `row ${id}`, isFinal: true, ...rows[String(id)] }))
          .filter(({ name }) => name !== 'gone')
          .toReversed();
      });
      return written.map((item) => Buffer.from(item).toString());
    },
  };
}

void t.test(
  'items are written once for each version of them, and given in the order of their places',
  async (t) => {
    const { at, read } = kept();
    t.strictSame(await at({ 1: 'a', 2: 'a' }), ['{"name":"row 1"}', '{"name":"row 2"}']);
    t.strictSame(await at({ 1: 'a', 2: 'a' }, { 1: { name: 'not read' } }), [
      '{"name":"row 1"}',
      '{"name":"row 2"}',
    ]);
    t.strictSame(await at({ 1: 'a', 2: 'b', 3: 'a' }, { 2: { name: 'new' } }), [
      '{"name":"row 1"}',
      '{"name":"new"}',
      '{"name":"row 3"}',
    ]);
    t.strictSame(await at({}), []);
    t.strictSame(read, ['1,2', '2,3'], 'nothing is read where all is known');
  },
);

void t.test('what time changes is written each time, and what is gone is left out', async (t) => {
  const { at, read } = kept();
  const rows = { 1: { isFinal: false }, 2: { name: 'gone' } };
  for (let time = 0; time < 2; time++) t.strictSame(await at({ 1: 'a', 2: 'a' }, rows), ['{"name":"row 1"}']);
  t.strictSame(read, ['1,2', '1,2']);
});

void t.test('a page is whole, however much of it is not kept any more', async (t) => {
  const { at, read } = kept();
  const versions = { 1: 'a', 2: 'a', 3: 'a' };
  const name = 'x'.repeat(7_000_000);
  const rows = { 1: { name }, 2: { name }, 3: { name } };
  t.equal((await at(versions, rows)).length, 3);
  t.equal((await at(versions, rows)).length, 3);
  t.equal(read[0], '1,2,3');
  t.not(read[1], undefined, 'all do not fit');
});
