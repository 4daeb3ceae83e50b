import t from 'tap';
import { setCookiesOf, TestBrowser } from '#api/test/support/browser.ts';
import { items, mintKey } from '#api/test/support/fixtures.ts';
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
  post,
  signedIn,
  signedInWith,
} = await startBrowserApi(t);

void t.test('signs out and removes the cookie', async (t) => {
  const { browser, operator } = await signedIn();
  const { token } = browser;
  const answer = await browser.delete('/auth/session');
  t.match(answer, { status: 200, json: { data: { signedOut: true } } });
  const [cookie = ''] = setCookiesOf(answer);
  t.match(cookie, /^chargeway-session=; .*Expires=Thu, 01 Jan 1970/);
  t.equal(browser.token, '');
  browser.cookies.set('chargeway-session', token);
  t.match(await browser.get('/me'), ended);
  const entries = await sql`
    select category, action, user_id, details from audit_log where user_id = ${operator.id} order by id`;
  t.match(entries, [
    { category: 'auth', action: 'login', details: { method: 'password' } },
    { category: 'auth', action: 'logout' },
  ]);
});

void t.test('lists the sessions of the caller only', async (t) => {
  const { browser, operator, answer } = await signedIn();
  const other = new TestBrowser(app);
  const second = await other.signIn(
    { email: operator.email, password },
    { headers: { 'user-agent': 'x'.repeat(300) }, remoteAddress: '203.0.113.9' },
  );
  await logIn(operator.email);
  await signedIn();
  const listed = items((await browser.get('/auth/sessions')).json['data']);
  t.match(listed, [
    { kind: 'token', method: 'password', lastUsedAt: null, userAgent: null, isCurrent: false },
    {
      id: idOf(second),
      kind: 'browser',
      ipAddress: '203.0.113.9',
      userAgent: /^x{256}$/,
      lastUsedAt: String,
      isCurrent: false,
    },
    { id: idOf(answer), kind: 'browser', ipAddress: '127.0.0.1', isCurrent: true },
  ]);

  const key = await mintKey(api);
  const { browser: ofKey, answer: began } = await signedInWith(key);
  t.match(items((await ofKey.get('/auth/sessions')).json['data']), [{ id: idOf(began), method: 'apiKey' }]);
  const byHeader = await api.call(key, { url: '/cpms/v1/auth/sessions' });
  t.match(items(byHeader.json['data']), [{ id: idOf(began), isCurrent: false }]);
});

void t.test('ends one session of the caller, and none of others', async (t) => {
  const { browser, operator } = await signedIn();
  const other = new TestBrowser(app);
  const second = await other.signIn({ email: operator.email, password });
  const stranger = await signedIn();
  const unknown = refused(404, 'LOGIN_SESSION_NOT_FOUND');
  t.match(await stranger.browser.delete(`/auth/sessions/${idOf(second)}`), unknown);
  t.match(await (await signedInWith(firstKey)).browser.delete(`/auth/sessions/${idOf(second)}`), unknown);
  t.equal((await other.get('/me')).status, 200);
  t.equal((await browser.delete(`/auth/sessions/${idOf(second)}`)).status, 200);
  t.match(await other.get('/me'), ended);
  t.match(await browser.delete(`/auth/sessions/${idOf(second)}`), unknown, 'it has ended');

  const { access } = await logIn(operator.email);
  const [tokens] = items((await browser.get('/auth/sessions')).json['data']);
  t.equal((await browser.delete(`/auth/sessions/${tokens?.['id'] as unknown as string}`)).status, 200);
  t.match(await me(access), invalid);
});

void t.test('signs out everywhere, tokens included', async (t) => {
  const { browser, operator } = await signedIn();
  const other = new TestBrowser(app);
  await other.signIn({ email: operator.email, password });
  const { access, refresh } = await logIn(operator.email);
  const stranger = await signedIn();
  const answer = await browser.delete('/auth/sessions');
  t.match(answer, { status: 200, json: { data: { endedSessions: 3 } } });
  t.equal(browser.token, '');
  t.match(await other.get('/me'), ended);
  t.match(await me(access), invalid);
  t.match(await post('/refresh', { refreshToken: refresh }), invalid);
  t.equal((await stranger.browser.get('/me')).status, 200);
  const entries = await sql`
    select action, details from audit_log where user_id = ${operator.id} and action = 'logout-everywhere'`;
  t.match(entries, [{ details: { endedSessions: 3 } }]);

  const key = await mintKey(api);
  const { browser: ofKey } = await signedInWith(key);
  const { token } = ofKey;
  t.equal((await ofKey.delete('/auth/sessions')).status, 200);
  ofKey.cookies.set('chargeway-session', token);
  t.match(await ofKey.get('/me'), ended);
  t.equal((await api.call(key, { url: '/cpms/v1/me' })).status, 200, 'the key stays');
});

void t.test('answers a caller without a session', async (t) => {
  const { email } = await addOperator();
  const { access } = await logIn(email);
  const unknown = refused(404, 'LOGIN_SESSION_NOT_FOUND');
  for (const method of ['GET', 'DELETE'] as const) {
    t.match(await api.call(firstKey, { method, url: '/cpms/v1/auth/session' }), unknown);
    t.match(await api.call(null, { method, url: '/cpms/v1/auth/session' }), refused(401, 'KEY_MISSING'));
    const listed = { method, url: '/cpms/v1/auth/sessions' };
    t.match(await api.call(null, listed), refused(401, 'KEY_MISSING'));
  }
  const bearer = { headers: { authorization: `Bearer ${access}` } };
  const current = await api.call(null, { url: '/cpms/v1/auth/session', ...bearer });
  t.match(current.json['data'], { email, session: { kind: 'token', isCurrent: true } });
  t.equal((await api.call(null, { method: 'DELETE', url: '/cpms/v1/auth/session', ...bearer })).status, 200);
  t.match(await me(access), invalid);
});
