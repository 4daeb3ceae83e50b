import t from 'tap';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { isClickHouseMigrated, migrateClickHouse } from '#shared/clickhouse/migrate.queries.ts';
import { testStores } from '#shared/testing/stores.ts';

/** Returns the tables of the database as ClickHouse defines them. */
async function definitions(clickhouse: ClickHouse): Promise<unknown[]> {
  const result = await clickhouse.query({
    query:
      'select name, create_table_query from system.tables where database = currentDatabase() order by name',
    format: 'JSONEachRow',
  });
  return result.json();
}

void t.test('applies migrations again that ClickHouse did not record before it failed', async (t) => {
  const { clickhouse } = await testStores(t);
  const before = await definitions(clickhouse);
  t.ok(before.length > 10);
  await clickhouse.command({ query: 'truncate table schema_migrations' });
  t.equal(await isClickHouseMigrated(clickhouse), false);

  await migrateClickHouse(clickhouse);
  t.equal(await isClickHouseMigrated(clickhouse), true);
  t.same(await definitions(clickhouse), before);
});
