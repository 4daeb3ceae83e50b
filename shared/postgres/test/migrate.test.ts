import t from 'tap';
import { migratePostgres } from '#shared/postgres/kernel/migrate.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';

void t.test('applies migrations once for concurrent starts', async (t) => {
  const { sql } = await testStores(t);
  const before = await sql<{ name: string }[]>`select name from schema_migrations order by name`;
  await Promise.all([migratePostgres(sql), migratePostgres(sql), migratePostgres(sql)]);
  const after = await sql<{ name: string }[]>`select name from schema_migrations order by name`;
  t.ok(before.length >= 3);
  t.same([...after], [...before]);
});

void t.test(
  'gives a lock up that it does not get, so that others go on, and repeats the migration',
  async (t) => {
    const { sql } = await testStores(t);
    await sql`alter table users drop is_blocked`;
    await sql`alter table id_tokens drop is_driver_blocked`;
    await sql`delete from schema_migrations where name like '0673%'`;
    const release = Promise.withResolvers<void>();
    const holding = sql.begin(async (transaction) => {
      await transaction`select from users`;
      await release.promise;
    });
    const migrating = migratePostgres(sql);
    await until('the migration to wait for the lock', async () => {
      const [lock] = await sql`select from pg_locks where relation = 'users'::regclass and not granted`;
      return lock !== undefined;
    });
    t.same(await sql`select from users`, [], 'a read that waits behind it gets its turn');
    release.resolve();
    await Promise.all([holding, migrating]);
    t.same(await sql`select is_blocked from users`, []);
    t.same(await sql`select name from schema_migrations where name like '0673%'`, [
      { name: '0673_blocked_drivers.sql' },
    ]);
  },
);
