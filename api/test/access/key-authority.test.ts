import { readFile } from 'node:fs/promises';
import t from 'tap';
import {
  allPublicScopes,
  driverScopes,
  publicScopeNeeds,
  publicScopes,
} from '#shared/domain/access/public-scopes.ts';
import { scopesOfRole } from '#shared/domain/access/roles.ts';
import { hashSecret } from '#shared/domain/kernel/secrets.ts';
import { type Answer, items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { addUser } from '#api/test/support/records.ts';

const operatorKeys = '/cpms/v1/api-keys';
const publicKeys = '/cpms/v1/public-api-keys';

const api = await startTestApi(t);

function post(key: string, url: string, payload: object = {}): Promise<Answer> {
  return api.call(key, { method: 'POST', url, payload });
}

const revoke = (key: string, url: string, id: string) =>
  api.call(key, { method: 'DELETE', url: `${url}/${id}` });

/** Id and secret of a minted key. */
function minted(answer: Answer): { id: string; secret: string } {
  if (answer.status !== 201) throw new Error(answer.text);
  const { id, key } = answer.json['data'] as unknown as { id: string; key: string };
  return { id, secret: key };
}

const refusal = (code: string, details: object = {}) => ({ status: 403, json: { error: { code, details } } });

void t.test('a key grants a scope of the public API with the operator scopes that it needs', async (t) => {
  for (const scope of publicScopes) {
    const needs = publicScopeNeeds[scope];
    const able = await mintKey(api, { scopes: ['cpms:write:api-keys', ...needs] });
    const key = await post(able, publicKeys, { scopes: [scope] });
    t.match(key.json['data'], { apiFamily: 'emsp', permissions: [scope] }, scope);
    for (const missing of needs) {
      const others = needs.filter((need) => need !== missing);
      const unable = await mintKey(api, { scopes: ['cpms:write:api-keys', ...others] });
      const refused = await post(unable, publicKeys, { scopes: [scope] });
      t.match(refused, refusal('SCOPE_MISSING', { scope: missing }), `${scope} without ${missing}`);
    }
  }
});

void t.test(
  'a Manager mints no key of the public API that charges, bills or restarts chargers',
  async (t) => {
    const manager = await mintKey(api, { scopes: scopesOfRole('Manager'), roleCeiling: 'Manager' });
    for (const scope of ['emsp:charge', 'emsp:command', 'emsp:billing']) {
      t.match(await post(manager, publicKeys, { scopes: [scope] }), refusal('SCOPE_MISSING'), scope);
    }
    const user = await addUser(api.stores.sql, api.network.id, 'managed@example.org');
    t.match(await post(manager, publicKeys, { userId: user.uuid }), refusal('SCOPE_MISSING'), 'as a driver');
    const key = await post(manager, publicKeys);
    t.match(key.json['data'], { permissions: ['emsp:read'] }, 'it reads by default');
  },
);

void t.test('a key with only write:api-keys creates a key of the public API without rights', async (t) => {
  const minter = await mintKey(api, { scopes: ['cpms:write:api-keys'] });
  const { secret } = minted(await post(minter, publicKeys));
  t.match(await api.call(secret, { url: '/emsp/v1/users' }), {
    status: 403,
    json: { code: 'SCOPE_MISSING', details: { scope: 'emsp:read' } },
  });
});

void t.test("a driver's key has the fixed scopes of drivers", async (t) => {
  const user = await addUser(api.stores.sql, api.network.id, 'fixed@example.org');
  const all = await mintKey(api);
  const key = await post(all, publicKeys, { userId: user.uuid });
  t.same(key.json['data']?.['permissions'], driverScopes);
  t.match(await post(all, publicKeys, { userId: user.uuid, scopes: ['emsp:command'] }), {
    status: 400,
    json: { error: { code: 'VALIDATION_FAILED' } },
  });
  const charger = '/emsp/v1/chargers/00000000-0000-4000-8000-000000000000/reboot';
  t.match(await post(minted(key).secret, charger), { status: 403, json: { code: 'OPERATOR_KEY_REQUIRED' } });
});

const soon = new Date(Date.now() + 3_600_000);
const narrow = { expiresAt: soon, rateLimitPerHour: 100, allowedIPs: ['127.0.0.0/24', '2001:db8::/48'] };
const inherited = { ...narrow, expiresAt: soon.toISOString() };

for (const [family, url] of [
  ['operator API', operatorKeys],
  ['public API', publicKeys],
] as const) {
  void t.test(`a key of the ${family} inherits the limits of its creator`, async (t) => {
    const creator = await mintKey(api, narrow);
    t.match((await post(creator, url)).json['data'], inherited);
    const narrower = {
      expiresAt: new Date(soon.getTime() - 1000).toISOString(),
      rateLimitPerHour: 99,
      allowedIPs: ['127.0.0.128/25', '::ffff:127.0.0.9', '2001:db8:0:1::/64'],
    };
    t.match((await post(creator, url, narrower)).json['data'], narrower);
    t.match((await post(creator, url, inherited)).json['data'], inherited, 'the same');
  });

  void t.test(`a key of the ${family} with wider limits than its creator is refused`, async (t) => {
    const creator = await mintKey(api, narrow);
    const count = async () => items((await api.call(creator, { url })).json['data']).length;
    const before = await count();
    for (const [field, value] of [
      ['expiresAt', new Date(soon.getTime() + 1).toISOString()],
      ['rateLimitPerHour', 101],
      ['allowedIPs', []],
      ['allowedIPs', ['0.0.0.0/0']],
      ['allowedIPs', ['127.0.0.0/23']],
      ['allowedIPs', ['127.0.0.1', '192.0.2.1']],
      ['allowedIPs', ['::/0']],
      ['allowedIPs', ['::ffff:127.0.0.0/119']],
      ['allowedIPs', ['2001:db8::/47']],
    ] as const) {
      const answer = await post(creator, url, { [field]: value });
      t.match(answer, refusal('KEY_LIMIT_EXCEEDED', { field }), `${field} ${JSON.stringify(value)}`);
    }
    t.equal(await count(), before, 'none is minted');
  });
}

void t.test('a key that is narrower than another mints nothing of what that one holds', async (t) => {
  const broad = await mintKey(api);
  const narrowKey = minted(
    await post(broad, operatorKeys, { scopes: ['cpms:read', 'cpms:write:api-keys'], rateLimitPerHour: 10 }),
  ).secret;
  const child = await post(narrowKey, operatorKeys, { scopes: ['cpms:read', 'cpms:write:api-keys'] });
  t.match(child.json['data'], { rateLimitPerHour: 10 });
  const grandchild = minted(child).secret;
  for (const key of [narrowKey, grandchild]) {
    t.match(await post(key, operatorKeys, { scopes: ['cpms:command:reboot'] }), refusal('SCOPE_MISSING'));
    t.match(await post(key, publicKeys, { scopes: ['emsp:charge'] }), refusal('SCOPE_MISSING'));
    t.match(await post(key, operatorKeys, { rateLimitPerHour: 11 }), refusal('KEY_LIMIT_EXCEEDED'));
  }
});

void t.test('revoking a key revokes every key that it minted, of both families', async (t) => {
  const root = await mintKey(api);
  const parent = minted(
    await post(root, operatorKeys, { name: 'Parent', scopes: ['cpms:read', 'cpms:write:api-keys'] }),
  );
  const child = minted(
    await post(parent.secret, operatorKeys, { scopes: ['cpms:read', 'cpms:write:api-keys'] }),
  );
  const grandchild = minted(await post(child.secret, publicKeys));
  const sibling = minted(await post(root, operatorKeys));
  const list = items((await api.call(root, { url: operatorKeys })).json['data']);
  t.match(list.find(({ id }) => (id as unknown) === child.id)?.['createdBy'], {
    type: 'key',
    id: parent.id,
    name: 'Parent',
  });

  const gone = await revoke(root, operatorKeys, parent.id);
  t.match(gone, { status: 200, json: { data: { id: parent.id, revoked: true, deleted: true } } });
  t.same(gone.json['data']?.['alsoRevoked'], [child.id, grandchild.id]);
  for (const { secret } of [parent, child]) {
    t.match(await api.call(secret, { url: '/cpms/v1/me' }), {
      status: 401,
      json: { error: { code: 'KEY_REVOKED' } },
    });
  }
  t.match(await api.call(grandchild.secret, { url: '/emsp/v1/chargers' }), {
    status: 401,
    json: { code: 'KEY_REVOKED' },
  });
  t.equal((await api.call(sibling.secret, { url: '/cpms/v1/me' })).status, 200);
  const audited = await api.stores.sql`
    select resource_id from audit_log where category = 'api-key' and action = 'revoke'
      and resource_id in ${api.stores.sql([parent.id, child.id, grandchild.id])} order by id`;
  t.same(
    audited.map((row) => String(row['resource_id'])),
    [parent.id, child.id, grandchild.id],
    'each is audited',
  );
});

void t.test('no key that is minted while its creator is revoked survives', async (t) => {
  const root = await mintKey(api);
  const parent = minted(await post(root, operatorKeys, { scopes: ['cpms:read', 'cpms:write:api-keys'] }));
  const mints = Array.from({ length: 20 }, () => post(parent.secret, operatorKeys));
  const [gone, ...answers] = await Promise.all([revoke(root, operatorKeys, parent.id), ...mints]);
  t.equal(gone.status, 200);
  const children = answers.filter(({ status }) => status === 201).map(minted);
  for (const { secret } of children) t.equal((await api.call(secret, { url: '/cpms/v1/me' })).status, 401);
  const [row] = await api.stores.sql`
    select count(*)::integer as live from api_keys c join api_keys p on p.id = c.created_by_key_id
    where p.uuid = ${parent.id} and c.revoked_at is null`;
  t.equal(row?.['live'], 0);
});

void t.test('every operation of the public API declares its scope in the OpenAPI document', async (t) => {
  const { json } = await api.call(null, { url: '/openapi.json' });
  const operations = Object.entries(json['paths'] ?? {})
    .filter(([path]) => path.startsWith('/emsp/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
  t.ok(operations.length > 40);
  for (const { path, method, operation } of operations) {
    const isOpen = /^\/emsp\/v1\/(?:auth\/driver|open-data)\//.test(path) && !('x-scope' in operation);
    if (isOpen) t.notOk(JSON.stringify(operation['security']).includes('ApiKey'), path);
    else t.ok(publicScopes.includes(operation['x-scope'] as never), `${method} ${path}`);
  }
});

void t.test('limits a key of the public API to the operations of its scopes', async (t) => {
  const { json } = await api.call(null, { url: '/openapi.json' });
  for (const scope of publicScopes) {
    const key = await mintKey(api, { apiFamily: 'emsp', scopes: [scope] });
    for (const [path, methods] of Object.entries(json['paths'] ?? {})) {
      if (!path.startsWith('/emsp/v1/')) continue;
      for (const [method, operation] of Object.entries(methods)) {
        const wanted = operation['x-scope'] as unknown as string | undefined;
        if (wanted === undefined) continue;
        const url = path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
        const answer = await api.call(key, { method: method.toUpperCase(), url });
        const isGranted = wanted === scope || (wanted === 'emsp:public' && scope === 'emsp:read');
        t.equal(
          (answer.json['code'] as unknown) === 'SCOPE_MISSING',
          !isGranted,
          `${scope}: ${method} ${path}`,
        );
      }
    }
  }
});

void t.test('keeps the rights of keys that were created before scopes', async (t) => {
  const { sql } = api.stores;
  const key = await mintKey(api, { apiFamily: 'emsp', scopes: [] });
  t.equal((await api.call(key, { url: '/emsp/v1/chargers' })).status, 403);
  const migration = await readFile(
    new URL('../../../shared/postgres/migrations/0410_key_authority.sql', import.meta.url),
  );
  const [widen = ''] = migration.toString().split(';');
  await sql.unsafe(widen);
  for (const path of ['chargers', 'users', 'invoices']) {
    t.equal((await api.call(key, { url: `/emsp/v1/${path}` })).status, 200, path);
  }
  const stored = await sql`select scopes from api_keys where secret_hash = ${hashSecret(key)}`;
  t.same(stored[0]?.['scopes'], allPublicScopes);
});

void t.test('takes the creators of older keys from the audit log', async (t) => {
  const { sql } = api.stores;
  const root = await mintKey(api);
  const { id } = minted(await post(root, operatorKeys));
  const creators = () => sql`
    select created_by_key_id as creator from api_keys where uuid = ${id} or secret_hash = ${hashSecret(root)} order by id`;
  const before = await creators();
  await sql`update api_keys set created_by_key_id = null`;
  const migration = await readFile(
    new URL('../../../shared/postgres/migrations/0410_key_authority.sql', import.meta.url),
  );
  await sql.unsafe(
    migration
      .toString()
      .split(';')
      .find((statement) => statement.includes('audit_log')) ?? '',
  );
  t.same(await creators(), before);
  t.equal(before[0]?.['creator'], null);
  t.type(before[1]?.['creator'], 'number');
});

void t.test('the scope catalog lists the scopes of the public API with what they require', async (t) => {
  const key = await mintKey(api);
  const { json } = await api.call(key, { url: '/cpms/v1/.well-known/scopes' });
  t.match(json['data'], { apiFamily: 'cpms', reads: Array, writes: Array, commands: Array, note: String });
  t.same(json['data']?.['publicApi'], {
    scopes: publicScopes.map((scope) => ({ scope, requires: publicScopeNeeds[scope] })),
    driver: driverScopes,
  });
});
