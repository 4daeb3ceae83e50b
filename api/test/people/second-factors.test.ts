import { grantableScopes } from '#shared/domain/access/scopes.ts';
import t from 'tap';
import { TestBrowser } from '#api/test/support/browser.ts';
import { type Answer, mintKey } from '#api/test/support/fixtures.ts';
import { mailTo } from '#api/test/support/mailbox.ts';
import { password, startOperatorApi, tokensOf } from '#api/test/support/operator-client.ts';
import { enrolApp, waitForNextCode } from '#api/test/support/second-factor.ts';

const { api, key, addOperator, post, logIn, me } = await startOperatorApi(t);
const { sql } = api.stores;

const refused = (status: number, code: string) => ({ status, json: { error: { code } } });
const failed = refused(401, 'SECOND_FACTOR_FAILED');
const ended = refused(401, 'LOGIN_CHALLENGE_INVALID');

/** An operator with an authenticator app. */
async function enrolled(role = 'Owner') {
  const operator = await addOperator(role);
  const { access } = await logIn(operator.email);
  const { id: factorId, ...factor } = await enrolApp(
    (path, payload) => post(path, payload, access),
    password,
  );
  await waitForNextCode(sql, operator.id);
  return { ...operator, access, factorId, ...factor };
}

/** Sends the password of an account, and returns the challenge. */
async function challengeOf(email: string): Promise<string> {
  const answer = await post('/login', { email, password });
  t.equal(answer.status, 202, answer.text);
  return answer.json['data']?.['challenge'] as unknown as string;
}

const answerWith = (challenge: string, answer: object) =>
  post('/login/second-factor', { challenge, ...answer });

