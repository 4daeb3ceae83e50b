import t, { type Test } from 'tap';
import { createLogger } from '#shared/log/log.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { buildApp } from '#api/app.ts';
import { mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';

/** An API whose statements may take this long. */
async function impatientApi(t: Test, api: TestApi, timeoutMs: number) {
  const sql = openPostgres(api.stores.databaseUrl, {
    name: 'slow',
    connections: 2,
    timeoutMs,
    endsSlowStatements: true,
  });
  const app = await buildApp({ ...api.deps, sql, log: createLogger('test', 'silent') });
  t.teardown(async () => {
    await app.close();
    await sql.end({ timeout: 1 });
  });
  return { app, sql };
}

void t.test('a request whose statement waits too long for a lock is answered 503', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { app, sql } = await impatientApi(t, api, 8000);
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

void t.test('a change that PostgreSQL ends to resolve a deadlock is answered 503', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await seedCharger(api.stores.sql, api.network.id);
  const { sql } = api.stores;
  // Time until a waiting transaction looks for a deadlock: the request does it while the other one waits for it.
  await sql`alter database ${sql(new URL(api.stores.databaseUrl).pathname.slice(1))} set deadlock_timeout = '3s'`;
  const { app } = await impatientApi(t, api, 60_000);
  const change = () =>
    app.inject({
      method: 'PATCH',
      url: `/cpms/v1/chargers/${charger.uuid}`,
      payload: { physicalReference: 'A-12' },
      headers: { 'x-api-key': key },
    });
  const waits = async () => {
    const locks = await sql`
      select from pg_locks join pg_database on pg_database.oid = database
      where relation = 'audit_log'::regclass and not granted and datname = current_database()`;
    return locks.length > 0;
  };
  await sql.begin(async (transaction) => {
    await transaction`set local deadlock_timeout = '120s'`;
    await transaction`lock table audit_log in share mode`;
    const answer = change();
    await until('the change to wait for its audit entry', waits);
    await transaction`update chargers set status = status where uuid = ${charger.uuid}`;
    const { statusCode, json } = await answer;
    t.equal(statusCode, 503);
    t.match(json(), { error: { code: 'STORE_UNAVAILABLE' } });
  });
  t.equal((await change()).statusCode, 200);
});
