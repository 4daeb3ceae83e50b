import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openPostgres, type Queryable, type Sql } from '#shared/postgres/kernel/client.ts';
import { baselineFile, migratePostgres } from '#shared/postgres/kernel/migrate.statements.ts';
import { testStores } from '#shared/testing/stores.ts';
import { testServers, withDatabase } from '#shared/testing/test-servers.ts';
import { describeObjects, describeRows, type ObjectKind, objectKinds } from './support/catalogue.ts';
import { schemaText } from './support/schema-text.ts';

const directory = join(import.meta.dirname, '../migrations');
const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted();

/** Creates an empty database, which is dropped at the end of the test. Returns a function that connects a process to it. */
async function emptyDatabase(t: Test): Promise<() => Sql> {
  const { databaseUrl } = testServers();
  const name = `baseline_${randomBytes(6).toString('hex')}`;
  const admin = openPostgres(databaseUrl, { name: 'baseline-admin', connections: 1 });
  await admin`create database ${admin(name)}`;
  t.teardown(async () => {
    await admin`drop database ${admin(name)} with (force)`;
    await admin.end({ timeout: 5 });
  });
  return () => {
    const sql = openPostgres(withDatabase(databaseUrl, name), { name: 'baseline', connections: 2 });
    t.teardown(() => sql.end({ timeout: 5 }));
    return sql;
  };
}

/** Runs every migration: a database that has the first one, as an earlier version made it, does not begin with the baseline. */
async function migrateOneByOne(sql: Sql): Promise<void> {
  const [first = ''] = names;
  await sql`create table schema_migrations (name text primary key, applied_at timestamptz not null default now())`;
  await sql.unsafe(await readFile(join(directory, first), 'utf8'));
  await sql`insert into schema_migrations (name) values (${first})`;
  await migratePostgres(sql);
}

void t.test('makes the same database as the migrations one by one, also for concurrent starts', async (t) => {
  const migrated = (await emptyDatabase(t))();
  await migrateOneByOne(migrated);
  if (process.env['POSTGRES_BASELINE'] === 'write') await writeFile(baselineFile, await schemaText(migrated));
  const connect = await emptyDatabase(t);
  await Promise.all([1, 2, 3].map(() => migratePostgres(connect())));
  const made = connect();
  for (const kind of objectKinds) {
    t.same(await describeObjects(made, kind), await describeObjects(migrated, kind), kind);
  }
  t.same(await describeRows(made), await describeRows(migrated), 'rows');
});

void t.test('contains the first migrations without gaps', async (t) => {
  const contained = (await readFile(baselineFile, 'utf8')).match(/(?<=')\d{4}_\w+\.sql(?=')/g);
  t.ok(contained && contained.length > 100);
  t.same(contained, names.slice(0, contained?.length));
});

void t.test('leaves a database with other tables as it is, and names the table', async (t) => {
  const sql = (await emptyDatabase(t))();
  await sql`create table networks (n integer)`;
  await t.rejects(migratePostgres(sql), {
    message: 'Migration baseline.sql failed: relation "networks" already exists',
  });
  t.same(await sql`select name from schema_migrations`, []);
  t.same(await sql`select to_regclass('chargers') as chargers`, [{ chargers: null }]);
});

const changes: [kind: ObjectKind | 'rows', statement: string][] = [
  ['columns', 'alter table chargers alter column created_at drop default'],
  ['columns', 'alter table chargers add column extra text'],
  ['columns', 'alter table chargers alter column uid set storage external'],
  ['constraints', "alter table chargers add constraint extra check (uid <> '') not valid"],
  ['indexes', 'create index extra on chargers (uid) include (id)'],
  ['relations', 'alter table chargers set (fillfactor = 71)'],
  ['relations', 'grant select on chargers to public'],
  ['triggers', 'alter table sessions disable trigger session_updated'],
  ['functions', 'create function extra() returns integer language sql as $$ select 1 $$'],
  ['sequences', "select setval('outbox_position', 2)"],
  ['sequences', 'alter sequence outbox_position increment by 2'],
  ['comments', "comment on column chargers.uid is 'extra'"],
  ['types', "create type extra as enum ('one')"],
  ['extensions', 'create extension btree_gist'],
  ['schemas', 'create schema extra'],
  ['defaultPrivileges', 'alter default privileges grant select on tables to public'],
  ['others', 'create statistics extra on uid, id from chargers'],
  ['rows', 'update outbox_readers set position = 1'],
  ['rows', "insert into networks (slug, name) values ('extra', 'Extra')"],
];

function describe(sql: Queryable, kind: ObjectKind | 'rows'): Promise<unknown> {
  return kind === 'rows' ? describeRows(sql) : describeObjects(sql, kind);
}

void t.test('the comparison sees each kind of change', async (t) => {
  // The value of a sequence is not rolled back.
  const { sql } = await testStores(t, { fresh: true });
  const changed = Symbol('changed');
  for (const [kind, statement] of changes) {
    const before = await describe(sql, kind);
    await sql
      .begin(async (transaction) => {
        await transaction.unsafe(statement);
        t.strictNotSame(await describe(transaction, kind), before, statement);
        // Rolled back: each change is seen by itself.
        throw changed;
      })
      .catch((error: unknown) => {
        if (error !== changed) throw error;
      });
  }
});
