import t from 'tap';
import { createLogger } from '#shared/log/log.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { buildApp } from '#api/app.ts';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';

void t.test('a request whose statement waits too long for a lock is answered 503', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const sql = openPostgres(api.stores.databaseUrl, {
    name: 'slow',
    connections: 2,
    timeoutMs: 1000,
    endsSlowStatements: true,
  });
  const app = await buildApp({ ...api.deps, sql, log: createLogger('test', 'silent') });
  t.teardown(async () => {
    await app.close();
    await sql.end({ timeout: 1 });
  });
  const list = () => app.inject({ method: 'GET', url: '/cpms/v1/wallets', headers: { 'x-api-key': key } });
  t.equal((await list()).statusCode, 200);
  await api.stores.sql.begin(async (transaction) => {
    await transaction`lock table wallets in access exclusive mode`;
    const answer = await list();
    t.equal(answer.statusCode, 503);
    t.match(answer.json(), { error: { code: 'STORE_UNAVAILABLE' } });
    t.same(await sql`select 1 as one`, [{ one: 1 }]);
  });
  t.equal((await list()).statusCode, 200);
});
