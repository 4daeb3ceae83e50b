import t from 'tap';
import { migratePostgres } from '#shared/postgres/kernel/migrate.ts';
import { testStores } from '#shared/testing/stores.ts';

void t.test('applies migrations once for concurrent starts', async (t) => {
  const { sql } = await testStores(t);
  const before = await sql<{ name: string }[]>`select name from schema_migrations order by name`;
  await Promise.all([migratePostgres(sql), migratePostgres(sql), migratePostgres(sql)]);
  const after = await sql<{ name: string }[]>`select name from schema_migrations order by name`;
  t.ok(before.length >= 3);
  t.same([...after], [...before]);
});
