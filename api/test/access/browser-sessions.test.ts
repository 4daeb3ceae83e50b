import t from 'tap';
import { idleSeconds } from '#shared/domain/access/browser-session.ts';
import { hashSecret } from '#shared/domain/kernel/secrets.ts';
import { createLogger } from '#shared/log/log.ts';
import {
  removeEndedBrowserSessions,
  writeSessionUse,
} from '#shared/postgres/people/browser-sessions.statements.ts';
import { buildApp } from '#api/app.ts';
import { setCookiesOf, TestBrowser } from '#api/test/support/browser.ts';
import { mintKey } from '#api/test/support/fixtures.ts';
import { invalid, password } from '#api/test/support/operator-client.ts';
import { ended, idOf, refused, startBrowserApi } from '#api/test/support/signed-in.ts';

const {
  api,
  app,
  sql,
  key: firstKey,
  addOperator,
  logIn,
  me,
  signedIn,
  signedInWith,
} = await startBrowserApi(t);

async function age(token: string, column: 'last_used_at' | 'expires_at', seconds: number): Promise<void> {
  await sql`
    update browser_sessions set ${sql(column)} = now() - ${seconds} * interval '1 second'
    where token_hash = ${hashSecret(token)}`;
}

void t.test('signs an operator in with a cookie that scripts cannot read', async (t) => {
  const begin = Date.now();
  const { browser, operator, answer } = await signedIn('Manager');
  t.match(answer.json['data'], {
    operatorId: operator.id,
    email: operator.email,
    keyId: null,
    keyType: null,
    name: 'Ada',
    role: 'Manager',
    unrestricted: true,
    accessibleNetworkCount: 2,
    session: { kind: 'browser', method: 'password', isCurrent: true },
  });
  t.match(answer.headers, { 'cache-control': 'no-store' });
  const [cookie = '', ...others] = setCookiesOf(answer);
  t.same(others, []);
  t.match(cookie, /^chargeway-session=cw_session_[\w-]{43}; /);
  const [, ...attributes] = cookie.split('; ');
  t.same(
    attributes.filter((attribute) => !attribute.startsWith('Expires=')).toSorted(),
    ['HttpOnly', 'Path=/', 'SameSite=Strict'],
    'plain http: neither Secure nor a prefix',
  );
  const expiresAt = Date.parse(answer.json['data']?.['session']?.['expiresAt'] as unknown as string);
  const lifetimeMs = 30 * 24 * 3_600_000;
  t.ok(expiresAt >= begin + lifetimeMs && expiresAt <= Date.now() + lifetimeMs, '30 days');
  t.notOk(answer.text.includes(browser.token), 'the token is in the cookie only');

  const read = await browser.get('/auth/session');
  t.match(read, { status: 200, headers: { 'cache-control': 'no-store' } });
  t.same(read.json['data'], answer.json['data']);
  t.match((await browser.get('/me')).json['data'], { operatorId: operator.id, email: operator.email });
});

