import t from 'tap';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { hashSecret } from '#shared/domain/kernel/secrets.ts';
import { addUser } from '#api/test/support/records.ts';
import { items, mintKey, register, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

void t.test('rejects a request without a valid key before its validation', async (t) => {
  const api = await startTestApi(t);
  for (const key of [null, '', 'cw_cpms_unknown']) {
    const code = key === null || key === '' ? 'KEY_MISSING' : 'KEY_INVALID';
    const broken = { method: 'POST', url: '/cpms/v1/chargers', payload: '{', headers: json } as const;
    const operator = await api.call(key, broken);
    t.match(operator, { status: 401, json: { success: false, error: { code } } });
    t.ok(operator.headers['www-authenticate'], 'says how to authenticate');
    const driver = await api.call(key, { url: '/emsp/v1/chargers/not-a-uuid' });
    t.match(driver, { status: 401, json: { status: 401, code } });
    t.match(driver.headers['content-type'], 'application/problem+json');
    t.equal(
      (await api.call(key, { url: '/cpms/v1/no-such-path' })).status,
      401,
      'not even which paths exist',
    );
  }
});

void t.test('rejects a revoked and an expired key at once', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  t.equal((await api.call(key, { url: '/cpms/v1/me' })).status, 200);
  await sql`update api_keys set expires_at = now() - interval '1 second' where secret_hash = ${hashSecret(key)}`;
  t.match(await api.call(key, { url: '/cpms/v1/me' }), {
    status: 401,
    json: { error: { code: 'KEY_EXPIRED' } },
  });
  await sql`update api_keys set revoked_at = now() where secret_hash = ${hashSecret(key)}`;
  t.match(await api.call(key, { url: '/cpms/v1/me' }), {
    status: 401,
    json: { error: { code: 'KEY_REVOKED' } },
  });
});

void t.test('names the other family when a key of one family is used in it', async (t) => {
  const api = await startTestApi(t);
  const operator = await mintKey(api);
  const driver = await mintKey(api, { apiFamily: 'emsp' });
  t.match(await api.call(driver, { url: '/cpms/v1/me' }), {
    status: 403,
    json: { error: { code: 'API_FAMILY_MISMATCH' } },
  });
  t.match(await api.call(operator, { url: '/emsp/v1/chargers' }), {
    status: 403,
    json: { code: 'API_FAMILY_MISMATCH' },
  });
});

/** The operations of the operator API, as its own document lists them. */
async function operationsOf(api: TestApi): Promise<{ method: Method; url: string; scope: string | null }[]> {
  const { json } = await api.call(null, { url: '/openapi.json' });
  return Object.entries(json['paths'] ?? {})
    .filter(([path]) => path.startsWith('/cpms/v1'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase() as Method,
        url: path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000'),
        scope: operation['x-scope'] as unknown as string | null,
      })),
    );
}

/** Broken, which shows that the caller and the scope come first. */
function brokenRequest({ method, url }: { method: Method; url: string }) {
  return { method, url, ...(method !== 'GET' && method !== 'DELETE' && { payload: '{', headers: json }) };
}

void t.test('requires the scope of each operator route and names a missing one', async (t) => {
  const api = await startTestApi(t);
  const operations = await operationsOf(api);
  for (const operation of operations) {
    const { method, url, scope } = operation;
    if (scope === null) continue;
    const others = grantableScopes.filter((other) => other !== scope && other !== 'cpms:read');
    const without = await mintKey(api, { scopes: others });
    t.match(
      await api.call(without, brokenRequest(operation)),
      { status: 403, json: { error: { code: 'SCOPE_MISSING', details: { scope } } } },
      `${method} ${url}`,
    );
    const only = await mintKey(api, { scopes: [scope] });
    t.notMatch((await api.call(only, brokenRequest(operation))).text, 'SCOPE_MISSING', `${method} ${url}`);
    t.equal((await api.call(null, brokenRequest(operation))).status, 401, `${method} ${url}`);
  }
  const open = operations.filter(({ scope }) => scope === null).map(({ url }) => url);
  t.strictSame(new Set(open), new Set([...forAnyKey, ...forAccounts, ...forAnybody, signInMethods]));
  const key = await mintKey(api, { scopes: [] });
  for (const url of [...forAnyKey, ...forAccounts])
    t.equal((await api.call(null, { url, method: methodOf(url) })).status, 401, url);
  for (const url of forAnyKey) t.not((await api.call(key, { url, method: methodOf(url) })).status, 403, url);
  for (const url of forAnybody) t.equal((await api.call(null, { url, method: 'POST' })).status, 400, url);
  const asked = new Set(operations.map(({ scope }) => scope));
  t.strictSame(
    grantableScopes.filter((scope) => !asked.has(scope)),
    ['cpms:read'],
    'every scope of the catalog is required by an operation',
  );
});

