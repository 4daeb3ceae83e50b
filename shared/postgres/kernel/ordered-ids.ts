import type { Fragment, Queryable } from './client.ts';
import { lateJoinPage } from './late-join-page.ts';

interface OrderedList {
  /** Table of the rows, and its alias. */
  table: string;
  alias: string;
  /** Conditions of the rows. */
  where: Fragment;
  /** Condition of the rows that the caller may read, whether the list has them or not. */
  visible: Fragment;
  /** Text that the list is ordered by; null: the id. Rows of the same text are ordered by their id. */
  key: ((alias: string) => Fragment) | null;
  isAscending: boolean;
  /**
   * Id of the last row of the page before. The list continues at the text that this row has now, and is empty when the
   * caller may not read the row: its place would tell the text.
   */
  after: number | null;
  limit: number;
}

/** Returns the query of the ids of a page, in an order. An index of the text and the id has the rows in this order. */
export function orderedIds(sql: Queryable, list: OrderedList): Fragment {
  const { table, alias, where, visible, key, isAscending, after, limit } = list;
  const id = sql(`${alias}.id`);
  const direction = sql.unsafe(isAscending ? 'asc' : 'desc');
  const beyond = sql.unsafe(isAscending ? '>' : '<');
  const order =
    key === null
      ? sql`order by ${id} ${direction}`
      : sql`order by ${key(alias)} ${direction}, ${id} ${direction}`;
  const next =
    after === null
      ? sql``
      : key === null
        ? sql`and ${id} ${beyond} ${after}`
        : sql`and (${key(alias)}, ${id}) ${beyond} (
            select ${key(alias)}, ${id} from ${sql(table)} ${sql(alias)} where ${id} = ${after} and ${visible})`;
  const rows = sql`select ${sql(alias)}.* from ${sql(table)} ${sql(alias)} where ${where} ${next}`;
  return sql`select ${id} from ${lateJoinPage(sql, alias, rows, order, { limit })} ${sql(alias)} ${order}`;
}
