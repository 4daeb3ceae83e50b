import t from 'tap';
import { objectLoader } from '#api/services/roaming/object-loader.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

interface Thing {
  networkId: number;
  id: string;
}

void t.test(
  'reads the objects of each network apart, and shares one object of concurrent reads',
  async (t) => {
    const reads: [networkId: number, ids: string[]][] = [];
    const load = objectLoader({
      async read(_sql, networkId, ids): Promise<Thing[]> {
        reads.push([networkId, ids]);
        return ids.filter((id) => id !== 'unknown').map((id) => ({ networkId, id: id.toUpperCase() }));
      },
      idOf: ({ id }) => id,
    });
    const sql = {} as Queryable;
    const wanted = [
      [1, 'a'],
      [2, 'A'],
      [1, 'A'],
      [1, 'b'],
      [2, 'unknown'],
    ] as const;
    const found = await Promise.all(wanted.map(([networkId, id]) => load(sql, networkId, id)));
    t.same(found, [
      { networkId: 1, id: 'A' },
      { networkId: 2, id: 'A' },
      { networkId: 1, id: 'A' },
      { networkId: 1, id: 'B' },
      undefined,
    ]);
    t.equal(found[0], found[2]);
    t.same(reads, [
      [1, ['a', 'b']],
      [2, ['a', 'unknown']],
    ]);
    t.not(await load(sql, 1, 'a'), found[0], 'a later read is a read of its own');
  },
);
