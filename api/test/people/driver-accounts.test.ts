import { createHash, randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import t from 'tap';
import { unverifiedDays } from '#api/services/people/driver-registration.ts';
import { removeExpiredRegistrations } from '#shared/postgres/people/driver-accounts.ts';
import {
  auth,
  badToken,
  driverClient,
  failed,
  invalid,
  newEmail,
  password,
  tokensOf,
} from '#api/test/support/driver-client.ts';
import { bearer, signUp } from '#api/test/support/drivers.ts';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { mailTo } from '#api/test/support/mailbox.ts';
import { untilBlocked } from '#api/test/support/meanwhile.ts';
import { addUser } from '#api/test/support/records.ts';

const api = await startTestApi(t);
const { sql } = api.stores;
const networkId = api.network.uuid;
const { post, get, me, register, logIn } = driverClient(api);

void t.test('registers a driver, verifies the address and changes the account', async (t) => {
  const email = newEmail();
  const registered = await register(email, { phone: '+31 6 1', language: 'nl' });
  t.match(registered, {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    json: {
      tokenType: 'Bearer',
      expiresIn: 900,
      refreshExpiresAt: String,
      driver: {
        id: null,
        networkId,
        email,
        name: 'Ada',
        phone: '+31 6 1',
        language: 'nl',
        emailVerified: false,
      },
    },
  });
  const first = tokensOf(registered);
  for (const url of [`${auth}/me`, '/emsp/v1/chargers', '/emsp/v1/wallet']) {
    t.match(await get(url, first.access), { status: 403, json: { code: 'EMAIL_NOT_VERIFIED' } }, url);
  }
  const early = await logIn(email);
  t.match(early, { status: 200, json: { driver: { id: null, email, emailVerified: false } } });
  t.match(await me(tokensOf(early).access), { status: 403, json: { code: 'EMAIL_NOT_VERIFIED' } });
  t.match(await logIn(email, 'of another driver'), failed);
  t.equal((await sql`select 1 from users where email = ${email}`).length, 0, 'nor is there a driver');

  const mail = await mailTo(api, email);
  t.match(mail, { kind: 'verify-email', text: 'Bevestig' });
  t.match(await post('/verify-email', { token: `${mail.token}x` }), badToken);
  t.match(await post('/verify-email', { token: mail.token }), { status: 200, json: { message: String } });
  t.match(await post('/verify-email', { token: mail.token }), badToken, 'once');
  const profile = await me(first.access);
  t.match(profile, {
    status: 200,
    json: { email, name: 'Ada', phone: '+31 6 1', language: 'nl', networkId },
  });
  const id = profile.json['id'] as unknown as string;

  const login = await logIn(email.toUpperCase());
  t.match(login, { status: 200, json: { driver: { id, email, emailVerified: true } } });
  const { access } = tokensOf(login);
  t.match(decodeJwt(access), { iss: 'chargeway', aud: 'chargeway/emsp', sub: String, sid: String });
  const key = await mintKey(api, { apiFamily: 'emsp' });
  t.match(
    (await api.call(key, { url: `/emsp/v1/users/${id}` })).json,
    { id, email },
    'operators see the driver',
  );

  const change = { method: 'PATCH', url: `${auth}/me`, headers: bearer(access) } as const;
  const changed = await api.call(null, { ...change, payload: { name: 'Ada L.', phone: null } });
  t.match(changed, { status: 200, json: { id, name: 'Ada L.', phone: null, language: 'nl' } });
  for (const payload of [{}, { email: newEmail() }, { externalId: 'X' }, { name: '' }]) {
    t.equal((await api.call(null, { ...change, payload })).status, 400, JSON.stringify(payload));
  }

  const second = tokensOf(await post('/refresh', { refreshToken: first.refresh }));
  t.equal((await me(second.access)).status, 200);
  t.equal((await post('/logout', { refreshToken: second.refresh })).status, 200);
  t.match(await me(second.access), invalid, 'its access tokens end with it');
  t.match(await post('/refresh', { refreshToken: second.refresh }), invalid);
  t.equal((await me(access)).status, 200, 'the other session goes on');

  const entries = await sql`
    select action, user_id, user_name, details::text, description from audit_log where resource_id = ${id} order by id`;
  t.match(entries, [
    { action: 'register', user_id: id, user_name: null },
    { action: 'update', user_id: id, user_name: null },
  ]);
  const kept = await sql`select * from driver_refresh_tokens, driver_mail_tokens, driver_accounts`;
  const written = `${api.log()}${JSON.stringify(entries)}`;
  for (const secret of [first.access, first.refresh, second.refresh, mail.token, password]) {
    t.notMatch(written, secret);
    t.notMatch(JSON.stringify(kept), secret);
  }
  t.notMatch(written, email, 'who it is stands in no log');
  t.match(api.log(), /"caller":"driver:\d+"/);
});

void t.test('reveals a known address only by e-mail', async (t) => {
  const [known, withoutAccount, fresh] = [newEmail(), newEmail(), newEmail()];
  await signUp(api, known);
  const imported = await addUser(sql, api.network.id, withoutAccount);
  const answers = [];
  for (const email of [known, withoutAccount, fresh]) {
    const answer = await register(email, { password: 'chosen by a stranger' });
    const { driver, ...rest } = answer.json;
    const shown = { ...driver, email: null, createdAt: null, lastLoginAt: null };
    answers.push({ status: answer.status, names: Object.keys(rest).toSorted(), driver: shown });
    const { access, refresh } = tokensOf(answer);
    t.match(await me(access), { status: 403, json: { code: 'EMAIL_NOT_VERIFIED' } });
    t.equal((await post('/refresh', { refreshToken: refresh })).status, 200);
    const login = await logIn(email, 'chosen by a stranger');
    t.match(login, { status: 200, json: { driver: { id: null, emailVerified: false } } });
    t.match(await me(tokensOf(login).access), { status: 403, json: { code: 'EMAIL_NOT_VERIFIED' } });
    const anywhere = await post('/login', { email, password: 'chosen by a stranger' });
    t.match(anywhere, { status: 200, json: { driver: { id: null, emailVerified: false } } });
  }
  t.strictSame(answers[1], answers[0]);
  t.strictSame(answers[2], answers[0]);
  t.equal((await logIn(known)).status, 200, 'the account is as it was');

  // Who is known and has no account yet makes one by choosing a password.
  const mail = await mailTo(api, withoutAccount);
  t.match(mail, { kind: 'account-exists' });
  t.match(await mailTo(api, known), { kind: 'account-exists' });
  t.match(await post('/verify-email', { token: mail.token }), badToken, 'it verifies no registration');
  t.equal((await post('/reset-password', { token: mail.token, password })).status, 200);
  t.match(await logIn(withoutAccount), { status: 200, json: { driver: { id: imported.uuid } } });

  // What is done for a known and for an unknown address is the same, so that it takes the same time.
  const counts = async () =>
    (
      await sql`
        select (select count(*) from mails) as mails, (select count(*) from driver_mail_tokens) as tokens,
          (select count(*) from driver_accounts) as accounts, (select count(*) from queued_jobs) as jobs`
    )[0] as Record<string, bigint>;
  for (const [path, more] of [
    ['/forgot-password', {}],
    ['/register', { password, name: 'A' }],
  ] as const) {
    const work = [];
    for (const email of [known, newEmail()]) {
      const before = await counts();
      const answer = await post(path, { email, networkId, ...more });
      const after = await counts();
      const done = Object.entries(after).map(([name, count]) => `${name} ${count - (before[name] ?? 0n)}`);
      work.push({ status: answer.status, message: answer.json['message'], done });
    }
    t.strictSame(work[0], work[1], path);
    t.match(work[0]?.done, ['mails 1', 'tokens 1', /^accounts /, 'jobs 1']);
  }
  t.equal(
    (await sql`select 1 from mails where recipient is null`).length,
    1,
    'the e-mail without a recipient',
  );
});

void t.test('gives an address to the registration that is verified', async (t) => {
  const email = newEmail();
  const first = tokensOf(await register(email));
  const one = (await mailTo(api, email)).token;
  const later = tokensOf(await register(email, { password: 'another password' }));
  const two = (await mailTo(api, email)).token;
  const racing = await Promise.all([
    post('/verify-email', { token: one }),
    post('/verify-email', { token: two }),
  ]);
  t.strictSame(
    racing.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 400],
  );
  const [winner, loser] = racing[0]?.status === 200 ? [first, later] : [later, first];
  t.equal((await me(winner.access)).status, 200);
  t.match(await me(loser.access), invalid);
  t.equal((await sql`select 1 from users where email = ${email}`).length, 1);

  const taken = newEmail();
  await register(taken);
  const { token } = await mailTo(api, taken);
  await addUser(sql, api.network.id, taken.toUpperCase());
  t.match(await post('/verify-email', { token }), badToken, 'an operator made the driver meanwhile');
  const early = await logIn(taken);
  t.match(early, { status: 200, json: { driver: { id: null, emailVerified: false } } });
  t.match(await me(tokensOf(early).access), { status: 403, json: { code: 'EMAIL_NOT_VERIFIED' } });
});

