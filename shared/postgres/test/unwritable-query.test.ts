import t, { type Test } from 'tap';
import { openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';
import { testStores } from '#shared/testing/stores.ts';
import { untilSettled } from '#shared/testing/until.ts';

async function oneConnection(t: Test): Promise<Sql> {
  const { databaseUrl } = await testStores(t);
  const sql = openPostgres(databaseUrl, { name: 'unwritable', connections: 1 });
  t.teardown(() => sql.end({ timeout: 1 }));
  return sql;
}

/** Checks that a query fails, by itself and between two others, and that the others get their answers. */
async function failsAlone(
  t: Test,
  sql: Sql,
  query: () => Promise<unknown>,
  error: Record<string, string>,
): Promise<void> {
  const outcomes = Promise.allSettled([sql`select 1 as n`, query(), sql`select 3 as n`]);
  t.match(await untilSettled('three outcomes', outcomes), [
    { status: 'fulfilled', value: [{ n: 1 }] },
    { status: 'rejected', reason: error },
    { status: 'fulfilled', value: [{ n: 3 }] },
  ]);
  t.match(await query().catch((reason: unknown) => reason), error, 'by itself');
  t.same(await sql`select 4 as n`, [{ n: 4 }]);
}

void t.test('rejects a query with an undefined parameter and answers those around it', async (t) => {
  const sql = await oneConnection(t);
  await sql`select 1`;
  await failsAlone(t, sql, () => sql`select ${undefined as never}`, { code: 'UNDEFINED_VALUE' });
});

void t.test(
  'rejects a prepared query whose JSON cannot be written and answers those around it',
  async (t) => {
    const sql = await oneConnection(t);
    const query = (value: unknown) => sql`select ${sql.json(value as never)} as value`;
    t.same(await query({ a: 1 }), [{ value: { a: 1 } }]);
    await failsAlone(t, sql, () => query({ a: 1n }), { name: 'TypeError' });
  },
);
