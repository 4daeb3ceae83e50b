import t from 'tap';
import { withoutSocket } from '#shared/embedded/postgres/unix-socket.ts';
import { isPostgresDown, isTooSlow, openPostgres } from '#shared/postgres/kernel/client.ts';
import { testStores } from '#shared/testing/stores.ts';

void t.test('a server ends a slow statement and answers what was sent after it', async (t) => {
  const { databaseUrl } = await testStores(t);
  const sql = openPostgres(databaseUrl, {
    name: 'slow',
    connections: 1,
    timeoutMs: 8000,
    endsSlowStatements: true,
  });
  t.teardown(() => sql.end({ timeout: 1 }));
  await sql`select 1`;
  const [slow, healthy] = await Promise.allSettled([sql`select pg_sleep(60)`, sql`select 1 as one`]);
  t.match(slow, { status: 'rejected' });
  const { reason } = slow as PromiseRejectedResult;
  t.equal(isTooSlow(reason), true);
  t.equal(isPostgresDown(reason), false, 'a batch that holds it is divided');
  t.match(healthy, { status: 'fulfilled', value: [{ one: 1 }] });
});

void t.test(
  'a server ends a transaction that is idle, and looks for clients whose machine is gone',
  async (t) => {
    const { databaseUrl } = await testStores(t);
    const sql = openPostgres(withoutSocket(databaseUrl), {
      name: 'idle',
      connections: 1,
      timeoutMs: 3000,
      endsSlowStatements: true,
    });
    t.teardown(() => sql.end({ timeout: 1 }));
    const forgotten = sql.begin(async (transaction) => {
      await transaction`create table kept ()`;
      await Promise.withResolvers<void>().promise;
    });
    const error = await forgotten.catch((reason: unknown) => reason);
    t.ok(isPostgresDown(error), String(error));
    t.same(await sql`select to_regclass('kept') as kept`, [{ kept: null }], 'it was not committed');
    t.same(await sql`show tcp_keepalives_idle`, [{ tcp_keepalives_idle: '30' }]);
  },
);
