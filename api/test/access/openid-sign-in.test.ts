import { SignJWT } from 'jose';
import type { Test } from 'tap';
import t from 'tap';
import type { AppDeps } from '#api/app.ts';
import { callerOfSession } from '#api/services/access/browser-callers.ts';
import { ExternalIssuer } from '#api/services/access/external-issuer.ts';
import { KeyUse } from '#api/services/access/key-use.service.ts';
import { OpenIdSignIn } from '#api/services/access/openid-sign-in.service.ts';
import { setCookiesOf, TestBrowser } from '#api/test/support/browser.ts';
import { type Answer, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { registration, startIssuer, type TokenAnswer } from '#api/test/support/openid-issuer.ts';
import { loadConfig } from '#shared/config/config.ts';
import { ConfigError } from '#shared/config/config-error.ts';
import { hashSecret } from '#shared/domain/kernel/secrets.ts';

const publicUrl = 'http://chargeway.test';
const callbackPath = '/cpms/v1/auth/oidc/callback';

/** An API that offers the sign-in at an issuer. */
async function start(
  t: Test,
  clientSecret: string | null = registration.clientSecret,
  changed: Partial<AppDeps> = {},
) {
  const oidc = await startIssuer(t);
  const settings = {
    issuer: oidc.issuer,
    audience: 'chargeway',
    roleClaim: 'realm_access.roles',
    networksClaim: 'networks',
  };
  const client = {
    clientId: registration.clientId,
    clientSecret,
    scopes: 'openid email',
    displayName: 'Example ID',
  };
  const api = await startTestApi(t, {
    externalIssuer: new ExternalIssuer(settings, 0),
    openIdSignIn: new OpenIdSignIn(settings, client, publicUrl),
    ...changed,
  });
  return { oidc, api };
}

type Started = Awaited<ReturnType<typeof start>>;

const locationOf = ({ headers }: Answer) => String(headers['location']);

/** Opens a page in a browser, by a link of another site. */
function open(browser: TestBrowser, url: string): Promise<Answer> {
  return browser.call({ url, headers: { 'sec-fetch-site': 'cross-site' } });
}

function begin(browser: TestBrowser, returnTo?: string): Promise<Answer> {
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ returnTo }).toString()}`;
  return open(browser, `/cpms/v1/auth/oidc/start${query}`);
}

function complete(browser: TestBrowser, response: URLSearchParams): Promise<Answer> {
  return open(browser, `${callbackPath}?${response.toString()}`);
}

/** Signs in as far as the API's response to the return from the issuer. */
async function signIn({ oidc, api }: Pick<Started, 'oidc' | 'api'>, returnTo?: string) {
  const browser = new TestBrowser(api.app);
  const response = oidc.authorize(locationOf(await begin(browser, returnTo)));
  return { browser, response, answer: await complete(browser, response) };
}

const failed = (code: string) => ({ status: 302, headers: { location: `/console/sign-in?error=${code}` } });

function isSignedOut(t: Test, browser: TestBrowser): void {
  t.same([...browser.cookies.keys()], [], 'neither a session nor the values of a sign-in');
}

void t.test('signs an operator in with the authorization code flow', async (t) => {
  const { oidc, api } = await start(t);
  const browser = new TestBrowser(api.app);
  t.match((await browser.get('/auth/methods')).json['data'], {
    oidc: { name: 'Example ID', startUrl: '/cpms/v1/auth/oidc/start', consoleUrl: `${publicUrl}/console` },
  });
  const started = await begin(browser, '/console/chargers?state=faulted#map');
  t.equal(started.status, 302);
  const [cookie = ''] = setCookiesOf(started);
  t.match(cookie, /^chargeway-oidc=.*; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  const sent = Object.fromEntries(new URL(locationOf(started)).searchParams);
  t.match(sent, {
    client_id: registration.clientId,
    redirect_uri: `${publicUrl}${callbackPath}`,
    response_type: 'code',
    scope: 'openid email',
    code_challenge_method: 'S256',
    code_challenge: /^[\w-]{43}$/,
    state: /^[\w-]{43}$/,
    nonce: /^[\w-]{43}$/,
  });

  const signedInAfter = Date.now();
  const answer = await complete(browser, oidc.authorize(locationOf(started)));
  t.match(answer, { status: 302, headers: { location: '/console/chargers?state=faulted#map' } });
  t.same([...browser.cookies.keys()], ['chargeway-session']);
  const session = (await browser.get('/auth/session')).json['data'];
  t.match(session, { email: 'ada@example.com', name: 'Ada', role: 'Manager', session: { method: 'oidc' } });
  const expiresAt = Date.parse(session?.['session']?.['expiresAt'] as unknown as string);
  const lifetimeMs = 12 * 3_600_000;
  t.ok(expiresAt >= signedInAfter + lifetimeMs && expiresAt <= Date.now() + lifetimeMs, '12 hours');
  const bearer = await api.call(null, {
    url: '/cpms/v1/me',
    headers: { authorization: `Bearer ${await oidc.token()}` },
  });
  t.same(bearer.json['data']?.['operatorId'], session?.['operatorId'], 'the operator of the tokens');
  const entries = await api.stores.sql`select category, action, details from audit_log order by id`;
  t.match(entries, [
    { category: 'operator', action: 'create' },
    { category: 'auth', action: 'login', details: { method: 'oidc' } },
  ]);
  for (const secret of [browser.token, registration.clientSecret, sent['state'], sent['nonce']]) {
    t.notOk(api.log().includes(String(secret)));
  }
});

void t.test('authenticates to the issuer in the way that it supports', async (t) => {
  for (const [clientSecret, authMethods] of [
    [registration.clientSecret, ['client_secret_post', 'private_key_jwt']],
    [registration.clientSecret, ['client_secret_basic', 'client_secret_post']],
    [null, ['none']],
  ] as const) {
    const started = await start(t, clientSecret);
    started.oidc.state.isPublicClient = clientSecret === null;
    started.oidc.state.authMethods = [...authMethods];
    t.match(
      (await signIn(started)).answer,
      { status: 302, headers: { location: '/console' } },
      authMethods.join(),
    );
  }
});

void t.test('continues at a page of the console only', async (t) => {
  const started = await start(t);
  for (const [returnTo, location] of [
    [undefined, '/console'],
    ['/console', '/console'],
    ['/console/', '/console/'],
    ['/console/a/../sessions?x=1', '/console/sessions?x=1'],
    [`${publicUrl}/console/sessions`, '/console/sessions'],
    ['https://evil.example', '/console'],
    ['//evil.example/console', '/console'],
    ['/\\evil.example/console', '/console'],
    ['\\\\evil.example/console', '/console'],
    ['/\t/evil.example/console', '/console'],
    ['/.//evil.example/console', '/console'],
    ['/console/..//evil.example', '/console'],
    ['/console/../..//evil.example/console', '/console'],
    ['/console@evil.example', '/console'],
    ['/consolex', '/console'],
    ['http://chargeway.test@evil.example/console', '/console'],
    ['javascript:alert(1)', '/console'],
    ['data:text/html,x', '/console'],
    ['/cpms/v1/auth/sessions', '/console'],
    ['http://', '/console'],
    ['/console/\r\nSet-Cookie: x=y', '/console/Set-Cookie:%20x=y'],
  ] as const) {
    const { answer } = await signIn(started, returnTo);
    t.equal(locationOf(answer), location, JSON.stringify(returnTo));
  }
  const browser = new TestBrowser(started.api.app);
  const response = started.oidc.authorize(locationOf(await begin(browser)));
  const kept = new URLSearchParams(decodeURIComponent(browser.cookies.get('chargeway-oidc') ?? ''));
  kept.set('returnTo', 'https://evil.example');
  browser.cookies.set('chargeway-oidc', encodeURIComponent(kept.toString()));
  t.equal(locationOf(await complete(browser, response)), '/console', 'a changed cookie');
});

void t.test('refuses a response that belongs to no sign-in of the browser', async (t) => {
  const started = await start(t);
  const { oidc, api } = started;
  const victim = new TestBrowser(api.app);
  const attacker = new TestBrowser(api.app);
  const stolen = oidc.authorize(locationOf(await begin(attacker)));
  t.match(await complete(victim, stolen), failed('LOGIN_FAILED'), 'no sign-in in progress');
  await begin(victim);
  t.match(await complete(victim, stolen), failed('LOGIN_FAILED'), 'the state of another browser');
  isSignedOut(t, victim);

  await begin(victim);
  const noState = oidc.authorize(locationOf(await begin(victim)));
  noState.delete('state');
  t.match(await complete(victim, noState), failed('LOGIN_FAILED'), 'no state');

  const injected = oidc.authorize(locationOf(await begin(victim)));
  injected.set('code', String(stolen.get('code')));
  t.match(await complete(victim, injected), failed('LOGIN_FAILED'), 'the code of another sign-in: PKCE');

  const { browser, response } = await signIn(started);
  const replayed = await complete(browser, response);
  t.match(replayed, failed('LOGIN_FAILED'), 'a second use');

  await begin(victim);
  victim.cookies.set('chargeway-oidc', 'nonsense%');
  t.match(await complete(victim, stolen), failed('LOGIN_FAILED'), 'a broken cookie');
  t.match(await complete(victim, new URLSearchParams()), failed('LOGIN_FAILED'), 'nothing');
});

function idClaimsOf({ body }: TokenAnswer): Record<string, unknown> {
  const [, payload = ''] = String(body['id_token']).split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
}

function withIdToken({ status, body }: TokenAnswer, token: string | undefined): TokenAnswer {
  return { status, body: { ...body, id_token: token } };
}

/** Signs the ID token with the client's secret as a shared key. */
async function confuse(answer: TokenAnswer): Promise<TokenAnswer> {
  const secret = Buffer.from(registration.clientSecret.padEnd(32));
  const jwt = new SignJWT(idClaimsOf(answer)).setProtectedHeader({ alg: 'HS256', kid: 'one' });
  return withIdToken(answer, await jwt.sign(secret));
}

void t.test('refuses an unsuitable ID token', async (t) => {
  const started = await start(t);
  const { oidc } = started;
  const stranger = await startIssuer(t);
  const now = Math.floor(Date.now() / 1000);
  for (const [what, idClaims, code] of [
    ['another nonce', { nonce: 'x' }, 'LOGIN_FAILED'],
    ['no nonce', { nonce: undefined }, 'LOGIN_FAILED'],
    ['another audience', { aud: 'chargeway' }, 'LOGIN_FAILED'],
    ['another authorized party', { aud: ['console', 'x'], azp: 'x' }, 'LOGIN_FAILED'],
    ['another issuer', { iss: stranger.issuer }, 'LOGIN_FAILED'],
    ['expired', { exp: now - 31 }, 'LOGIN_FAILED'],
    ['no subject', { sub: undefined }, 'LOGIN_FAILED'],
    ['no role', { realm_access: {} }, 'OPERATOR_NOT_ALLOWED'],
    ['no network', { networks: ['west'] }, 'OPERATOR_NOT_ALLOWED'],
  ] as const) {
    oidc.state.idClaims = idClaims;
    const { browser, answer } = await signIn(started);
    t.match(answer, failed(code), what);
    isSignedOut(t, browser);
  }
  oidc.state.idClaims = {};
  const forge = async (answer: TokenAnswer) => withIdToken(answer, await stranger.token(idClaimsOf(answer)));
  for (const [what, change] of [
    ['the key of another issuer', forge],
    ['a shared secret', confuse],
    ['no ID token', (answer: TokenAnswer) => withIdToken(answer, undefined)],
  ] as const) {
    oidc.state.change = change;
    const { browser, answer } = await signIn(started);
    t.match(answer, failed('LOGIN_FAILED'), what);
    isSignedOut(t, browser);
  }
});

void t.test('reports an error of the issuer and a cancelled sign-in', async (t) => {
  const { oidc, api } = await start(t);
  const browser = new TestBrowser(api.app);
  const response = oidc.authorize(locationOf(await begin(browser)));
  response.delete('code');
  response.set('error', 'access_denied');
  t.match(await complete(browser, response), failed('LOGIN_FAILED'));
  t.match(api.log(), 'access_denied');
});

void t.test('reports an unavailable issuer, and recovers', async (t) => {
  const started = await start(t);
  const { oidc, api } = started;
  oidc.state.isDown = true;
  t.match(await begin(new TestBrowser(api.app)), failed('ISSUER_UNAVAILABLE'));
  oidc.state.isDown = false;
  oidc.state.claimsToBe = 'http://127.0.0.1:1/realm';
  t.match(await begin(new TestBrowser(api.app)), failed('ISSUER_UNAVAILABLE'));
  oidc.state.claimsToBe = null;
  oidc.state.change = () => ({ status: 503, body: {} });
  t.match((await signIn(started)).answer, failed('ISSUER_UNAVAILABLE'));
  oidc.state.change = (answer) => answer;
  t.match((await signIn(started)).answer, { headers: { location: '/console' } });
});

void t.test('refuses a disabled operator and ends its sessions', async (t) => {
  const started = await start(t);
  const { api } = started;
  const { browser } = await signIn(started);
  const key = await mintKey(api, { unrestricted: true, networkIds: [] });
  const { operatorId } = (await browser.get('/me')).json['data'] as unknown as { operatorId: string };
  const url = `/cpms/v1/operators/${operatorId}`;
  await api.call(key, { method: 'PATCH', url, payload: { isDisabled: true } });
  t.match(await browser.get('/me'), { status: 401, json: { error: { code: 'SIGN_IN_REQUIRED' } } });
  t.match((await signIn(started)).answer, failed('OPERATOR_NOT_ALLOWED'));
});

void t.test('ends the sessions of an issuer that is no longer configured', async (t) => {
  const started = await start(t);
  const { browser } = await signIn(started);
  const { deps, stores } = started.api;
  const sent = { apiKey: undefined, bearer: undefined, sessionToken: browser.token, address: '127.0.0.1' };
  const without = { ...deps, sql: stores.sql, keyUse: new KeyUse(), sessionUse: null, externalIssuer: null };
  await t.rejects(callerOfSession(without, sent), { code: 'SIGN_IN_REQUIRED' });
});

void t.test('limits returns from the issuer by address', async (t) => {
  const started = await start(t);
  for (let sent = 0; sent < 100; sent += 1) await started.api.bus.count('login-from:127.0.0.1', 900_000);
  t.match((await signIn(started)).answer, failed('RATE_LIMITED'));
});

void t.test('stores the digest of the token of the session', async (t) => {
  const started = await start(t);
  const { browser } = await signIn(started);
  const rows = await started.api.stores.sql`
    select method from browser_sessions where token_hash = ${hashSecret(browser.token)}`;
  t.same([...rows], [{ method: 'oidc' }]);
});

void t.test('requires issuer and client together in the configuration', async (t) => {
  const issuer = { OIDC_ISSUER: 'https://id.example/realm', OIDC_AUDIENCE: 'chargeway' };
  t.equal(loadConfig(issuer).openIdClient, null);
  t.strictSame(loadConfig({ ...issuer, OIDC_CLIENT_ID: 'console' }).openIdClient, {
    clientId: 'console',
    clientSecret: null,
    scopes: 'openid email profile',
    displayName: 'id.example',
  });
  const all = {
    ...issuer,
    OIDC_CLIENT_ID: 'console',
    OIDC_CLIENT_SECRET: 's',
    OIDC_DISPLAY_NAME: 'Example ID',
  };
  t.match(loadConfig({ ...all, OIDC_SCOPES: 'openid  roles' }).openIdClient, {
    clientSecret: 's',
    scopes: 'openid roles',
    displayName: 'Example ID',
  });
  for (const [wrong, message] of [
    [{ OIDC_CLIENT_ID: 'console' }, /OIDC_ISSUER/],
    [{ ...issuer, OIDC_CLIENT_SECRET: 's' }, /OIDC_CLIENT_ID/],
    [{ ...all, OIDC_SCOPES: 'email' }, /OIDC_SCOPES/],
  ] as const) {
    t.throws(() => loadConfig(wrong), ConfigError);
    t.throws(() => loadConfig(wrong), { message });
  }
});
