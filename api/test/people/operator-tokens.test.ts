import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import t from 'tap';
import { invalid, startOperatorApi } from '#api/test/support/operator-client.ts';

const { api, addOperator, logIn, me } = await startOperatorApi(t);

void t.test('rejects a forged, altered or expired token', async (t) => {
  const { email, id } = await addOperator();
  const { access } = await logIn(email);
  const { sid } = decodeJwt(access);
  const [row] = await api.stores.sql<{ kid: string; sealed: Buffer; sealingKey: string }[]>`
    select kid, secret as sealed, sealing_key as "sealingKey" from token_signing_keys`;
  const { kid, sealed, sealingKey } = row!;
  const secret = api.deps.secrets.openBytes(sealed, sealingKey);
  const forge = (
    changed: { kid?: string; typ?: string; aud?: string; iss?: string; exp?: string },
    with_ = secret,
  ) =>
    new SignJWT({ sid })
      .setProtectedHeader({ alg: 'HS256', typ: changed.typ ?? 'at+jwt', kid: changed.kid ?? kid })
      .setIssuer(changed.iss ?? 'chargeway')
      .setAudience(changed.aud ?? 'chargeway/cpms')
      .setSubject(id)
      .setExpirationTime(changed.exp ?? '15 min')
      .sign(with_);
  t.equal((await me(await forge({}))).status, 200, 'the real secret would do');
  const [head = '', body = '', signature = ''] = access.split('.');
  const bad = {
    nonsense: 'nonsense',
    'another signature': `${head}.${body}.${signature.slice(0, -4)}AAAA`,
    'no signature': new UnsecuredJWT({ sid }).setIssuer('chargeway').setSubject(id).encode(),
    'another secret': await forge({}, Buffer.alloc(32)),
    'an unknown key': await forge({ kid: '00000000-0000-4000-8000-000000000000' }),
    'a key that is no name': await forge({ kid: "'; drop table operators" }),
    'another use': await forge({ typ: 'JWT' }),
    'another audience': await forge({ aud: 'chargeway/emsp' }),
    'another issuer': await forge({ iss: 'https://evil.example' }),
  };
  for (const [what, token] of Object.entries(bad)) {
    const answer = await me(token);
    t.match(answer, invalid, what);
    t.match(answer.headers['www-authenticate'], 'Bearer realm="chargeway", error="invalid_token"', what);
  }
  t.match(await me(await forge({ exp: '-1 s' })), {
    status: 401,
    json: { error: { code: 'TOKEN_EXPIRED' } },
  });
  for (const authorization of ['Bearer', 'Bearer two words', 'Basic YTpi', `Token ${access}`]) {
    const answer = await api.call(null, { url: '/cpms/v1/me', headers: { authorization } });
    t.match(answer, { status: 401, json: { error: { code: 'KEY_MISSING' } } }, authorization);
    t.equal(answer.headers['www-authenticate'], 'ApiKey realm="chargeway", Bearer realm="chargeway"');
  }
});

void t.test('rotates the signing key and accepts tokens of the previous one', async (t) => {
  const { email } = await addOperator();
  const { sql } = api.stores;
  const old = await logIn(email);
  await sql`update token_signing_keys set created_at = now() - interval '30 days 1 minute'`;
  const racing = await Promise.all([1, 2, 3].map(() => logIn(email)));
  const kids = [old, ...racing].map(({ access }) => decodeProtectedHeader(access).kid);
  t.equal(new Set(kids).size, 2, 'one new key, regardless of the order');
  for (const { access } of [old, ...racing]) t.equal((await me(access)).status, 200);
  await sql`update token_signing_keys set created_at = created_at - interval '31 days'`;
  const newest = await logIn(email);
  t.match(await me(old.access), invalid);
  t.equal((await me(newest.access)).status, 200);
  t.equal((await sql`select 1 from token_signing_keys`).length, 1);
});