void t.test('repeats the e-mail of a registration and removes unverified ones', async (t) => {
  const email = newEmail();
  const { access } = tokensOf(await register(email));
  const before = await mailTo(api, email);
  t.match(await post('/resend-verification', {}, access), { status: 200, json: { message: String } });
  const after = await mailTo(api, email);
  t.not(after.token, before.token);
  t.match(await api.call(null, { method: 'POST', url: `${auth}/resend-verification` }), invalid);
  t.equal((await post('/verify-email', { token: after.token })).status, 200);
  const mails = async () => (await sql`select 1 from mails where recipient = ${email}`).length;
  const sent = await mails();
  t.equal((await post('/resend-verification', {}, access)).status, 200);
  t.equal(await mails(), sent, 'there is nothing to verify any more');

  const late = newEmail();
  const unverified = tokensOf(await register(late));
  const { token } = await mailTo(api, late);
  await sql`update driver_mail_tokens set expires_at = now() - interval '1 second' where purpose = 'verify-email'`;
  t.match(await post('/verify-email', { token }), badToken);
  await sql`update driver_accounts set created_at = now() - interval '167 hours' where email = ${late}`;
  await removeExpiredRegistrations(sql, unverifiedDays);
  t.match(await me(unverified.access), { status: 403 });
  await sql`update driver_accounts set created_at = now() - interval '169 hours' where email = ${late}`;
  await removeExpiredRegistrations(sql, unverifiedDays);
  t.match(await me(unverified.access), invalid);
  t.equal((await me(access)).status, 200);
});

