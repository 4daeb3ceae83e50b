import t from 'tap';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { freezableServer } from '#shared/postgres/test/support/freezable-server.ts';
import { until } from '#shared/testing/until.ts';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { buildApp } from '#api/app.ts';
import { createLogger } from '#shared/log/log.ts';

void t.test('requests are answered 503 while PostgreSQL is frozen, and again when it thaws', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const server = await freezableServer(t, api.stores.databaseUrl);
  const sql = openPostgres(server.databaseUrl, { name: 'frozen', connections: 2, timeoutMs: 4000 });
  const app = await buildApp({ ...api.deps, sql, log: createLogger('test', 'silent') });
  t.teardown(async () => {
    await app.close();
    await sql.end({ timeout: 1 });
  });
  const list = () => app.inject({ method: 'GET', url: '/cpms/v1/wallets', headers: { 'x-api-key': key } });
  const create = () =>
    app.inject({
      method: 'POST',
      url: '/cpms/v1/chargers',
      headers: { 'x-api-key': key, 'idempotency-key': 'once' },
      payload: { serial: 'CP-1' },
    });
  t.equal((await list()).statusCode, 200);
  server.freeze();
  const answers = await Promise.all([create(), ...Array.from({ length: 9 }, list)]);
  for (const answer of answers) {
    t.match(answer.json(), { error: { code: 'STORE_UNAVAILABLE' } });
    t.equal(answer.statusCode, 503);
    t.equal(answer.headers['retry-after'], '5');
  }
  server.thaw();
  await until('an answer', async () => (await list()).statusCode === 200);
  t.equal((await create()).statusCode, 201, 'the refused change can be repeated with its key');
});
