import type { Fragment, Queryable } from './client.ts';

/**
 * A limit of at least so many rows that PostgreSQL knows before it plans: one that it does not know it takes for a tenth of all
 * rows. The next power of ten: a connection keeps the plan of each text.
 */
export function literalBound(sql: Queryable, rows: number): Fragment {
  return sql.unsafe(String(10 ** Math.ceil(Math.log10(rows))));
}

/**
 * The rows of a page, found before anything is joined to them, so that PostgreSQL does not prepare to join many.
 * @param rows a query whose table has the name `table`, by which `order` names its columns.
 */
export function foundFirst(
  sql: Queryable,
  table: string,
  rows: Fragment,
  order: Fragment,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Fragment {
  return sql`(
    select * from (${rows} ${order} limit ${literalBound(sql, limit)} offset ${offset}) ${sql(table)}
    ${order} limit ${limit})`;
}
