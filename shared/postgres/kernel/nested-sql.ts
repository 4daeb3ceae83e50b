import type { Sql, Transaction } from './client.ts';

/**
 * Returns a transaction in the form of a pool, so that work which begins transactions of its own becomes a part of this one: each of them
 * is a savepoint.
 */
export function nestedSql(transaction: Transaction): Sql {
  return new Proxy(transaction as unknown as Sql, {
    get(target, name): unknown {
      if (name === 'begin') return transaction.savepoint.bind(transaction);
      return Reflect.get(target, name) as unknown;
    },
  });
}
