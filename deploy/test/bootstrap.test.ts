import t from 'tap';
import { testEnvironment } from '#shared/testing/config.ts';
import { testStores } from '#shared/testing/stores.ts';
import { startProcess, untilHealthy } from './support/system.ts';

void t.test('bootstrap creates a new operator key when no other is left', async (t) => {
  const stores = await testStores(t);
  const env = await testEnvironment(t, stores);
  const keyOf = async (...args: string[]) => {
    const bootstrap = startProcess(t, 'deploy/start/bootstrap.ts', env, args);
    t.equal(await bootstrap.exited, 0, bootstrap.output());
    return /Operator key: +(cw_cpms_\S+)/.exec(bootstrap.output())?.[1];
  };
  const first = await keyOf();
  t.equal(await keyOf(), undefined, 'run again it makes none');
  const api = startProcess(t, 'api/main.ts', env);
  const base = `http://127.0.0.1:${env.PORT}`;
  await untilHealthy(api, `${base}/health/ready`);
  const call = async (key: string | undefined, path: string, method = 'GET') => {
    const answer = await fetch(`${base}/cpms/v1${path}`, { method, headers: { 'x-api-key': key ?? '' } });
    return (await answer.json()) as { data: Record<string, unknown>[] };
  };
  const { data: keys } = await call(first, '/api-keys');
  await call(first, `/api-keys/${String(keys[0]?.['id'])}`, 'DELETE');
  t.match(await call(first, '/me'), { error: { code: 'KEY_REVOKED' } });
  t.equal(await keyOf(), undefined, 'none comes back by itself');

  const second = await keyOf('--new-key');
  t.match(await call(second, '/me'), { data: { unrestricted: true } });
  t.match(await call(second, '/audit-log?category=api-key'), {
    data: [{ action: 'create', userName: 'bootstrap', userId: null }, { action: 'revoke' }],
  });
  t.equal(await api.kill('SIGTERM'), 0);
});
