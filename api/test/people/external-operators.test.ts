import { SignJWT } from 'jose';
import t from 'tap';
import { ExternalIssuer } from '#api/services/access/external-issuer.ts';
import { loadConfig } from '#shared/config/config.ts';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { startIssuer } from '#api/test/support/openid-issuer.ts';

/** An API that takes the tokens of such an issuer. */
async function start(t: Parameters<typeof startTestApi>[0], issuer: string) {
  const settings = {
    issuer,
    audience: 'chargeway',
    roleClaim: 'realm_access.roles',
    networksClaim: 'networks',
  };
  const api = await startTestApi(t, { externalIssuer: new ExternalIssuer(settings, 0) });
  const get = (bearer: string, path = '/me') =>
    api.call(null, { url: `/cpms/v1${path}`, headers: { authorization: `Bearer ${bearer}` } });
  return { api, get };
}

const refused = (status: number, code: string) => ({ status, json: { error: { code } } });

void t.test('requires issuer and audience together in the configuration', async (t) => {
  const settings = { OIDC_ISSUER: 'https://id.example/realm/', OIDC_AUDIENCE: 'chargeway' };
  t.strictSame(loadConfig(settings).externalIssuer, {
    issuer: 'https://id.example/realm/',
    audience: 'chargeway',
    roleClaim: 'chargeway_role',
    networksClaim: 'chargeway_networks',
  });
  t.equal(loadConfig({}).externalIssuer, null);
  t.throws(() => loadConfig({ OIDC_ISSUER: settings.OIDC_ISSUER }), { message: /OIDC_AUDIENCE/ });
  t.throws(() => loadConfig({ OIDC_AUDIENCE: 'chargeway' }), { message: /OIDC_ISSUER/ });
  t.throws(() => loadConfig({ ...settings, OIDC_ISSUER: 'http://id.example' }), { message: /https/ });
});

void t.test('creates an operator from the claims of an external issuer', async (t) => {
  const oidc = await startIssuer(t);
  const { api, get } = await start(t, oidc.issuer);
  // Many at once, for the first time.
  const answers = await Promise.all(
    [1, 2, 3, 4].map(async () => get(await oidc.token({ networks: ['north', 'unknown'] }))),
  );
  for (const answer of answers) t.equal(answer.status, 200, answer.text);
  const me = answers[0]?.json['data'];
  t.match(me, {
    operatorId: /^[0-9a-f-]{36}$/,
    email: 'ada@example.com',
    keyType: null,
    unrestricted: false,
    accessibleNetworkCount: 1,
  });
  t.ok(items(me?.['scopes']).includes('cpms:write:chargers' as never), 'the highest role that is named');
  t.notOk(items(me?.['scopes']).includes('cpms:command:reboot' as never));
  t.equal(oidc.state.requests.filter((path) => path.endsWith('/keys')).length, 1, 'keys are kept');

  const promoted = await get(
    await oidc.token({ realm_access: { roles: 'OWNER' }, networks: '*', name: 'Ada L.', email: undefined }),
  );
  t.match(promoted.json['data'], {
    operatorId: me?.['operatorId'],
    email: null,
    unrestricted: true,
    accessibleNetworkCount: 2,
  });
  const other = await get(await oidc.token({ sub: 'bob', networks: [api.otherNetwork.uuid] }));
  t.not(other.json['data']?.['operatorId'], me?.['operatorId']);

  const key = await mintKey(api, { unrestricted: true, networkIds: [] });
  const listed = items((await api.call(key, { url: '/cpms/v1/operators' })).json['data']);
  t.match(listed, [
    { issuer: oidc.issuer, name: 'Ada L.', role: 'Owner', version: 2 },
    { issuer: oidc.issuer, name: 'Ada', role: 'Manager', networkUuids: [api.otherNetwork.uuid] },
  ]);
  const entries = await api.stores.sql`
    select action, user_id from audit_log where category = 'operator' order by id`;
  t.match(entries, [
    { action: 'create', user_id: me?.['operatorId'] },
    { action: 'update', user_id: me?.['operatorId'] },
    { action: 'create' },
  ]);

  const path = `/cpms/v1/operators/${me?.['operatorId'] as unknown as string}`;
  const change = (payload: object) => api.call(key, { method: 'PATCH', url: path, payload });
  t.match(await change({ role: 'Viewer' }), refused(409, 'OPERATOR_EXTERNAL'));
  t.match(await change({ password: 'correct horse battery' }), refused(409, 'OPERATOR_EXTERNAL'));
  t.equal((await change({ isDisabled: true })).status, 200);
  t.match(await get(await oidc.token()), refused(403, 'OPERATOR_NOT_ALLOWED'));
  t.equal((await change({ isDisabled: false })).status, 200);
  t.equal((await get(await oidc.token())).status, 200);
  const password = { currentPassword: 'x', newPassword: 'correct horse battery' };
  const bearer = { authorization: `Bearer ${await oidc.token()}` };
  const own = { method: 'POST', url: '/cpms/v1/auth/change-password', payload: password } as const;
  t.match(await api.call(null, { ...own, headers: bearer }), refused(409, 'OPERATOR_EXTERNAL'));
});