/** Operations that any caller can request: about itself. */
const forAnyKey = [
  '/cpms/v1/me',
  '/cpms/v1/.well-known/scopes',
  '/cpms/v1/search',
  '/cpms/v1/auth/change-password',
  '/cpms/v1/auth/session',
  '/cpms/v1/auth/sessions',
  '/cpms/v1/auth/sessions/00000000-0000-4000-8000-000000000000',
  '/cpms/v1/saved-views',
  '/cpms/v1/saved-views/00000000-0000-4000-8000-000000000000',
  '/cpms/v1/event-types',
  '/cpms/v1/event-types/00000000-0000-4000-8000-000000000000/00000000-0000-4000-8000-000000000000',
  // Each section needs a scope of its own.
  '/cpms/v1/work-list',
  // Each kind needs the scope of its single write.
  '/cpms/v1/import-kinds',
  '/cpms/v1/import-kinds/00000000-0000-4000-8000-000000000000/template',
  '/cpms/v1/imports',
  ...['', '/rows', '/failed-rows', '/passwords', '/check', '/apply', '/cancel'].map(
    (part) => `/cpms/v1/imports/00000000-0000-4000-8000-000000000000${part}`,
  ),
];
/** Operations on the second factors of the own account, which a key is not. */
const forAccounts = [
  '/cpms/v1/auth/second-factors',
  '/cpms/v1/auth/second-factors/00000000-0000-4000-8000-000000000000/confirm',
  '/cpms/v1/auth/second-factors/00000000-0000-4000-8000-000000000000/remove',
  '/cpms/v1/auth/recovery-codes',
];
/** Operations for callers without credentials, or with expired ones. */
const forAnybody = [
  '/cpms/v1/auth/login',
  '/cpms/v1/auth/login/second-factor',
  '/cpms/v1/auth/sessions/second-factor',
  '/cpms/v1/auth/refresh',
  '/cpms/v1/auth/logout',
  '/cpms/v1/auth/forgot-password',
  '/cpms/v1/auth/reset-password',
];

/** Read of the ways to sign in, before any sign-in. */
const signInMethods = '/cpms/v1/auth/methods';

function methodOf(url: string): 'DELETE' | 'GET' | 'POST' {
  if (/\/0{8}-/.test(url) && !url.includes('/event-types/')) return 'DELETE';
  return url.endsWith('/change-password') ? 'POST' : 'GET';
}

void t.test('cpms:read grants every read and no write', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, { scopes: ['cpms:read'] });
  t.equal((await api.call(key, { url: '/cpms/v1/chargers' })).status, 200);
  const write = await api.call(key, { method: 'POST', url: '/cpms/v1/chargers', payload: { serial: 'A' } });
  t.equal(write.status, 403);
});

void t.test('returns the networks and scopes of a key, and all scopes in the catalog', async (t) => {
  const api = await startTestApi(t);
  const pinned = await mintKey(api, { scopes: ['cpms:read'] });
  const firstParty = await mintKey(api, { unrestricted: true, networkIds: [] });
  t.match((await api.call(pinned, { url: '/cpms/v1/me' })).json, {
    success: true,
    data: {
      accessibleNetworkCount: 1,
      scopes: ['cpms:read'],
      keyType: 'Private',
      unrestricted: false,
      operatorId: null,
      email: null,
    },
  });
  t.match((await api.call(firstParty, { url: '/cpms/v1/me' })).json, {
    data: { accessibleNetworkCount: 2, unrestricted: true },
  });
  const catalog = (await api.call(pinned, { url: '/cpms/v1/.well-known/scopes' })).json['data'];
  t.match(catalog, { apiFamily: 'cpms', note: String });
  const [reads, writes, commands] = ['reads', 'writes', 'commands'].map((kind) => items(catalog?.[kind]));
  t.equal(reads?.[0], 'cpms:read');
  t.strictSame([...(reads ?? []), ...(writes ?? []), ...(commands ?? [])], grantableScopes);
  for (const [scopes, kind] of [
    [reads, /^cpms:read(?::[a-z-]+)?$/],
    [writes, /^cpms:write:[a-z-]+$/],
    [commands, /^cpms:command:[a-z-]+$/],
  ] as const) {
    for (const scope of scopes ?? []) t.match(scope, kind);
  }
});

void t.test('logs no secret', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const driver = await addUser(api.stores.sql, api.network.id, 'a@example.com');
  const driverKey = await mintKey(api, { apiFamily: 'emsp', userId: driver.id, scopes: [] });
  const charger = await register(api, key, { serial: 'CP-LOG' });
  await api.call(driverKey, { url: '/emsp/v1/chargers' });
  await api.call('cw_cpms_wrong', { url: '/cpms/v1/me' });
  t.match(api.log(), '"route":"/cpms/v1/chargers"', 'requests are logged');
  for (const secret of [key, driverKey, 'cw_cpms_wrong', charger.ocppPassword]) {
    t.notMatch(api.log(), secret);
  }
});

const json = { 'content-type': 'application/json' };
