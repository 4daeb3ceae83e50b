import { decodeJwt, decodeProtectedHeader } from 'jose';
import t from 'tap';
import { scopesOfRole } from '#shared/domain/access/roles.ts';
import { removeEndedSessions } from '#shared/postgres/people/login-sessions.ts';
import { type Answer } from '#api/test/support/fixtures.ts';
import { callMeanwhile } from '#api/test/support/meanwhile.ts';
import { invalid, password, startOperatorApi, tokensOf } from '#api/test/support/operator-client.ts';

const { api, key, addOperator, post, logIn, me } = await startOperatorApi(t);

void t.test('an operator logs in, works, renews the session and logs out', async (t) => {
  const { email, id } = await addOperator();
  const login = await post('/login', { email: email.toUpperCase(), password });
  t.match(login, {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    json: {
      data: {
        tokenType: 'Bearer',
        expiresIn: 900,
        operator: { id, email, role: 'Owner', version: 1 },
        refreshExpiresAt: String,
      },
    },
  });
  const first = tokensOf(login);
  t.match(decodeProtectedHeader(first.access), { alg: 'HS256', typ: 'at+jwt', kid: String });
  const claims = decodeJwt(first.access);
  t.match(claims, { iss: 'chargeway', sub: id, sid: String });
  t.equal((claims.exp ?? 0) - (claims.iat ?? 0), 900);
  t.match((await me(first.access)).json['data'], { operatorId: id, email, keyType: null });
  t.equal(
    (await api.call(null, { url: '/cpms/v1/me', headers: { authorization: `bearer   ${first.access}` } }))
      .status,
    200,
    'the case of the scheme is no matter',
  );

  const second = tokensOf(await post('/refresh', { refreshToken: first.refresh }));
  t.not(second.refresh, first.refresh);
  t.equal((await me(second.access)).status, 200);
  t.equal((await post('/logout', { refreshToken: second.refresh })).status, 200);
  t.match(await me(second.access), invalid, 'its access tokens end with it');
  t.match(await me(first.access), invalid);
  t.match(await post('/refresh', { refreshToken: second.refresh }), invalid);
  t.match(await post('/logout', { refreshToken: 'unknown' }), { status: 200 }, 'tells nothing');

  const entries = await api.stores.sql`
    select action, user_id, user_name, api_key_id, ip_address from audit_log
    where category = 'auth' and resource_id = ${id} order by id`;
  t.match(entries, [
    { action: 'login', user_id: id, user_name: 'Ada', api_key_id: null, ip_address: '127.0.0.1' },
    { action: 'logout', user_id: id },
  ]);
  const written = `${api.log()}${JSON.stringify(await api.stores.sql`select details::text, description from audit_log`)}`;
  for (const secret of [first.access, first.refresh, second.refresh, password]) t.notMatch(written, secret);
});

void t.test('records operators by name in the audit log', async (t) => {
  const { email, id } = await addOperator();
  const { access } = await logIn(email);
  const payload = { slug: 'east', name: 'East', currency: 'EUR' };
  const headers = { authorization: `Bearer ${access}` };
  const made = await api.call(null, { method: 'POST', url: '/cpms/v1/networks', payload, headers });
  t.equal(made.status, 201, made.text);
  t.match(await api.stores.sql`select * from audit_log where category = 'network' and user_id = ${id}`, [
    { user_id: id, user_name: 'Ada', api_key_id: null },
  ]);
  t.match(api.log(), /"caller":"operator:\d+"/);
});

void t.test('ends only its own session when a refresh token is used twice', async (t) => {
  const { email, id } = await addOperator();
  const [stolen, other] = [await logIn(email), await logIn(email)];
  const racing = await Promise.all([1, 2, 3].map(() => post('/refresh', { refreshToken: stolen.refresh })));
  t.strictSame(
    racing.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 401, 401],
  );
  const winner = tokensOf(racing.find(({ status }) => status === 200)!);
  t.match(await me(winner.access), invalid);
  t.match(await post('/refresh', { refreshToken: winner.refresh }), invalid);
  t.equal((await me(other.access)).status, 200);
  t.match(
    await api.stores.sql`
      select count(*)::integer as n from audit_log where action = 'refresh-token-reused' and resource_id = ${id}`,
    [{ n: 1 }],
  );
});

