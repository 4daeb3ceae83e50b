import t from 'tap';
import { items, mintKey } from '#api/test/support/fixtures.ts';
import { password, startOperatorApi } from '#api/test/support/operator-client.ts';

const { api, key: root, addOperator, logIn } = await startOperatorApi(t);
const operators = '/cpms/v1/operators';

/** Mints a key by an access token or by a key. */
async function mint(url: string, payload: object, by: { bearer: string } | { key: string }) {
  const headers = 'bearer' in by ? { authorization: `Bearer ${by.bearer}` } : {};
  const answer = await api.call('key' in by ? by.key : null, {
    method: 'POST',
    url: `/cpms/v1/${url}?networkUuid=${api.network.uuid}`,
    payload,
    headers,
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json['data'] as unknown as { id: string; key: string };
}

/** An Admin with a key of each family, and a key that the first of them minted. */
async function adminWithKeys() {
  const account = await addOperator('Admin');
  const { access } = await logIn(account.email);
  const commands = await mint(
    'api-keys',
    { scopes: ['cpms:read', 'cpms:write:api-keys', 'cpms:command:reboot'] },
    { bearer: access },
  );
  const child = await mint('api-keys', { scopes: ['cpms:read:chargers'] }, { key: commands.key });
  // A key keeps the role of its creator as a ceiling, so none that an Admin minted is within a Manager's authority.
  const publicReads = await mint('public-api-keys', { scopes: ['emsp:read'] }, { bearer: access });
  const publicCommands = await mint('public-api-keys', { scopes: ['emsp:command'] }, { bearer: access });
  return { ...account, commands, child, publicReads, publicCommands };
}

const statusOf = async (key: string, url: string) => (await api.call(key, { url })).status;

for (const [what, request] of [
  ['disabling an account', { method: 'PATCH', payload: { isDisabled: true } }],
  ['removing an account', { method: 'DELETE' }],
] as const) {
  void t.test(`${what} revokes every key that it minted`, async (t) => {
    const admin = await adminWithKeys();
    const answer = await api.call(root, { ...request, url: admin.path });
    t.equal(answer.status, 200, answer.text);
    const all = [admin.commands, admin.publicReads, admin.publicCommands, admin.child];
    t.same(
      answer.json['data']?.['revokedKeys'],
      all.map(({ id }) => id),
    );
    t.equal(await statusOf(admin.commands.key, '/cpms/v1/me'), 401);
    t.equal(await statusOf(admin.child.key, '/cpms/v1/me'), 401);
    t.equal(await statusOf(admin.publicReads.key, '/emsp/v1/chargers'), 401);
  });
}

void t.test('a lower role revokes the keys that hold more than the role', async (t) => {
  const admin = await adminWithKeys();
  const answer = await api.call(root, { method: 'PATCH', url: admin.path, payload: { role: 'Manager' } });
  t.same(answer.json['data']?.['revokedKeys'], [admin.commands.id, admin.publicCommands.id, admin.child.id]);
  t.equal(await statusOf(admin.commands.key, '/cpms/v1/me'), 401);
  t.equal(await statusOf(admin.publicReads.key, '/emsp/v1/chargers'), 200, 'a Manager may grant it');
});

void t.test('fewer networks revoke the keys that reach beyond them', async (t) => {
  const admin = await adminWithKeys();
  const payload = { networkUuids: [api.otherNetwork.uuid] };
  const answer = await api.call(root, { method: 'PATCH', url: admin.path, payload });
  t.equal(items(answer.json['data']?.['revokedKeys']).length, 4);
});

void t.test('a new name leaves the keys of an account as they are', async (t) => {
  const admin = await adminWithKeys();
  const answer = await api.call(root, { method: 'PATCH', url: admin.path, payload: { name: 'Eve' } });
  t.same(answer.json['data']?.['revokedKeys'], []);
  t.equal(await statusOf(admin.commands.key, '/cpms/v1/me'), 200);
});

void t.test('applies a lower role to an existing session from its next request', async (t) => {
  const account = await addOperator('Admin');
  const { access } = await logIn(account.email);
  await api.call(root, { method: 'PATCH', url: account.path, payload: { role: 'Viewer' } });
  const answer = await api.call(null, {
    method: 'POST',
    url: '/cpms/v1/api-keys',
    headers: { authorization: `Bearer ${access}` },
  });
  t.match(answer, { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
});

void t.test('refuses accounts with wider limits than the key that creates them', async (t) => {
  const account = await addOperator('Viewer');
  for (const [field, limit] of [
    ['expiresAt', { expiresAt: new Date(Date.now() + 3_600_000) }],
    ['rateLimitPerHour', { rateLimitPerHour: 100 }],
    ['allowedIPs', { allowedIPs: ['127.0.0.1'] }],
  ] as const) {
    const limited = await mintKey(api, { unrestricted: true, networkIds: [], ...limit });
    const refused = { status: 403, json: { error: { code: 'KEY_LIMIT_EXCEEDED', details: { field } } } };
    const payload = { email: `${field}@example.com`, name: 'Eve', role: 'Viewer' };
    t.match(await api.call(limited, { method: 'POST', url: operators, payload }), refused, field);
    for (const change of [
      { password },
      { role: 'Owner' },
      { isDisabled: false },
      { email: 'eve@example.com' },
    ]) {
      const answer = await api.call(limited, { method: 'PATCH', url: account.path, payload: change });
      t.match(answer, refused, `${field} ${Object.keys(change).join()}`);
    }
  }
  const limited = await mintKey(api, { unrestricted: true, networkIds: [], rateLimitPerHour: 100 });
  const disabled = await api.call(limited, {
    method: 'PATCH',
    url: account.path,
    payload: { isDisabled: true },
  });
  t.equal(disabled.status, 200, 'it may disable one');
});