void t.test('answers the request for an e-mail during the verification as after it', async (t) => {
  for (const isOwn of [true, false]) {
    const email = newEmail();
    const own = tokensOf(await register(email));
    const { token } = await mailTo(api, email);
    const other = tokensOf(await register(email, { password: 'another password' }));
    const mails = async () => (await sql`select from mails where recipient = ${email}`).length;
    const before = await mails();
    const resend = () => post('/resend-verification', {}, isOwn ? own.access : other.access);
    const asked: ReturnType<typeof post>[] = [];
    await sql.begin(async (transaction) => {
      // The verification has locked the accounts by the time that it waits for this.
      await transaction`select from networks where id = ${api.network.id} for no key update`;
      asked.push(post('/verify-email', { token }));
      await untilBlocked(sql, 1);
      asked.push(resend());
      await untilBlocked(sql, 2);
    });
    const verified = { status: 200, json: { message: 'The e-mail address is verified.' } };
    // Data that others registered with the address is deleted.
    const answer = isOwn ? verified : invalid;
    t.match(await Promise.all(asked), [verified, answer]);
    t.match(await resend(), answer);
    t.equal(await mails(), before);
  }
});

void t.test('binds an account to one network', async (t) => {
  const email = newEmail();
  const here = await signUp(api, email);
  const there = await signUp(api, email, api.otherNetwork);
  t.not(here.id, there.id);
  t.match((await me(there.access)).json, { id: there.id, networkId: api.otherNetwork.uuid });
  for (const path of ['/login', '/register', '/forgot-password']) {
    const body = {
      email,
      ...(path !== '/forgot-password' && { password }),
      ...(path === '/register' && { name: 'A' }),
    };
    for (const [changed, message] of [[{ networkId: randomUUID() }, /no network/]] as const) {
      t.match(await post(path, { ...body, ...changed }), {
        status: 400,
        json: { code: 'VALIDATION_FAILED', details: { errors: [{ field: 'networkId', message }] } },
      });
    }
  }
  const late = newEmail();
  await register(late, { networkId: api.otherNetwork.uuid });
  const { token } = await mailTo(api, late);
  await sql`update networks set deleted_at = now() where id = ${api.otherNetwork.id}`;
  t.match(await post('/verify-email', { token }), badToken, 'a removed account cannot be verified');
  t.match(
    await post('/login', { email, password }),
    { status: 200, json: { driver: { id: here.id } } },
    'the only one',
  );
  await sql`update networks set deleted_at = null where id = ${api.otherNetwork.id}`;
});

