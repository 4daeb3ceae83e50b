import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';

/**
 * The common table expression `locked`: these chargers, locked in the order of their ids. Boots, states, sockets and
 * heartbeats are written side by side over the same rows, and triggers lock what belongs to a charger after it: without
 * an order they would deadlock.
 */
export function lockedInOrder(
  sql: Queryable,
  chargerIds: readonly number[],
  columns: Fragment = sql`id`,
): Fragment {
  return sql`
    locked as materialized (
      select ${columns} from chargers where id = any(${[...chargerIds]}::integer[]) order by id for no key update
    )`;
}
