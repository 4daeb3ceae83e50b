import type { Fragment, Queryable } from './client.ts';

/**
 * Selects the rows of a page before joins, so that PostgreSQL plans the joins for few rows. PostgreSQL estimates a
 * limit passed as a parameter at a tenth of all rows. A literal limit therefore comes first: the next power of ten,
 * because a connection keeps the plan of each text.
 * @param rows a query whose table has the name `table`, by which `order` names its columns.
 */
export function lateJoinPage(
  sql: Queryable,
  table: string,
  rows: Fragment,
  order: Fragment,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Fragment {
  const bound = sql.unsafe(String(10 ** Math.ceil(Math.log10(limit))));
  // A parameter as the offset would have the same effect as one as the limit.
  const beyond = offset === 0 ? sql`` : sql`offset ${offset}`;
  return sql`(
    select * from (${rows} ${order} limit ${bound} ${beyond}) ${sql(table)} ${order} limit ${limit})`;
}
