import { setImmediate as immediate } from 'node:timers/promises';
import t from 'tap';
import postgres from 'postgres';
import { testStores } from '#shared/testing/stores.ts';

/** Statements that the driver sends on a connection without waiting for an answer. */
const maxPipeline = 100;

void t.test('a transaction begins on a connection that has no room for further statements', async (t) => {
  const { databaseUrl } = await testStores(t, { fresh: true });
  const sql = postgres(databaseUrl, { max: 2 });
  t.teardown(() => sql.end({ timeout: 1 }));
  await Promise.all([sql`select pg_sleep(0.1)`, sql`select pg_sleep(0.1)`]);
  // The pool has one connection left for what follows.
  const held = await sql.reserve();
  const before = Promise.all([
    sql`select pg_sleep(0.2)`,
    ...Array.from({ length: maxPipeline - 1 }, (_, index) => sql.unsafe(`select ${index} as number`)),
  ]);
  await immediate();
  const transaction = sql.begin(async (inside) => {
    await inside`create table kept (id integer)`;
    return inside`select pg_current_xact_id_if_assigned() is not null as "isOpen"`;
  });
  const after = sql`select pg_current_xact_id_if_assigned() is null as "isOutside"`;
  t.same(await transaction, [{ isOpen: true }]);
  t.equal((await before).length, maxPipeline);
  t.same(await after, [{ isOutside: true }], 'a later statement is not part of it');
  held.release();
  t.same(await sql`select count(*)::integer as tables from pg_tables where tablename = 'kept'`, [
    { tables: 1 },
  ]);
});
