import t from 'tap';
import { Type } from 'typebox';
import { ItemCache } from '#api/routes/item-cache.ts';

interface Row {
  name: string;
  rowVersion: string;
  isFinal: boolean;
}

function cached() {
  const items = new ItemCache({
    schema: Type.Object({ name: Type.String() }),
    view: ({ name }: Row) => ({ name, secret: 'not in the schema' }),
    validForMs: ({ isFinal }) => (isFinal ? Number.POSITIVE_INFINITY : 0),
    tagOf: ({ rowVersion }) => Number(rowVersion),
  });
  /** Reads an item, and names the reads of the store that it took. */
  return async (row: Row, isVisible = true) => {
    const reads: string[] = [];
    const item = await items.read('A1', {
      version: async () => {
        reads.push('version');
        return isVisible ? row.rowVersion : null;
      },
      row: async () => {
        reads.push('row');
        if (!isVisible) throw new Error('not found');
        return row;
      },
    });
    return [item.json, item.tag, ...reads];
  };
}

void t.test('reads only the version of a cached item', async (t) => {
  const read = cached();
  const row = { name: 'a', rowVersion: '1', isFinal: true };
  t.strictSame(await read(row), ['{"name":"a"}', 1, 'row']);
  t.strictSame(await read(row), ['{"name":"a"}', 1, 'version']);
  const changed = { ...row, name: 'b', rowVersion: '2' };
  t.strictSame(await read(changed), ['{"name":"b"}', 2, 'version', 'row']);
  t.strictSame(await read(changed), ['{"name":"b"}', 2, 'version']);
});

void t.test('rejects for a caller who does not see a cached item', async (t) => {
  const read = cached();
  const row = { name: 'a', rowVersion: '1', isFinal: true };
  await read(row);
  await t.rejects(read(row, false), { message: 'not found' });
});

void t.test('reads an item that changes with time each time', async (t) => {
  const read = cached();
  const row = { name: 'a', rowVersion: '1', isFinal: false };
  await read(row);
  t.strictSame(await read({ ...row, name: 'b' }), ['{"name":"b"}', 1, 'row']);
});
