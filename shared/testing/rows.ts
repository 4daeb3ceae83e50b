import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { insertLines, type LineTable } from '#shared/clickhouse/insert-lines.ts';
import { RowLines } from '#shared/log/row-lines.ts';

/** Writes rows of a log as its writer does. */
export async function insertRows(
  client: ClickHouse,
  table: LineTable,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const lines = new RowLines();
  for (const row of rows) lines.add(row);
  await insertLines(client, table, lines.chunks());
}
