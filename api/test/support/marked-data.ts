import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import type { TestStores } from '#shared/testing/stores.ts';

/** Texts to search for, by their names. */
export type Marks = Readonly<Record<string, string>>;

/** Returns the locations of marks in both databases and in directories of files, as `location: mark`, sorted. */
export async function findMarks(
  { sql, clickhouse }: Pick<TestStores, 'sql' | 'clickhouse'>,
  directories: readonly string[],
  marks: Marks,
): Promise<string[]> {
  const found = await Promise.all([
    inPostgres(sql, marks),
    inClickHouse(clickhouse, marks),
    ...directories.map((directory) => inFiles(directory, marks)),
  ]);
  return [...new Set(found.flat())].toSorted();
}

/** Returns the columns of all tables that contain a mark, as text or as bytes. */
async function inPostgres(sql: Sql, marks: Marks): Promise<string[]> {
  const tables = await sql<{ schema: string; name: string }[]>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`;
  const searched = Object.entries(marks).map(([mark, text]) => {
    const hex = Buffer.from(text).toString('hex');
    return { mark, text: `%${text}%`, hex: `%${hex}%` };
  });
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const rows = await sql<{ column: string; mark: string }[]>`
      select distinct f.key as column, m.mark
      from ${sql(schema)}.${sql(name)} r, jsonb_each_text(to_jsonb(r)) f,
        jsonb_to_recordset(${sql.json(searched)}) as m (mark text, text text, hex text)
      where f.value ilike m.text or f.value ilike m.hex`;
    found.push(...rows.map(({ column, mark }) => `${name}.${column}: ${mark}`));
  }
  return found;
}

/** Returns the tables of ClickHouse with a row that contains a mark. */
async function inClickHouse(clickhouse: ClickHouse, marks: Marks): Promise<string[]> {
  const read = async <Row>(query: string, query_params = {}) =>
    (await clickhouse.query({ query, query_params, format: 'JSONEachRow' })).json<Row>();
  const tables = await read<{ name: string }>(
    `select name from system.tables where database = currentDatabase() and engine like '%MergeTree'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    for (const [mark, text] of Object.entries(marks)) {
      const rows = await read(
        `select 1 from {table:Identifier}
        where positionCaseInsensitiveUTF8(formatRow('JSONEachRow', *), {text:String}) > 0 limit 1`,
        { table: name, text },
      );
      if (rows.length > 0) found.push(`${name}: ${mark}`);
    }
  }
  return found;
}

/** Returns the last part of a directory's path for files in it that contain a mark. */
async function inFiles(directory: string, marks: Marks): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const text = (await readFile(join(entry.parentPath, entry.name))).toString('latin1').toLowerCase();
    for (const [mark, searched] of Object.entries(marks)) {
      if (text.includes(searched.toLowerCase())) found.push(`${directory.split('/').at(-1)}: ${mark}`);
    }
  }
  return found;
}