void t.test('reveals nothing on a failed login, by answer or timing', async (t) => {
  const { email, path } = await addOperator('Viewer');
  const wrong = { email, password: 'wrong' };
  const nobody = { email: 'nobody@example.com', password: 'wrong' };
  const [one, two] = [await post('/login', wrong), await post('/login', nobody)];
  t.match(one, { status: 401, json: { error: { code: 'LOGIN_FAILED' } } });
  t.strictSame(one.json['error'], two.json['error']);

  // In time of the processor, which other work on the machine does not lengthen; the least, to which other work of this
  // process adds nothing.
  const spent = { wrong: Number.POSITIVE_INFINITY, nobody: Number.POSITIVE_INFINITY };
  for (let round = 1; round <= 6; round += 1) {
    for (const [name, payload] of [
      ['wrong', wrong],
      ['nobody', nobody],
    ] as const) {
      const before = process.cpuUsage();
      const remoteAddress = `192.0.2.${round}`;
      await api.call(null, { method: 'POST', url: '/cpms/v1/auth/login', payload, remoteAddress });
      const { user, system } = process.cpuUsage(before);
      spent[name] = Math.min(spent[name], user + system);
    }
  }
  t.ok(spent.nobody > spent.wrong / 2 && spent.wrong > spent.nobody / 2, JSON.stringify(spent));

  await api.call(key, { method: 'PATCH', url: path, payload: { isDisabled: true } });
  t.strictSame((await post('/login', { email, password })).json['error'], one.json['error'], 'disabled');
  for (const payload of [{}, { email }, { email, password: '' }, { email, password: 'x'.repeat(129) }]) {
    t.equal((await post('/login', payload)).status, 400);
  }
});