void t.test('rejects an unsuitable token with the reason', async (t) => {
  const oidc = await startIssuer(t);
  const { get } = await start(t, oidc.issuer);
  const stranger = await startIssuer(t);
  const now = Math.floor(Date.now() / 1000);
  const [publicKey] = oidc.keys;
  const confused = await new SignJWT({ iss: oidc.issuer, aud: 'chargeway', sub: 'ada-1', exp: now + 60 })
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .sign(Buffer.from(JSON.stringify(publicKey?.jwk)));
  for (const [what, token, status, code] of [
    ['another audience', await oidc.token({ aud: 'account' }), 401, 'TOKEN_INVALID'],
    ['another issuer', await oidc.token({ iss: `${oidc.issuer}/` }), 401, 'TOKEN_INVALID'],
    ['the issuer of another', await stranger.token(), 401, 'TOKEN_INVALID'],
    ['the key of another', await stranger.token({ iss: oidc.issuer }), 401, 'TOKEN_INVALID'],
    ['a public key as a secret', confused, 401, 'TOKEN_INVALID'],
    ['expired', await oidc.token({ exp: now - 31 }), 401, 'TOKEN_EXPIRED'],
    ['not yet good', await oidc.token({ nbf: now + 120 }), 401, 'TOKEN_INVALID'],
    ['indefinitely', await oidc.token({ exp: undefined }), 401, 'TOKEN_INVALID'],
    ['of nobody', await oidc.token({ sub: undefined }), 401, 'TOKEN_INVALID'],
    ['of a long name', await oidc.token({ sub: 'x'.repeat(256) }), 401, 'TOKEN_INVALID'],
    ['of a broken name', await oidc.token({ sub: 'a\u0000b' }), 401, 'TOKEN_INVALID'],
    ['no role', await oidc.token({ realm_access: {} }), 403, 'OPERATOR_NOT_ALLOWED'],
    [
      'a role of others',
      await oidc.token({ realm_access: { roles: [7, 'admins'] } }),
      403,
      'OPERATOR_NOT_ALLOWED',
    ],
    ['no network', await oidc.token({ networks: undefined }), 403, 'OPERATOR_NOT_ALLOWED'],
    ['no network of ours', await oidc.token({ networks: ['west'] }), 403, 'OPERATOR_NOT_ALLOWED'],
  ] as const) {
    const answer = await get(token);
    t.match(answer, refused(status, code), what);
    if (status === 401) t.match(answer.headers['www-authenticate'], 'Bearer realm="chargeway", error=', what);
  }
  const justNow = Math.floor(Date.now() / 1000) - 5;
  t.equal((await get(await oidc.token({ exp: justNow }))).status, 200, 'clocks differ a little');
});

void t.test('a new key of the issuer is found by its name', async (t) => {
  const oidc = await startIssuer(t);
  const { get } = await start(t, oidc.issuer);
  t.equal((await get(await oidc.token())).status, 200);
  await oidc.addKey('two', 'ES256');
  t.equal((await get(await oidc.token({}, 'two'))).status, 200);
  await oidc.addKey('three', 'EdDSA');
  t.equal((await get(await oidc.token())).status, 200);
  t.equal((await get(await oidc.token({}, 'one'))).status, 200);
});

void t.test('reports an unavailable or different issuer, and recovers', async (t) => {
  const oidc = await startIssuer(t);
  const { api, get } = await start(t, oidc.issuer);
  const token = await oidc.token();
  oidc.state.isDown = true;
  t.match(await get(token), refused(503, 'ISSUER_UNAVAILABLE'));
  oidc.state.isDown = false;
  oidc.state.claimsToBe = 'https://another.example';
  t.match(await get(token), refused(503, 'ISSUER_UNAVAILABLE'));
  oidc.state.claimsToBe = null;
  t.equal((await get(token)).status, 200);
  t.equal((await api.call(await mintKey(api), { url: '/cpms/v1/me' })).status, 200);
});
