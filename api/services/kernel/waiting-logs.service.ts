import { type ClickHouse, isRowFault } from '#shared/clickhouse/client.ts';
import { insertLines, type LineTable } from '#shared/clickhouse/insert-lines.ts';
import { within } from '#shared/domain/kernel/deadline.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { keepLogRows } from '#shared/postgres/kernel/waiting-log-rows.ts';

/** Maximum bytes of rows that wait in PostgreSQL. Later rows wait in the memory of their process. */
const maxWaitingBytes = 256 * 1024 * 1024;

/** Time in ms for an insert: a process that stops has no more. */
const insertWithinMs = 5000;

/**
 * Stores rows of a log whose reads collapse repeats: in ClickHouse, or in PostgreSQL until ClickHouse accepts them, so that they
 * outlive the process.
 * @throws the error of ClickHouse when it refuses the rows, or when too many wait.
 */
export async function storeLogRows(
  { sql, clickhouse }: { sql: Sql; clickhouse: ClickHouse },
  { name: table, columns }: LineTable,
  chunks: readonly Uint8Array[],
): Promise<void> {
  try {
    await within(
      insertLines(clickhouse, { name: table, columns }, chunks),
      insertWithinMs,
      `rows of ${table}`,
    );
  } catch (error) {
    if (isRowFault(error)) throw error;
    const lines = Buffer.concat(chunks).toString();
    if (!(await keepLogRows(sql, { table, columns, lines }, maxWaitingBytes))) throw error;
  }
}