function attempt(email: string, remoteAddress: string, secret = 'wrong'): Promise<Answer> {
  const payload = { email, password: secret };
  return api.call(null, { method: 'POST', url: '/cpms/v1/auth/login', payload, remoteAddress });
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

void t.test('limits login attempts by account and by address', async (t) => {
  const { email } = await addOperator();
  const many = await Promise.all(Array.from({ length: 60 }, () => attempt(email, '198.51.100.1')));
  t.strictSame(
    statuses(many).toSorted((a, b) => a - b),
    [...Array.from({ length: 10 }, () => 401), ...Array.from({ length: 50 }, () => 429)],
  );
  const refused = await attempt(email.toUpperCase(), '198.51.100.1', password);
  t.match(refused, { status: 429, json: { error: { code: 'RATE_LIMITED' } } }, 'the right one too');
  const retryAfter = Number(refused.headers['retry-after']);
  t.ok(retryAfter > 800 && retryAfter <= 900, `${retryAfter} s`);
  t.equal(
    (await attempt(email, '198.51.100.2', password)).status,
    200,
    'the operator elsewhere is not locked out',
  );

  const others = await Promise.all(
    Array.from({ length: 93 }, (_, index) => attempt(`someone${index}@example.com`, '198.51.100.1')),
  );
  t.equal(statuses(others).filter((status) => status === 429).length, 3, 'more than 100 from one address');
});

void t.test('changes a password with the old one and ends the other sessions', async (t) => {
  const { email, id, path } = await addOperator();
  const [mine, other] = [await logIn(email), await logIn(email)];
  const change = (currentPassword: string, newPassword: string, bearer: string | undefined = mine.access) =>
    post('/change-password', { currentPassword, newPassword }, bearer);
  const next = 'a staple for the battery';
  for (const [current, wanted] of [
    ['wrong', next],
    [password, 'short'],
    [password, password],
  ] as const) {
    t.match(await change(current, wanted), { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
  }
  t.match(await change(password, next), { status: 200, json: { data: { changed: true } } });
  t.equal((await me(mine.access)).status, 200);
  t.match(await me(other.access), invalid);
  t.match(await post('/refresh', { refreshToken: other.refresh }), invalid);
  t.equal((await post('/login', { email, password })).status, 401);
  t.equal((await post('/login', { email, password: next })).status, 200);

  const payload = { currentPassword: next, newPassword: password };
  t.match(await api.call(key, { method: 'POST', url: '/cpms/v1/auth/change-password', payload }), {
    status: 403,
    json: { error: { code: 'OPERATOR_NOT_ALLOWED' } },
  });
  t.equal((await post('/change-password', payload)).status, 401, 'nobody');
  const own = { method: 'PATCH', url: path, payload: { password } } as const;
  const headers = { authorization: `Bearer ${mine.access}` };
  t.match(await api.call(null, { ...own, headers }), {
    status: 400,
    json: { error: { code: 'VALIDATION_FAILED' } },
  });
  const address = { ...own, payload: { email: `other.${email}` } };
  t.match(
    await api.call(null, { ...address, headers }),
    {
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED', details: { errors: [{ field: 'email' }] } } },
    },
    'nor an address that receives a reset of the password',
  );
  t.equal(
    (await api.call(null, { ...own, payload: { email, name: 'Ada L.' }, headers })).status,
    200,
    'other fields',
  );
  t.equal((await api.call(key, own)).status, 200, 'set by another');
  t.match(await me(mine.access), invalid);
  t.equal((await post('/login', { email, password })).status, 200);
  const hashes = await api.stores.sql`select password_hash from operators where uuid = ${id}`;
  t.match(hashes, [{ password_hash: /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/ }]);
});

void t.test('ends sessions begun with a password when it changes', async (t) => {
  const { email, id } = await addOperator();
  const { access } = await logIn(email);
  const headers = { authorization: `Bearer ${access}` };
  const login = { method: 'POST', url: '/cpms/v1/auth/login', payload: { email, password } } as const;
  const payload = { currentPassword: password, newPassword: 'a staple for the battery' };
  const change = { method: 'POST', url: '/cpms/v1/auth/change-password', payload, headers } as const;
  const { sql } = api.stores;
  const kept = await sql`select password_hash, is_disabled from operators where uuid = ${id}`;
  for (const [request, changed, status] of [
    [login, { password_hash: 'set' }, 401],
    [login, { is_disabled: true }, 401],
    [change, { password_hash: 'set' }, 400],
  ] as const) {
    const answer = await callMeanwhile(
      api,
      (transaction) => transaction`update operators set ${transaction(changed)} where uuid = ${id}`,
      null,
      request,
    );
    t.equal(answer.status, status, answer.text);
    await sql`update operators set ${sql({ ...kept[0] })} where uuid = ${id}`;
  }
});

void t.test('ends the access of a disabled or removed account at once', async (t) => {
  const { email, path } = await addOperator('Viewer');
  const before = await logIn(email);
  await api.call(key, { method: 'PATCH', url: path, payload: { isDisabled: true } });
  t.match(await me(before.access), { status: 403, json: { error: { code: 'OPERATOR_NOT_ALLOWED' } } });
  t.match(await post('/refresh', { refreshToken: before.refresh }), invalid);
  await api.call(key, { method: 'PATCH', url: path, payload: { isDisabled: false } });
  t.match(await me(before.access), invalid, 'a session that ended stays ended');
  const again = await logIn(email);
  t.equal((await me(again.access)).status, 200);
  await api.call(key, { method: 'PATCH', url: path, payload: { role: 'Manager' } });
  t.strictSame((await me(again.access)).json['data']?.['scopes'], scopesOfRole('Manager'));
  t.equal((await api.call(key, { method: 'DELETE', url: path })).status, 200);
  t.match(await me(again.access), invalid);
});

void t.test('removes an ended session with its refresh token', async (t) => {
  const { email, id } = await addOperator();
  const [over, other] = [await logIn(email), await logIn(email)];
  const { sql } = api.stores;
  await sql`
    update operator_sessions set expires_at = now() - interval '1 second' where id = ${String(decodeJwt(over.access)['sid'])}`;
  t.match(await me(over.access), invalid);
  t.match(await post('/refresh', { refreshToken: over.refresh }), invalid);
  await removeEndedSessions(sql);
  t.equal((await me(other.access)).status, 200);
  t.equal((await post('/refresh', { refreshToken: other.refresh })).status, 200);
  const left = await sql`
    select s.id from operator_sessions s join operators o on o.id = s.operator_id where o.uuid = ${id}`;
  t.strictSame(
    left.map((row) => String(row['id'])),
    [String(decodeJwt(other.access)['sid'])],
  );
});