void t.test('marks the cookie Secure with a host prefix when the browser uses https', async (t) => {
  const { deps } = api;
  const log = createLogger('test', 'silent');
  const https = await buildApp({
    ...deps,
    settings: { ...deps.settings, publicUrl: 'https://cpms.example.org' },
    log,
  });
  const proxied = await buildApp({ ...deps, trustedProxies: ['127.0.0.1'], log });
  t.teardown(() => Promise.all([https.close(), proxied.close()]));
  const { email } = await addOperator();
  for (const browser of [
    new TestBrowser(https),
    new TestBrowser(proxied, { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'cpms.example.org' }),
  ]) {
    const [cookie = ''] = setCookiesOf(await browser.signIn({ email, password }));
    t.match(cookie, /^__Host-chargeway-session=/);
    t.match(cookie, /; Path=\//);
    t.match(cookie, /; HttpOnly/);
    t.match(cookie, /; Secure/);
    t.match(cookie, /; SameSite=Strict/);
    t.notMatch(cookie, /Domain/i);
    t.equal((await browser.get('/me')).status, 200);
    browser.cookies.set('chargeway-session', browser.token);
    browser.cookies.delete('__Host-chargeway-session');
    t.match(await browser.get('/me'), refused(401, 'KEY_MISSING'), 'a name without the prefix is not read');
  }
});

void t.test('stores the digest of the token only', async (t) => {
  const { browser } = await signedIn();
  const [row] = await sql<{ token_hash: Buffer }[]>`
    select token_hash from browser_sessions where token_hash = ${hashSecret(browser.token)}`;
  t.equal(row?.token_hash.length, 32);
  t.same(await sql`select 1 from browser_sessions b where b::text like ${`%${browser.token}%`}`, []);
});

void t.test('refuses wrong credentials without a cookie', async (t) => {
  const { email } = await addOperator();
  const driverKey = await mintKey(api, { apiFamily: 'emsp' });
  const expired = await mintKey(api, { expiresAt: new Date(Date.now() - 1000) });
  const elsewhere = await mintKey(api, { allowedIPs: ['192.0.2.0/24'] });
  for (const [payload, status, code] of [
    [{ email, password: 'wrong' }, 401, 'LOGIN_FAILED'],
    [{ email: 'nobody@example.org', password }, 401, 'LOGIN_FAILED'],
    [{ apiKey: 'cw_cpms_unknown' }, 401, 'KEY_INVALID'],
    [{ apiKey: driverKey }, 403, 'API_FAMILY_MISMATCH'],
    [{ apiKey: expired }, 401, 'KEY_EXPIRED'],
    [{ apiKey: elsewhere }, 403, 'ADDRESS_NOT_ALLOWED'],
    [{}, 400, 'VALIDATION_FAILED'],
    [{ email }, 400, 'VALIDATION_FAILED'],
    [{ email, password, apiKey: firstKey }, 400, 'VALIDATION_FAILED'],
    [{ apiKey: '' }, 400, 'VALIDATION_FAILED'],
  ] as const) {
    const answer = await new TestBrowser(app).signIn(payload);
    t.match(answer, refused(status, code), JSON.stringify(Object.keys(payload)));
    t.same(setCookiesOf(answer), []);
  }
});

void t.test('limits attempts to sign in as it limits logins', async (t) => {
  const { email } = await addOperator();
  const from = { remoteAddress: '198.51.100.7' };
  const statuses = [];
  for (let sent = 0; sent < 11; sent += 1) {
    statuses.push((await new TestBrowser(app).signIn({ email, password: 'wrong' }, from)).status);
  }
  t.same(statuses, [...Array.from({ length: 10 }, () => 401), 429]);
  const limited = await new TestBrowser(app).signIn({ email, password }, from);
  t.match(limited, { ...refused(429, 'RATE_LIMITED'), headers: { 'retry-after': /\d+/ } });
  const login = {
    url: '/cpms/v1/auth/login',
    method: 'POST',
    payload: { email, password },
    ...from,
  } as const;
  t.equal((await api.call(null, login)).status, 429, 'one counter for both');

  const keys = { remoteAddress: '198.51.100.8' };
  for (let sent = 0; sent < 100; sent += 1) await api.bus.count(`login-from:198.51.100.8`, 900_000);
  t.match(await new TestBrowser(app).signIn({ apiKey: firstKey }, keys), refused(429, 'RATE_LIMITED'));
});

void t.test('gives a session of a key exactly the rights of the key', async (t) => {
  const key = await mintKey(api, {
    scopes: ['cpms:read:chargers', 'cpms:write:api-keys'],
    name: 'Dashboard',
    expiresAt: new Date(Date.now() + 3_600_000),
    roleCeiling: 'Viewer',
  });
  const { browser, answer } = await signedInWith(key);
  const [row] = await sql<{ uuid: string; expires_at: Date }[]>`
    select uuid, expires_at from api_keys where secret_hash = ${hashSecret(key)}`;
  t.match(answer.json['data'], {
    keyId: row?.uuid,
    operatorId: null,
    email: null,
    name: 'Dashboard',
    role: 'Viewer',
    keyType: 'Private',
    unrestricted: false,
    accessibleNetworkCount: 1,
    scopes: ['cpms:read:chargers', 'cpms:write:api-keys'],
    session: { method: 'apiKey', expiresAt: row?.expires_at.toISOString() },
  });
  t.equal((await browser.get('/chargers')).status, 200);
  t.match(await browser.get('/sessions'), refused(403, 'SCOPE_MISSING'));
  const mint = (payload: object) => browser.call({ method: 'POST', url: '/cpms/v1/api-keys', payload });
  t.match(await mint({ scopes: ['cpms:read:sessions'] }), refused(403, 'SCOPE_MISSING'));
  t.match(await mint({ expiresAt: '2100-01-01T00:00:00Z' }), refused(403, 'KEY_LIMIT_EXCEEDED'));
  t.match(await mint({}), { status: 201, json: { data: { createdBy: { id: row?.uuid } } } });
  const change = { currentPassword: password, newPassword: 'another horse battery' };
  t.match(
    await browser.call({ method: 'POST', url: '/cpms/v1/auth/change-password', payload: change }),
    refused(403, 'OPERATOR_NOT_ALLOWED'),
  );
});

void t.test('ends or narrows a session of a key with the key', async (t) => {
  for (const [what, change, answer] of [
    ['expired', sql`expires_at = now() - interval '1 second'`, refused(401, 'KEY_EXPIRED')],
    ['revoked', sql`revoked_at = now(), deleted_at = now()`, refused(401, 'KEY_REVOKED')],
    ['bound to addresses', sql`allowed_ips = '{192.0.2.1}'`, refused(403, 'ADDRESS_NOT_ALLOWED')],
    ['narrowed', sql`scopes = '{cpms:read:users}'`, refused(403, 'SCOPE_MISSING')],
  ] as const) {
    const key = await mintKey(api);
    const { browser } = await signedInWith(key);
    t.equal((await browser.get('/chargers')).status, 200);
    await sql`update api_keys set ${change} where secret_hash = ${hashSecret(key)}`;
    t.match(await browser.get('/chargers'), answer, what);
  }
  const limited = await mintKey(api, { rateLimitPerHour: 2 });
  const { browser } = await signedInWith(limited);
  const statuses = [
    (await browser.get('/me')).status,
    (await api.call(limited, { url: '/cpms/v1/me' })).status,
    (await browser.get('/me')).status,
  ];
  t.same(statuses, [200, 200, 429], 'one rate of the key and its sessions');
});

void t.test('serves two tabs at once, and two sign-ins at once', async (t) => {
  const { browser, operator } = await signedIn();
  const answers = await Promise.all(Array.from({ length: 20 }, () => browser.get('/auth/session')));
  t.same(new Set(answers.map(({ status }) => status)), new Set([200]));
  t.equal(new Set(answers.map(idOf)).size, 1);

  const tabs = [new TestBrowser(app), new TestBrowser(app)];
  await Promise.all(tabs.map((tab) => tab.signIn({ email: operator.email, password })));
  for (const tab of tabs) t.equal((await tab.get('/me')).status, 200);
});

void t.test('replaces the session that a browser had', async (t) => {
  const { browser } = await signedIn();
  const earlier = new TestBrowser(app);
  earlier.cookies.set('chargeway-session', browser.token);
  t.equal((await browser.signIn({ apiKey: firstKey })).status, 201);
  t.match(await earlier.get('/me'), ended);
  t.match((await browser.get('/me')).json['data'], { operatorId: null });
});

void t.test('refuses an unknown token, and prefers a key or a token in a header', async (t) => {
  const { browser, operator } = await signedIn();
  const { access } = await logIn(operator.email);
  const withHeader = (headers: Record<string, string>) => browser.call({ url: '/cpms/v1/me', headers });
  t.match((await withHeader({ 'x-api-key': firstKey })).json['data'], { operatorId: null });
  t.match(await withHeader({ 'x-api-key': 'cw_cpms_unknown' }), refused(401, 'KEY_INVALID'));
  t.equal((await withHeader({ authorization: `Bearer ${access}` })).status, 200);
  t.match(await withHeader({ authorization: 'Bearer nonsense' }), refused(401, 'TOKEN_INVALID'));
  t.match(await browser.call({ url: '/emsp/v1/chargers' }), { status: 401, json: { code: 'KEY_MISSING' } });
  browser.cookies.set('chargeway-session', `${browser.token}x`);
  t.match(await browser.get('/me'), ended);
});

void t.test('ends a session that is idle for 12 hours', async (t) => {
  const { browser: used } = await signedIn();
  await age(used.token, 'last_used_at', idleSeconds - 60);
  t.equal((await used.get('/me')).status, 200);

  // Another one: the use is stored later, which would renew the session.
  const { browser: idle } = await signedIn();
  await age(idle.token, 'last_used_at', idleSeconds + 1);
  t.match(await idle.get('/me'), ended);
  t.match(await idle.delete('/auth/session'), ended);
});

void t.test('ends a session at its maximum length although it is used', async (t) => {
  const { browser } = await signedIn();
  await age(browser.token, 'expires_at', 1);
  t.match(await browser.get('/me'), ended);
  await removeEndedBrowserSessions(sql);
  t.same(await sql`select 1 from browser_sessions where token_hash = ${hashSecret(browser.token)}`, []);
});

void t.test('writes the use of a session at most once a minute', async (t) => {
  const { answer } = await signedIn();
  const lastUse = async () => {
    const [row] = await sql<{ at: Date; version: string }[]>`
      select last_used_at as at, xmin::text as version from browser_sessions where id = ${idOf(answer)}`;
    return row;
  };
  const first = await lastUse();
  await writeSessionUse(sql, [idOf(answer)]);
  t.same(await lastUse(), first, 'within the minute');
  await sql`update browser_sessions set last_used_at = now() - interval '61 s' where id = ${idOf(answer)}`;
  const usedAt = Date.now();
  await writeSessionUse(sql, [idOf(answer)]);
  const after = await lastUse();
  t.ok(after !== undefined && after.at.getTime() >= usedAt);
  await writeSessionUse(sql, [idOf(answer)]);
  t.same(await lastUse(), after);
});

void t.test('ends the sessions of an operator who is disabled, removed or gets a password', async (t) => {
  for (const [method, payload] of [
    ['PATCH', { isDisabled: true }],
    ['PATCH', { password: 'another horse battery' }],
    ['DELETE', undefined],
  ] as const) {
    const { browser, operator } = await signedIn();
    const change = await api.call(firstKey, { method, url: operator.path, ...(payload && { payload }) });
    t.equal(change.status, 200, change.text);
    t.match(await browser.get('/me'), ended, `${method} ${JSON.stringify(payload)}`);
    if (payload !== undefined && 'isDisabled' in payload) {
      await api.call(firstKey, { method, url: operator.path, payload: { isDisabled: false } });
      t.match(await browser.get('/me'), ended, 'enabling restores no session');
    }
  }
});

void t.test('refuses a disabled operator', async (t) => {
  const { email, path } = await addOperator();
  await api.call(firstKey, { method: 'PATCH', url: path, payload: { isDisabled: true } });
  t.match(await new TestBrowser(app).signIn({ email, password }), refused(401, 'LOGIN_FAILED'));
});

void t.test('follows a change of role at once', async (t) => {
  const { browser, operator } = await signedIn('Admin');
  t.equal((await browser.get('/operators')).status, 200);
  await api.call(firstKey, { method: 'PATCH', url: operator.path, payload: { role: 'Viewer' } });
  t.match(await browser.get('/operators'), refused(403, 'SCOPE_MISSING'));
});

void t.test('keeps the session that changes the password and ends the others', async (t) => {
  const { browser, operator } = await signedIn();
  const other = new TestBrowser(app);
  await other.signIn({ email: operator.email, password });
  const { access } = await logIn(operator.email);
  const payload = { currentPassword: password, newPassword: 'another horse battery' };
  const changed = await browser.call({ method: 'POST', url: '/cpms/v1/auth/change-password', payload });
  t.equal(changed.status, 200, changed.text);
  t.equal((await browser.get('/me')).status, 200);
  t.match(await other.get('/me'), ended);
  t.match(await me(access), invalid);
});

void t.test('offers password and key, and no issuer without its configuration', async (t) => {
  t.match(await new TestBrowser(app).get('/auth/methods'), {
    status: 200,
    json: { data: { password: true, apiKey: true, oidc: null } },
  });
  const start = await new TestBrowser(app).get('/auth/oidc/start');
  t.match(start, { status: 302, headers: { location: '/console/sign-in?error=OIDC_DISABLED' } });
});

void t.test('logs neither tokens nor keys', async (t) => {
  const { browser } = await signedIn();
  const key = await mintKey(api);
  const { browser: ofKey } = await signedInWith(key);
  await browser.get('/me');
  const logged = api.log();
  t.ok(logged.includes('/auth/sessions'));
  for (const secret of [browser.token, ofKey.token, key, password]) t.notOk(logged.includes(secret));
  const audited = await sql`select 1 from audit_log where details::text like '%cw_session_%'`;
  t.same(audited, []);
});
