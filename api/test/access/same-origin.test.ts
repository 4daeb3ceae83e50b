import t from 'tap';
import { buildApp } from '#api/app.ts';
import { createLogger } from '#shared/log/log.ts';
import { setCookiesOf, TestBrowser } from '#api/test/support/browser.ts';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';

const app = 'https://app.example.org';
const api = await startTestApi(t, { corsOrigins: [app] });
const key = await mintKey(api);
const browser = new TestBrowser(api.app);
const signedIn = await browser.signIn({ apiKey: key });
if (signedIn.status !== 201) throw new Error(`the sign-in was answered ${signedIn.status}: ${signedIn.text}`);

const host = 'cpms.example.org';
const own = `http://${host}`;
const publicOrigin = api.deps.settings.publicUrl;
const crossSite = { status: 403, json: { error: { code: 'CROSS_SITE_REQUEST' } } };

/** Method, Sec-Fetch-Site and Origin (null: not sent) of requests with the cookie, and whether they are accepted. */
const table: [
  method: 'GET' | 'POST' | 'DELETE',
  site: string | null,
  origin: string | null,
  accepted: boolean,
][] = [
  ['GET', 'same-origin', null, true],
  ['GET', 'none', null, true],
  ['GET', 'same-site', null, false],
  ['GET', 'cross-site', null, false],
  ['GET', 'cross-site', app, false],
  ['GET', null, null, true],
  ['GET', null, own, true],
  ['GET', null, publicOrigin, true],
  ['GET', null, app, false],
  ['GET', null, 'null', false],
  ['POST', 'same-origin', own, true],
  ['POST', 'same-origin', null, true],
  ['POST', 'none', own, false],
  ['POST', 'same-site', own, false],
  ['POST', 'cross-site', own, false],
  ['POST', 'cross-site', app, false],
  ['POST', 'SAME-ORIGIN', own, false],
  ['POST', '', own, false],
  ['POST', null, null, false],
  ['POST', null, own, true],
  ['POST', null, publicOrigin, true],
  ['POST', null, `https://${host}`, false],
  ['POST', null, `${own}:8080`, false],
  ['POST', null, `${own}.evil.example`, false],
  ['POST', null, `http://evil.${host}`, false],
  ['POST', null, app, false],
  ['POST', null, 'null', false],
  ['DELETE', 'same-origin', own, true],
  ['DELETE', 'cross-site', own, false],
  ['DELETE', null, null, false],
  ['DELETE', null, own, true],
];

const headersOf = (site: string | null, origin: string | null) => ({
  host,
  ...(site !== null && { 'sec-fetch-site': site }),
  ...(origin !== null && { origin }),
});

/** A request that changes nothing and needs a session or a key. */
const requests = {
  GET: { url: '/cpms/v1/me' },
  POST: { url: '/cpms/v1/networks', payload: {} },
  DELETE: { url: '/cpms/v1/auth/sessions/123e4567-e89b-42d3-a456-426614174000' },
};
const acceptedStatus = { GET: 200, POST: 400, DELETE: 404 };

void t.test('accepts a request with the cookie from its own origin only', async (t) => {
  for (const [method, site, origin, isAccepted] of table) {
    const what = `${method}, Sec-Fetch-Site ${site}, Origin ${origin}`;
    const headers = { ...headersOf(site, origin), cookie: browser.cookie };
    const answer = await api.call(null, { method, ...requests[method], headers });
    if (!isAccepted) t.match(answer, crossSite, what);
    else {
      t.equal(answer.status, acceptedStatus[method], what);
      t.notMatch(answer.text, 'CROSS_SITE_REQUEST', what);
    }
  }
});

void t.test('accepts keys in a header from any origin', async (t) => {
  for (const [method, site, origin] of table) {
    const headers = { ...headersOf(site, origin), cookie: browser.cookie };
    const answer = await api.call(key, { method, ...requests[method], headers });
    t.notMatch(answer.text, 'CROSS_SITE_REQUEST', `${method}, ${site}, ${origin}`);
  }
});

void t.test('refuses a sign-in that a page of another origin caused', async (t) => {
  for (const [site, origin, isAccepted] of [
    ['same-origin', own, true],
    [null, own, true],
    [null, null, true],
    ['same-site', own, false],
    ['cross-site', app, false],
    ['none', null, false],
    [null, app, false],
    [null, 'null', false],
  ] as const) {
    const answer = await api.call(null, {
      method: 'POST',
      url: '/cpms/v1/auth/sessions',
      headers: headersOf(site, origin),
      payload: { apiKey: key },
    });
    t.equal(answer.status, isAccepted ? 201 : 403, `${site} ${origin}`);
    t.equal(setCookiesOf(answer).length, isAccepted ? 1 : 0);
    if (!isAccepted) t.match(answer, crossSite);
  }
});

void t.test('never allows credentials to other origins', async (t) => {
  for (const headers of [
    {
      origin: app,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
    { origin: app, 'sec-fetch-site': 'cross-site', cookie: browser.cookie },
  ]) {
    const method = 'access-control-request-method' in headers ? 'OPTIONS' : 'GET';
    const answer = await api.call(null, { method, url: '/cpms/v1/me', headers });
    t.match(answer.headers, { 'access-control-allow-origin': app });
    t.notOk('access-control-allow-credentials' in answer.headers);
  }
});

void t.test('compares the origin with the host that a trusted proxy names', async (t) => {
  const log = createLogger('test', 'silent');
  const proxied = await buildApp({ ...api.deps, trustedProxies: ['127.0.0.1'], log });
  t.teardown(() => proxied.close());
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': host };
  const visitor = new TestBrowser(proxied, forwarded);
  t.equal((await visitor.signIn({ apiKey: key })).status, 201);
  for (const [origin, isAccepted] of [
    [`https://${host}`, true],
    [`http://${host}`, false],
    ['https://localhost', false],
  ] as const) {
    const answer = await proxied.inject({
      method: 'DELETE',
      url: requests.DELETE.url,
      headers: { ...forwarded, origin, cookie: visitor.cookie },
    });
    t.equal(answer.statusCode, isAccepted ? 404 : 403, origin);
  }
});
