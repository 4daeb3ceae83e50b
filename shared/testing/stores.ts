import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { type ClickHouse, openClickHouse } from '#shared/clickhouse/client.ts';
import { openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';

/** The stores of one test: databases, and keys and channels of Redis, of its own in the servers that the whole run shares. */
export interface TestStores {
  databaseUrl: string;
  clickhouseUrl: string;
  redisUrl: string;
  sql: Sql;
  clickhouse: ClickHouse;
}

/** The database, in both servers, that every test's own is cloned from; `run.ts` makes it. */
export const templateDatabase = 'chargeway_template';

/**
 * Returns a fresh, migrated database in PostgreSQL and in ClickHouse; dropped when the test ends. That in ClickHouse is
 * created when `clickhouse` is first used: most tests read and write PostgreSQL alone.
 */
export async function testStores(t: Pick<Test, 'teardown'>): Promise<TestStores> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const servers = testServers();
  const admin = openPostgres(servers.databaseUrl, { name: 'chargeway-test-admin', connections: 1 });
  // Files are copied as they are: the default writes each page to the write-ahead log, for twice the CPU time.
  await admin`create database ${admin(name)} template ${admin(templateDatabase)} strategy file_copy`;

  const databaseUrl = withDatabase(servers.databaseUrl, name);
  const clickhouseUrl = withDatabase(servers.clickhouseUrl, name);
  const sql = openPostgres(databaseUrl, { name: 'chargeway-test', connections: 4 });
  const client = openClickHouse(clickhouseUrl, { name: 'chargeway-test', connections: 4 });
  let cloned: Promise<void> | null = null;
  const clickhouse = afterFirst(client, () => (cloned ??= cloneClickHouse(servers.clickhouseUrl, name)));

  t.teardown(async () => {
    await sql.end({ timeout: 5 });
    if (cloned !== null) await client.command({ query: `drop database ${name}` });
    await client.close();
    await admin`drop database ${admin(name)} with (force)`;
    await admin.end({ timeout: 5 });
  });
  return { databaseUrl, clickhouseUrl, redisUrl: withPrefix(servers.redisUrl, name), sql, clickhouse };
}

/** Returns the client, whose requests wait for `prepare`. */
function afterFirst(client: ClickHouse, prepare: () => Promise<void>): ClickHouse {
  const requests = new Set<string | symbol>(['query', 'command', 'exec', 'insert', 'send', 'ping']);
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || !requests.has(name)) return value;
      const send = value.bind(target) as (...given: unknown[]) => Promise<unknown>;
      return async (...given: unknown[]) => {
        await prepare();
        return send(...given);
      };
    },
  });
}

/** Makes a database with the template's tables, which takes a third of the time that migrating does. */
async function cloneClickHouse(serverUrl: string, name: string): Promise<void> {
  const template = openClickHouse(withDatabase(serverUrl, templateDatabase), {
    name: 'clone',
    connections: 8,
  });
  await template.command({ query: `create database ${name}` });
  const result = await template.query({
    query: `
      select name, engine = 'MaterializedView' as isView, create_table_query as definition
      from system.tables where database = currentDatabase()`,
    format: 'JSONEachRow',
  });
  const tables = await result.json<{ name: string; isView: 0 | 1; definition: string }>();
  const create = (query: string) => template.command({ query });
  await Promise.all(
    tables
      .filter(({ isView }) => isView === 0)
      .map((table) => create(`create table ${name}.${table.name} as ${table.name}`)),
  );
  // A view names the database of its tables.
  for (const { isView, definition } of tables) {
    if (isView === 1) await create(definition.replaceAll(`${templateDatabase}.`, `${name}.`));
  }
  await template.command({ query: `insert into ${name}.schema_migrations select * from schema_migrations` });
  await template.close();
}

/** The servers of this run, as `run.ts` started them. */
export function testServers(): { databaseUrl: string; clickhouseUrl: string; redisUrl: string } {
  const { TEST_DATABASE_URL, TEST_CLICKHOUSE_URL, TEST_REDIS_URL } = process.env;
  if (TEST_DATABASE_URL === undefined || TEST_CLICKHOUSE_URL === undefined || TEST_REDIS_URL === undefined) {
    throw new Error(
      'the tests need their servers: run them with `npm test`, one file with `npm test -- FILE`',
    );
  }
  return { databaseUrl: TEST_DATABASE_URL, clickhouseUrl: TEST_CLICKHOUSE_URL, redisUrl: TEST_REDIS_URL };
}

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** The same Redis, for an installation of its own. */
function withPrefix(url: string, prefix: string): string {
  const changed = new URL(url);
  changed.searchParams.set('prefix', prefix);
  return changed.href;
}