const get = (bearer: string | null, path: string, method: 'GET' | 'DELETE' = 'GET') =>
  api.call(null, {
    method,
    url: `/cpms/v1${path}`,
    headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` },
  });

const call = (by: string | null, method: 'GET' | 'POST', path: string, payload?: object): Promise<Answer> =>
  api.call(by, { method, url: `/cpms/v1/auth${path}`, ...(payload && { payload }) });

const reset = (bearer: string, path: string) =>
  get(bearer, `${path.replace('/cpms/v1', '')}/second-factors`, 'DELETE');

const actionsOf = async (uuid: string) => {
  const rows = await sql<{ action: string }[]>`
    select action from audit_log where resource_id = ${uuid} order by id`;
  return rows.map(({ action }) => action);
};

void t.test('requests a code after the password, and begins the session with a right one', async (t) => {
  const { email, id, app, access } = await enrolled();
  t.equal((await me(access)).status, 200, 'the session that enrolled goes on');
  const answer = await post('/login', { email, password });
  t.match(answer, { status: 202, json: { data: { methods: ['totp', 'recovery-code'], passkey: null } } });
  t.notMatch(answer.text, /accessToken|"operator"/);
  const challenge = answer.json['data']?.['challenge'] as unknown as string;
  t.match(await answerWith(challenge, { code: app.wrongCode() }), {
    ...failed,
    json: { error: { details: { attemptsLeft: 4 } } },
  });
  const { access: token } = tokensOf(await answerWith(challenge, { code: app.code() }));
  t.equal((await me(token)).status, 200);
  t.match(await answerWith(challenge, { code: app.code(1) }), ended, 'a challenge is answered once');
  const [entry] = await sql<{ details: object }[]>`
    select details from audit_log where resource_id = ${id} and action = 'login' order by id desc limit 1`;
  t.match(entry?.details, { secondFactor: 'totp' });
  t.strictSame(await actionsOf(id), ['create', 'login', 'add-second-factor', 'second-factor-wrong', 'login']);
});

void t.test('begins the session of a browser with a second factor', async (t) => {
  const { email, app } = await enrolled();
  const browser = new TestBrowser(api.app);
  const answer = await browser.signIn({ email, password });
  t.equal(answer.status, 202);
  t.equal(browser.token, '');
  const challenge = answer.json['data']?.['challenge'];
  const second = (headers = {}) =>
    browser.call({
      method: 'POST',
      url: '/cpms/v1/auth/sessions/second-factor',
      payload: { challenge, code: app.code() },
      headers,
    });
  t.match(await second({ 'sec-fetch-site': 'cross-site' }), refused(403, 'CROSS_SITE_REQUEST'));
  t.match(await second(), { status: 201, json: { data: { email } } });
  t.equal((await browser.get('/me')).status, 200);
});

void t.test('accepts a code and a recovery code once', async (t) => {
  const { email, app, recoveryCodes } = await enrolled();
  t.equal(new Set(recoveryCodes).size, 10);
  const code = app.code();
  t.equal((await answerWith(await challengeOf(email), { code })).status, 200);
  t.match(await answerWith(await challengeOf(email), { code }), failed);
  const [recoveryCode = ''] = recoveryCodes;
  const typed = recoveryCode.toUpperCase().replaceAll('-', ' ');
  t.equal((await answerWith(await challengeOf(email), { recoveryCode: typed })).status, 200);
  t.match(await answerWith(await challengeOf(email), { recoveryCode }), failed);
  t.notOk(
    (await sql`select code_hash::text from recovery_codes`).some((row) =>
      JSON.stringify(row).includes(recoveryCode),
    ),
  );
});

void t.test('ends a challenge after five wrong answers, and limits the answers of an account', async (t) => {
  const { email, id, app } = await enrolled();
  const challenge = await challengeOf(email);
  for (const attemptsLeft of [4, 3, 2, 1, 0]) {
    t.match((await answerWith(challenge, { code: app.wrongCode() })).json['error'], {
      details: { attemptsLeft },
    });
  }
  t.match(await answerWith(challenge, { code: app.code() }), ended);
  t.same(
    (await actionsOf(id)).filter((action) => /wrong|failed/.test(action)),
    [...Array.from({ length: 4 }, () => 'second-factor-wrong'), 'second-factor-failed'],
    'each wrong answer has an entry',
  );
  t.equal((await mailTo(api, email)).kind, 'second-factor-failed');
  const next = await challengeOf(email);
  for (let answers = 7; answers <= 10; answers += 1) await answerWith(next, { code: app.wrongCode() });
  t.match(await answerWith(next, { code: app.code() }), refused(429, 'RATE_LIMITED'));
});

void t.test('ends a challenge with time, with a new password and with the account', async (t) => {
  const expired = await enrolled();
  const first = await challengeOf(expired.email);
  await sql`update login_challenges set expires_at = now()`;
  t.match(await answerWith(first, { code: expired.app.code() }), ended);
  for (const change of [{ password: 'another horse battery' }, { isDisabled: true }]) {
    const { email, path, app } = await enrolled();
    const challenge = await challengeOf(email);
    t.equal((await api.call(key, { method: 'PATCH', url: path, payload: change })).status, 200);
    t.match(await answerWith(challenge, { code: app.code() }), ended);
  }
  t.match(await answerWith('cw_challenge_unknown', { code: '000000' }), ended);
});

void t.test('requests the second factor also after a password reset by e-mail', async (t) => {
  const { email, app } = await enrolled();
  await post('/forgot-password', { email });
  const { token } = await mailTo(api, email);
  const chosen = 'a new horse battery';
  t.equal((await post('/reset-password', { token, password: chosen })).status, 200);
  const answer = await post('/login', { email, password: chosen });
  t.equal(answer.status, 202);
  const challenge = answer.json['data']?.['challenge'];
  t.equal((await post('/login/second-factor', { challenge, code: app.code() })).status, 200);
});

void t.test('answers a wrong password alike, with and without a second factor', async (t) => {
  const plain = await addOperator();
  const { email } = await enrolled();
  const answers = await Promise.all(
    [plain.email, email, 'nobody@example.com'].map((each) =>
      post('/login', { email: each, password: 'wrong' }),
    ),
  );
  for (const answer of answers) {
    t.match(answer, refused(401, 'LOGIN_FAILED'));
    t.strictSame(answer.json['error'], answers[0]?.json['error']);
  }
});

void t.test('enrols with the password and a right code, and ends other sessions', async (t) => {
  const { email } = await addOperator();
  const { access } = await logIn(email);
  const { access: other } = await logIn(email);
  const begin = (sent: string) =>
    post('/second-factors', { kind: 'totp', name: 'Phone', password: sent }, access);
  t.match(await begin('wrong'), refused(400, 'VALIDATION_FAILED'));
  const begun = await begin(password);
  t.match(begun.json['data'], { totp: { uri: /^otpauth:\/\/totp\// }, passkey: null });
  const id = begun.json['data']?.['id'] as unknown as string;
  const confirm = (proof: object, by = access) => post(`/second-factors/${id}/confirm`, proof, by);
  t.match(await confirm({ code: '000000' }), refused(400, 'VALIDATION_FAILED'));
  t.equal((await post('/login', { email, password })).status, 200, 'a pending factor is not requested');
  const stranger = await logIn((await addOperator()).email);
  t.match(await confirm({ code: '000000' }, stranger.access), refused(404, 'SECOND_FACTOR_NOT_FOUND'));
  await sql`update second_factors set created_at = now() - interval '11 minutes' where uuid = ${id}`;
  t.match(await confirm({ code: '000000' }), refused(404, 'SECOND_FACTOR_NOT_FOUND'), 'after ten minutes');

  const { confirmation } = await enrolApp((path, payload) => post(path, payload, access), password);
  t.match(confirmation, { status: 200, json: { data: { factor: { kind: 'totp', name: 'Phone' } } } });
  t.match(await me(other), refused(401, 'TOKEN_INVALID'), 'it began with the password only');
  t.equal((await me(access)).status, 200);
  const sealed =
    await sql`select sealed_secret from second_factors where state = 'active' and sealed_secret is null`;
  t.strictSame(sealed.length, 0);
});

void t.test('removes a factor and replaces recovery codes with the password only', async (t) => {
  const { access, id, factorId, email, recoveryCodes } = await enrolled();
  const stranger = await logIn((await addOperator()).email);
  const remove = (sent: string, by: string) =>
    post(`/second-factors/${factorId}/remove`, { password: sent }, by);
  t.match(await remove(password, stranger.access), refused(404, 'SECOND_FACTOR_NOT_FOUND'));
  t.match(await remove('wrong', access), refused(400, 'VALIDATION_FAILED'));
  t.match(await post('/recovery-codes', { password: 'wrong' }, access), refused(400, 'VALIDATION_FAILED'));
  const renewed = await post('/recovery-codes', { password }, access);
  t.equal(renewed.status, 201);
  const [recoveryCode] = recoveryCodes;
  t.match(await answerWith(await challengeOf(email), { recoveryCode }), failed, 'an earlier code');
  t.equal((await remove(password, access)).status, 200);
  t.match((await get(access, '/auth/second-factors')).json['data'], { factors: [], recoveryCodes: 0 });
  t.equal((await post('/login', { email, password })).status, 200);
  t.match(await post('/recovery-codes', { password }, access), refused(404, 'SECOND_FACTOR_NOT_FOUND'));
  t.strictSame(await actionsOf(id), [
    'create',
    'login',
    'add-second-factor',
    'renew-recovery-codes',
    'second-factor-wrong',
    'remove-second-factor',
    'login',
  ]);
});

void t.test('has no second factors for keys and anonymous callers', async (t) => {
  const body = { kind: 'totp', name: 'Phone', password };
  for (const [by, expected] of [
    [key, refused(403, 'OPERATOR_NOT_ALLOWED')],
    [null, { status: 401 }],
  ] as const) {
    t.match(await call(by, 'GET', '/second-factors'), expected);
    t.match(await call(by, 'POST', '/second-factors', body), expected);
    t.match(await call(by, 'POST', '/recovery-codes', { password }), expected);
    t.match(await call(by, 'POST', `/second-factors/${api.network.uuid}/remove`, { password }), expected);
    t.match(
      await call(by, 'POST', `/second-factors/${api.network.uuid}/confirm`, { code: '000000' }),
      expected,
    );
  }
});

void t.test('lets operators of a network that requires a second factor only enrol one', async (t) => {
  const network = `/cpms/v1/networks/${api.otherNetwork.uuid}`;
  const email = `bound-${Date.now()}@example.com`;
  const payload = { email, name: 'Ada', role: 'Owner', password, networkUuids: [api.otherNetwork.uuid] };
  await api.call(key, { method: 'POST', url: '/cpms/v1/operators', payload });
  const { access } = await logIn(email);
  const minted = await api.call(null, {
    method: 'POST',
    url: '/cpms/v1/api-keys',
    payload: {},
    headers: { authorization: `Bearer ${access}` },
  });
  const ownKey = minted.json['data']?.['key'] as unknown as string;
  const require = (requiresSecondFactor: boolean) =>
    api.call(key, { method: 'PATCH', url: network, payload: { requiresSecondFactor } });
  const networks = await mintKey(api, {
    scopes: ['cpms:read', 'cpms:write:networks'],
    unrestricted: true,
    networkIds: [],
  });
  const weaken = { method: 'PATCH', url: network, payload: { requiresSecondFactor: true } } as const;
  t.match(await api.call(networks, weaken), refused(403, 'SCOPE_MISSING'));
  t.match(await require(true), { status: 200, json: { data: { requiresSecondFactor: true } } });
  t.teardown(() => require(false));

  const required = refused(403, 'SECOND_FACTOR_ENROLMENT_REQUIRED');
  const { access: later } = await logIn(email);
  for (const by of [access, later]) {
    t.match(await me(by), required);
    t.match(await get(by, '/chargers'), required);
  }
  const browser = new TestBrowser(api.app);
  t.equal((await browser.signIn({ email, password })).status, 201);
  t.match(await browser.get('/me'), required);
  t.equal((await browser.get('/auth/session')).status, 200);
  t.match(await browser.get('/auth/second-factors'), { json: { data: { isRequired: true, factors: [] } } });
  t.equal((await api.call(ownKey, { url: '/cpms/v1/me' })).status, 200, 'API keys are not affected');

  const { id } = await enrolApp((path, sent) => post(path, sent, later), password);
  t.equal((await me(later)).status, 200);
  t.match(
    await post(`/second-factors/${id}/remove`, { password }, later),
    refused(409, 'LAST_SECOND_FACTOR'),
  );
  await require(false);
  t.equal((await post(`/second-factors/${id}/remove`, { password }, later)).status, 200);
});

void t.test('resets lost factors for those who may change the account, with an e-mail', async (t) => {
  const lost = await enrolled();
  const admin = await logIn((await addOperator('Admin')).email);
  t.match(await reset(admin.access, lost.path), refused(403, 'ROLE_NOT_ALLOWED'), 'an Admin and an Owner');
  const manager = await logIn((await addOperator('Manager')).email);
  t.match(await reset(manager.access, lost.path), refused(403, 'SCOPE_MISSING'));
  t.match(await reset(lost.access, lost.path), refused(400, 'VALIDATION_FAILED'), 'the own account');
  const mint = async (headers: Record<string, string>) => {
    const payload = { scopes: grantableScopes };
    const { json } = await api.call(null, { method: 'POST', url: '/cpms/v1/api-keys', payload, headers });
    return json['data']?.['key'] as unknown as string;
  };
  const own = await mint({ authorization: `Bearer ${lost.access}` });
  const further = await mint({ 'x-api-key': own });
  for (const by of [own, further]) {
    const refusal = refused(400, 'VALIDATION_FAILED');
    t.match(await api.call(by, { method: 'DELETE', url: `${lost.path}/second-factors` }), refusal, 'own key');
    for (const payload of [{ password: 'another long one' }, { email: 'thief@example.com' }]) {
      t.match(await api.call(by, { method: 'PATCH', url: lost.path, payload }), refusal, 'own key');
    }
  }
  const pinned = await mintKey(api, { networkIds: [api.network.id] });
  const url = `${lost.path}/second-factors`;
  t.match(await api.call(pinned, { method: 'DELETE', url }), refused(404, 'OPERATOR_NOT_FOUND'));
  t.equal((await api.call(null, { method: 'DELETE', url })).status, 401);

  const challenge = await challengeOf(lost.email);
  const answer = await api.call(key, { method: 'DELETE', url });
  t.match(answer, { status: 200, json: { data: { hasSecondFactor: false } } });
  t.match(await me(lost.access), refused(401, 'TOKEN_INVALID'));
  t.match(await answerWith(challenge, { recoveryCode: lost.recoveryCodes[0] }), ended);
  t.equal((await post('/login', { email: lost.email, password })).status, 200);
  t.equal((await mailTo(api, lost.email)).kind, 'second-factor-reset');
  t.ok((await actionsOf(lost.id)).includes('reset-second-factor'));
  t.match(await api.call(key, { method: 'DELETE', url }), refused(404, 'SECOND_FACTOR_NOT_FOUND'));
});

void t.test('refuses an answer of a passkey that the account does not have', async (t) => {
  const { email } = await enrolled();
  const passkey = {
    id: 'dGVzdA',
    rawId: 'dGVzdA',
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: 'dGVzdA', authenticatorData: 'dGVzdA', signature: 'dGVzdA' },
  };
  t.match(await answerWith(await challengeOf(email), { passkey }), failed);
});
