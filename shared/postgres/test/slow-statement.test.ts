import t from 'tap';
import { isPostgresDown, isTooSlow, openPostgres } from '#shared/postgres/kernel/client.ts';
import { testStores } from '#shared/testing/stores.ts';

void t.test('a server ends a slow statement and answers what was sent after it', async (t) => {
  const { databaseUrl } = await testStores(t);
  const sql = openPostgres(databaseUrl, {
    name: 'slow',
    connections: 1,
    timeoutMs: 1000,
    endsSlowStatements: true,
  });
  t.teardown(() => sql.end({ timeout: 1 }));
  await sql`select 1`;
  const [slow, healthy] = await Promise.allSettled([sql`select pg_sleep(5)`, sql`select 1 as one`]);
  t.match(slow, { status: 'rejected' });
  const { reason } = slow as PromiseRejectedResult;
  t.equal(isTooSlow(reason), true);
  t.equal(isPostgresDown(reason), false, 'a batch that holds it is divided');
  t.match(healthy, { status: 'fulfilled', value: [{ one: 1 }] });
});
