import type { Fragment, Queryable } from './client.ts';

/**
 * The rows of a page, found before anything is joined to them, so that PostgreSQL does not prepare to join many. It takes a limit
 * that it does not know for a tenth of all rows: so a literal one comes first, the next power of ten, since a connection keeps the plan of
 * each text.
 * @param rows a query whose table has the name `table`, by which `order` names its columns.
 */
export function foundFirst(
  sql: Queryable,
  table: string,
  rows: Fragment,
  order: Fragment,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Fragment {
  const bound = sql.unsafe(String(10 ** Math.ceil(Math.log10(limit))));
  // One that is unknown counts as an unknown limit.
  const beyond = offset === 0 ? sql`` : sql`offset ${offset}`;
  return sql`(
    select * from (${rows} ${order} limit ${bound} ${beyond}) ${sql(table)} ${order} limit ${limit})`;
}