void t.test('rejects tokens of the other API family', async (t) => {
  const driver = await signUp(api, newEmail());
  t.match(await get('/cpms/v1/me', driver.access), {
    status: 401,
    json: { error: { code: 'TOKEN_INVALID' } },
  });
  const key = await mintKey(api, { unrestricted: true, networkIds: [] });
  const email = newEmail();
  await api.call(key, {
    method: 'POST',
    url: '/cpms/v1/operators',
    payload: { email, name: 'Op', role: 'Owner', password },
  });
  const login = await api.call(null, {
    method: 'POST',
    url: '/cpms/v1/auth/login',
    payload: { email, password },
  });
  const operator = login.json['data']?.['accessToken'] as unknown as string;
  t.equal((await get('/cpms/v1/me', operator)).status, 200);
  const answer = await get('/emsp/v1/chargers', operator);
  t.match(answer, invalid);
  t.equal(
    answer.headers['www-authenticate'],
    'ApiKey realm="chargeway", Bearer realm="chargeway", error="invalid_token"',
  );
  t.match(await logIn(email), failed, 'nor are their passwords');
  t.match(await me('nonsense'), invalid);
});

void t.test('validates a registration before any effect', async (t) => {
  const good = { email: newEmail(), password, name: 'Ada', networkId };
  const wrong: [string, object][] = [
    ['/register', { ...good, email: 'no address' }],
    ['/register', { ...good, email: `${'a'.repeat(250)}@b.example` }],
    ['/register', { ...good, password: '1234567' }],
    ['/register', { ...good, password: 'x'.repeat(129) }],
    ['/register', { ...good, name: 'a\u0000b' }],
    ['/register', { ...good, name: 'x'.repeat(101) }],
    ['/register', { ...good, language: 'klingon!' }],
    ['/register', { ...good, networkId: 'north' }],
    ['/register', { ...good, role: 'Owner' }],
    ['/register', { email: good.email }],
    ['/login', { email: good.email, password: 12 }],
    ['/login', { email: [good.email], password }],
    ['/refresh', {}],
    ['/refresh', { refreshToken: 'x'.repeat(201) }],
    ['/verify-email', { token: '' }],
    ['/reset-password', { token: 'x' }],
  ];
  const before = await sql`select count(*) from mails`;
  for (const [path, payload] of wrong) {
    const answer = await post(path, payload);
    t.match(
      answer,
      { status: 400, json: { code: 'VALIDATION_FAILED' } },
      `${path} ${JSON.stringify(payload).slice(0, 80)}`,
    );
    t.match(answer.headers['content-type'], 'application/problem+json');
  }
  t.strictSame(await sql`select count(*) from mails`, before);
});

void t.test('the links in e-mails lead to pages that run nothing but their own script', async (t) => {
  for (const [path, title] of [
    ['/account/verify-email', 'E-Mail-Adresse bestätigen'],
    ['/account/reset-password', 'Neues Passwort wählen'],
  ] as const) {
    const page = await api.call(null, { url: `${path}?lang=de` });
    t.match(page, { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    t.match(page.text, `<h1>${title}</h1>`);
    t.match(page.text, /data-action="\/emsp\/v1\/auth\/driver\/(?:verify-email|reset-password)"/);
    const policy = String(page.headers['content-security-policy']);
    for (const tag of ['script', 'style']) {
      const content = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page.text)?.[1] ?? '';
      t.match(policy, `${tag}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`);
    }
    t.match(policy, "default-src 'none'");
    const odd = await api.call(null, { url: `${path}?lang=${encodeURIComponent('"><script>')}` });
    t.match(odd.text, '<html lang="en">');
    t.notMatch(odd.text, '"><script>');
  }
});
