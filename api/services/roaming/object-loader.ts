import { batchLoader } from '#shared/domain/kernel/loader.ts';
import { batchOptions } from '#shared/postgres/kernel/batch-options.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Reads of objects of a network by their OCPI identifiers. */
interface ObjectReader<Value> {
  read: (sql: Queryable, networkId: number, ids: string[]) => Promise<Value[]>;
  idOf: (value: Value) => string;
}

/**
 * Returns a read of one object of a network by its identifier in any case (CiString). Concurrent reads share a statement
 * and, of one object, the object. Nothing is cached: the tariffs of a connector depend on the time, so that no version of
 * rows covers them.
 */
export function objectLoader<Value>({ read, idOf }: ObjectReader<Value>) {
  const load = batchLoader({
    ...batchOptions,
    kindOf: networkOf,
    async read(sql: Queryable, keys: string[]) {
      const networkId = Number(networkOf(keys[0] ?? ''));
      const values = await read(
        sql,
        networkId,
        keys.map((key) => key.slice(key.indexOf(' ') + 1)),
      );
      return new Map(values.map((value) => [keyOf(networkId, idOf(value)), value]));
    },
  });
  return (sql: Queryable, networkId: number, id: string): Promise<Value | undefined> =>
    load(sql, keyOf(networkId, id));
}

function keyOf(networkId: number, id: string): string {
  return `${networkId} ${id.toLowerCase()}`;
}

function networkOf(key: string): string {
  return key.slice(0, key.indexOf(' '));
}
