import type { Fragment, Queryable, Sql, Transaction } from './client.ts';

/** Rows of a log that wait for ClickHouse, as lines of JSON. */
interface WaitingLogRows {
  table: string;
  columns: readonly string[];
  lines: string;
}

/** The condition that rows wait. */
export const areLogRowsWaiting = (sql: Queryable): Fragment => sql`exists (select from waiting_log_rows)`;

/** Stores rows that wait. Returns false when `maxBytes` of them wait already. */
export async function keepLogRows(
  sql: Sql,
  { table, columns, lines }: WaitingLogRows,
  maxBytes: number,
): Promise<boolean> {
  const kept = await sql`
    insert into waiting_log_rows (table_name, columns, lines)
    select ${table}, ${[...columns]}::text[], ${lines}
    where (select coalesce(sum(octet_length(lines)), 0) from waiting_log_rows) < ${maxBytes}
    returning id`;
  return kept.length > 0;
}

/** Removes the oldest rows that no other process takes, and returns them; null: none wait. */
export async function takeLogRows(transaction: Transaction): Promise<WaitingLogRows | null> {
  const [taken] = await transaction<WaitingLogRows[]>`
    delete from waiting_log_rows
    where id = (select id from waiting_log_rows order by id limit 1 for update skip locked)
    returning table_name as "table", columns, lines`;
  return taken ?? null;
}
