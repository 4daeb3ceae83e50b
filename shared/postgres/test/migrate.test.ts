import t from 'tap';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { withLock } from '#shared/postgres/kernel/lock.ts';
import { migratePostgres } from '#shared/postgres/kernel/migrate.statements.ts';
import type { BlockedMigration } from '#shared/postgres/kernel/migration-attempts.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';

void t.test('applies migrations once for concurrent starts', async (t) => {
  const { sql } = await testStores(t, { fresh: true });
  const before = await sql<{ name: string }[]>`select name from schema_migrations order by name`;
  await Promise.all([migratePostgres(sql), migratePostgres(sql), migratePostgres(sql)]);
  const after = await sql<{ name: string }[]>`select name from schema_migrations order by name`;
  t.ok(before.length >= 3);
  t.same([...after], [...before]);
});

void t.test(
  'gives a lock up that it does not get, so that others go on, and repeats the migration',
  async (t) => {
    const { sql } = await testStores(t, { fresh: true });
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

void t.test('does not wait for a process that migrates when nothing is to be done', async (t) => {
  const { sql } = await testStores(t, { fresh: true });
  await withLock(sql, 'postgres-migrations', () =>
    migratePostgres(sql, { onWait: () => t.fail('it waits') }),
  );
});

void t.test('waits for a process that migrates when there is something to be done', async (t) => {
  const { sql } = await testStores(t, { fresh: true });
  await sql`delete from schema_migrations where name like '0671%'`;
  const waiting = Promise.withResolvers<void>();
  let migrating = Promise.resolve();
  await withLock(sql, 'postgres-migrations', async (held) => {
    migrating = migratePostgres(sql, { onWait: waiting.resolve });
    await waiting.promise;
    await held`insert into schema_migrations (name) values ('0671_former_hubs.sql')`;
  });
  await migrating;
});

void t.test('names the sessions that hold the locks of a migration', async (t) => {
  const { sql, databaseUrl } = await testStores(t, { fresh: true });
  await sql`alter table users drop is_blocked`;
  await sql`alter table id_tokens drop is_driver_blocked`;
  await sql`delete from schema_migrations where name like '0673%'`;
  const reporting = openPostgres(databaseUrl, { name: 'monthly-report', connections: 1 });
  t.teardown(() => reporting.end({ timeout: 5 }));
  const began = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = reporting.begin(async (transaction) => {
    await transaction`select from users`;
    began.resolve();
    await release.promise;
  });
  await began.promise;
  const blocked: BlockedMigration[] = [];
  await t.rejects(
    migratePostgres(sql, {
      onBlocked: (one) => blocked.push(one),
      timing: { lockTimeoutMs: 3000, pausesMs: [10, 20], lookMs: 50, reportMs: 0 },
    }),
    {
      message:
        /The migration 0673_blocked_drivers\.sql did not get its locks in 3 attempts\. They were held by monthly-report \(process \d+, user \w+, idle in transaction, in a transaction for \d+ s\)\./,
    },
  );
  const [first, second] = blocked;
  t.match(blocked, [
    { migration: '0673_blocked_drivers.sql', attempt: 1, retryInMs: 10 },
    { attempt: 2, retryInMs: 20 },
  ]);
  for (const attempt of [first, second]) t.match(attempt?.blockers, [{ application: 'monthly-report' }]);
  release.resolve();
  await holding;
});
