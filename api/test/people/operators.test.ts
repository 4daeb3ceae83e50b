import t from 'tap';
import { roles, scopesOfRole } from '#shared/domain/access/roles.ts';
import { commandScopes } from '#shared/domain/access/scopes.ts';
import { type Answer, items, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

const firstParty = { unrestricted: true, networkIds: [] };
const url = '/cpms/v1/operators';
const password = 'correct horse battery';

type Who = { key: string } | { bearer: string } | null;

function call(
  api: TestApi,
  who: Who,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
) {
  const headers = who !== null && 'bearer' in who ? { authorization: `Bearer ${who.bearer}` } : {};
  const key = who !== null && 'key' in who ? who.key : null;
  return api.call(key, { method, url: path, headers, ...(payload !== undefined && { payload }) });
}

/** For the tests that do not mind the accounts of others. */
const shared = await startTestApi(t);

const idOf = (answer: Answer) => answer.json['data']?.['id'] as unknown as string;

/** Makes an operator and logs in. */
async function operator(api: TestApi, who: Who, changed: Record<string, unknown>) {
  const role = String(changed['role']);
  const email = `${role}-${Math.random().toString(36).slice(2)}@example.com`.toLowerCase();
  const made = await call(api, who, 'POST', url, { email, name: role, password, ...changed });
  if (made.status !== 201) throw new Error(made.text);
  const login = await call(api, null, 'POST', '/cpms/v1/auth/login', { email, password });
  return { id: idOf(made), email, bearer: login.json['data']?.['accessToken'] as unknown as string };
}

void t.test('creates, reads, changes and removes an account, with audit entries', async (t) => {
  const api = shared;
  const root = { key: await mintKey(api, firstParty) };
  const made = await call(api, root, 'POST', url, { email: 'Ada@Example.com', name: 'Ada', role: 'Owner' });
  t.equal(made.status, 201, made.text);
  t.match(made.headers, { etag: '"1"', 'cache-control': 'no-store' });
  const { password: madePassword, ...ada } = made.json['data']!;
  t.match(madePassword, /^[\w-]{20}$/);
  t.match(ada, {
    email: 'Ada@Example.com',
    name: 'Ada',
    role: 'Owner',
    unrestricted: true,
    networkUuids: [],
    isDisabled: false,
    issuer: null,
    lastLoginAt: null,
    version: 1,
  });
  const path = `${url}/${idOf(made)}`;
  t.strictSame((await call(api, root, 'GET', path)).json['data'], ada);
  const login = { email: 'ada@example.COM', password: madePassword };
  t.equal((await call(api, null, 'POST', '/cpms/v1/auth/login', login)).status, 200, 'case is no matter');

  const twin = { email: 'ADA@example.com', name: 'Twin', role: 'Viewer' };
  t.match(await call(api, root, 'POST', url, twin), {
    status: 409,
    json: { error: { code: 'OPERATOR_EXISTS' } },
  });
  const bob = await call(api, root, 'POST', url, { email: 'bob@example.com', name: 'Bob', role: 'Owner' });
  t.match(await call(api, root, 'PATCH', `${url}/${idOf(bob)}`, { email: 'ada@example.com' }), {
    status: 409,
    json: { error: { code: 'OPERATOR_EXISTS' } },
  });
  const change = { name: 'Ada L.', role: 'Admin', networkUuids: [api.network.uuid] };
  const changed = await call(api, root, 'PATCH', path, change);
  t.match(changed, {
    status: 200,
    headers: { etag: '"2"' },
    json: { data: { ...change, unrestricted: false, version: 2 } },
  });
  const late = {
    method: 'PATCH',
    url: path,
    payload: { name: 'x' },
    headers: { 'if-match': '"1"' },
  } as const;
  t.match(await api.call(root.key, late), { status: 412, json: { error: { code: 'PRECONDITION_FAILED' } } });
  t.match(await call(api, root, 'DELETE', path), { status: 200, json: { data: { deleted: true } } });
  t.match(await call(api, root, 'GET', path), {
    status: 404,
    json: { error: { code: 'OPERATOR_NOT_FOUND' } },
  });
  t.match(
    await call(api, root, 'POST', url, { email: 'ada@example.com', name: 'Ada', role: 'Viewer' }),
    { status: 201 },
    'the address of one who left is free',
  );
  const entries = await api.stores.sql`
    select action, details from audit_log where category = 'operator' and resource_id = ${idOf(made)} order by id`;
  t.match(entries, [
    { action: 'create', details: { before: null, after: { role: 'Owner' } } },
    {
      action: 'update',
      details: { before: { role: 'Owner' }, after: { role: 'Admin', unrestricted: false } },
    },
    { action: 'delete', details: { after: null } },
  ]);
  t.notMatch(JSON.stringify(entries) + api.log(), madePassword);
});

void t.test('names the invalid fields of an account', async (t) => {
  const api = shared;
  const root = { key: await mintKey(api, firstParty) };
  const good = { email: 'wrong@example.com', name: 'A', role: 'Viewer' };
  for (const bad of [
    {},
    { ...good, email: 'nobody' },
    { ...good, email: `${'a'.repeat(250)}@example.com` },
    { ...good, role: 'God' },
    { ...good, name: '' },
    { ...good, password: 'short' },
    { ...good, password: 'x'.repeat(129) },
    { ...good, networkUuids: [] },
    { ...good, networkUuids: [api.network.uuid], unrestricted: true },
    { ...good, unrestricted: false },
    { ...good, id: 1 },
  ]) {
    const answer = await call(api, root, 'POST', url, bad);
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, JSON.stringify(bad));
  }
  const nowhere = { ...good, networkUuids: ['00000000-0000-4000-8000-000000000000'] };
  t.match(await call(api, root, 'POST', url, nowhere), {
    status: 404,
    json: { error: { code: 'NETWORK_NOT_FOUND' } },
  });
  t.strictSame(items((await call(api, root, 'GET', `${url}?search=wrong@example.com`)).json['data']), []);
});

void t.test('limits operators to the rights of their role', async (t) => {
  const api = shared;
  const root = { key: await mintKey(api, firstParty) };
  for (const role of roles) {
    const who = await operator(api, root, { role });
    const me = (await call(api, who, 'GET', '/cpms/v1/me')).json['data'];
    t.match(me, {
      operatorId: who.id,
      email: who.email,
      keyType: null,
      unrestricted: true,
      accessibleNetworkCount: 2,
    });
    t.strictSame(items(me?.['scopes']), scopesOfRole(role));
    const may = async (method: 'GET' | 'POST', path: string) =>
      (await call(api, who, method, `/cpms/v1${path}`, method === 'POST' ? {} : undefined)).status !== 403;
    const nobody = '/chargers/00000000-0000-4000-8000-000000000000';
    t.equal(await may('GET', '/chargers'), true, role);
    t.equal(await may('POST', '/networks'), ['Owner', 'Admin', 'Manager'].includes(role), role);
    t.equal(await may('GET', '/operators'), role === 'Owner' || role === 'Admin', role);
    t.equal(await may('POST', '/operators'), role === 'Owner' || role === 'Admin', role);
    const isCommanding = ['Owner', 'Admin', 'Technician', 'Support'].includes(role);
    t.equal(await may('POST', `${nobody}/reboot`), isCommanding, role);
    t.equal(await may('POST', '/alert-mutes'), isCommanding || role === 'Manager', role);
    const isTechnical = isCommanding && role !== 'Support';
    t.equal(await may('POST', `${nobody}/firmware/update`), isTechnical, role);
    t.equal(await may('GET', '/invoices'), role !== 'Support' && role !== 'Technician', role);
    t.equal(await may('POST', '/exports'), ['Owner', 'Admin', 'Manager', 'Finance'].includes(role), role);
  }
  for (const role of ['Manager', 'Viewer'] as const) {
    t.notOk(scopesOfRole(role).some((scope) => commandScopes.includes(scope as never)));
  }
});

void t.test("refuses to grant, change or revoke a role above the caller's own", async (t) => {
  const api = shared;
  const root = { key: await mintKey(api, firstParty) };
  const owner = await operator(api, root, { role: 'Owner' });
  const admin = await operator(api, owner, { role: 'Admin' });
  const viewer = await operator(api, admin, { role: 'Viewer' });
  const minted = await call(api, admin, 'POST', '/cpms/v1/api-keys', { scopes: scopesOfRole('Admin') });
  const keyOfAdmin = { key: minted.json['data']?.['key'] as unknown as string };
  const account = { email: 'new@example.com', name: 'New', role: 'Owner' };
  for (const who of [admin, keyOfAdmin]) {
    for (const [method, path, payload] of [
      ['POST', url, account],
      ['PATCH', `${url}/${viewer.id}`, { role: 'Owner' }],
      ['PATCH', `${url}/${owner.id}`, { name: 'Mine' }],
      ['PATCH', `${url}/${owner.id}`, { password: 'mine mine mine' }],
      ['DELETE', `${url}/${owner.id}`, undefined],
    ] as const) {
      const answer = await call(api, who, method, path, payload);
      t.match(answer, { status: 403, json: { error: { code: 'ROLE_NOT_ALLOWED' } } }, `${method} ${path}`);
    }
  }
  const few = { key: await mintKey(api, { ...firstParty, scopes: ['cpms:read', 'cpms:write:operators'] }) };
  t.equal((await call(api, few, 'POST', url, { ...account, role: 'Viewer' })).status, 201);
  t.match(await call(api, few, 'POST', url, { ...account, email: 'b@example.com', role: 'Manager' }), {
    status: 403,
    json: { error: { code: 'ROLE_NOT_ALLOWED' } },
  });
});

void t.test('keeps the last Owner of a network, also against concurrent removals', async (t) => {
  const api = await startTestApi(t);
  const root = { key: await mintKey(api, firstParty) };
  const north = [api.network.uuid];
  const one = await operator(api, root, { role: 'Owner', networkUuids: north });
  const last = { status: 409, json: { error: { code: 'LAST_OWNER' } } };
  t.match(await call(api, root, 'DELETE', `${url}/${one.id}`), last);
  t.match(await call(api, root, 'PATCH', `${url}/${one.id}`, { role: 'Viewer' }), last);
  t.match(await call(api, root, 'PATCH', `${url}/${one.id}`, { isDisabled: true }), last);
  const elsewhere = { networkUuids: [api.otherNetwork.uuid] };
  t.match(await call(api, root, 'PATCH', `${url}/${one.id}`, elsewhere), last);
  t.equal((await call(api, root, 'PATCH', `${url}/${one.id}`, { unrestricted: true })).status, 200);
  t.match(await call(api, root, 'PATCH', `${url}/${one.id}`, { networkUuids: north }), last);

  const two = await operator(api, root, { role: 'Owner' });
  const both = await Promise.all([one, two].map(({ id }) => call(api, root, 'DELETE', `${url}/${id}`)));
  t.strictSame(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409],
  );
});

void t.test('hides accounts of other networks', async (t) => {
  const api = await startTestApi(t);
  const { network, otherNetwork } = api;
  const root = { key: await mintKey(api, firstParty) };
  const mine = { key: await mintKey(api) };
  const all = await operator(api, root, { role: 'Viewer' });
  const both = await operator(api, root, { role: 'Viewer', networkUuids: [network.uuid, otherNetwork.uuid] });
  const theirs = await operator(api, root, { role: 'Owner', networkUuids: [otherNetwork.uuid] });
  const own = await operator(api, mine, { role: 'Admin' });
  t.match((await call(api, own, 'GET', '/cpms/v1/me')).json['data'], {
    accessibleNetworkCount: 1,
    unrestricted: false,
  });
  const listed = items((await call(api, own, 'GET', url)).json['data']);
  t.strictSame(
    listed.map(({ id }) => id as unknown),
    [own.id],
  );
  for (const { id } of [all, both, theirs]) {
    t.equal((await call(api, own, 'GET', `${url}/${id}`)).status, 404);
    t.equal((await call(api, own, 'PATCH', `${url}/${id}`, { name: 'Mine' })).status, 404);
    t.equal((await call(api, own, 'DELETE', `${url}/${id}`)).status, 404);
  }
  const account = { email: 'x@example.com', name: 'X', role: 'Viewer' };
  t.equal((await call(api, own, 'POST', url, { ...account, networkUuids: [otherNetwork.uuid] })).status, 404);
  t.match(await call(api, own, 'POST', url, { ...account, unrestricted: true }), {
    status: 403,
    json: { error: { code: 'NETWORK_NOT_ALLOWED' } },
  });
  const elsewhere = { networkUuids: [network.uuid, otherNetwork.uuid] };
  t.equal((await call(api, own, 'PATCH', `${url}/${own.id}`, elsewhere)).status, 404);
});

void t.test('filters a list and continues after a page', async (t) => {
  const api = await startTestApi(t);
  const root = { key: await mintKey(api, firstParty) };
  for (const [name, role] of [
    ['Ada', 'Admin'],
    ['Bob 100%', 'Viewer'],
    ['Cy', 'Viewer'],
  ]) {
    const email = `${name?.slice(0, 2)}@example.com`;
    const made = await call(api, root, 'POST', url, { email, name, role });
    if (role === 'Admin') await call(api, root, 'PATCH', `${url}/${idOf(made)}`, { isDisabled: true });
  }
  const names = async (query: string) =>
    items((await call(api, root, 'GET', `${url}?${query}`)).json['data']).map(({ name }) => name as unknown);
  t.strictSame(await names('role=Viewer'), ['Bob 100%', 'Cy']);
  t.strictSame(await names('search=0%25'), ['Bob 100%'], 'no character is a pattern');
  t.strictSame(await names('search=CY@EX'), ['Cy']);
  t.strictSame(await names('isDisabled=true'), ['Ada']);
  t.strictSame(await names('isDisabled=false'), ['Bob 100%', 'Cy']);
  const first = await call(api, root, 'GET', `${url}?pageSize=2`);
  const cursor = first.json['nextCursor'] as unknown as string;
  t.strictSame(await names(`cursor=${cursor}`), ['Cy']);
});

void t.test('shows a caller the roles that it can grant, and the scopes of each role', async (t) => {
  const api = shared;
  const rolesOf = async (who: Who) =>
    (await call(api, who, 'GET', '/cpms/v1/me')).json['data']?.['grantableRoles'] as unknown;
  const root = { key: await mintKey(api, firstParty) };
  t.strictSame(await rolesOf(root), [...roles]);
  t.strictSame(await rolesOf(await operator(api, root, { role: 'Admin' })), roles.slice(1));
  t.strictSame(await rolesOf(await operator(api, root, { role: 'Manager' })), []);
  const narrow = { scopes: ['cpms:write:operators', ...scopesOfRole('Viewer')] };
  t.strictSame(await rolesOf({ key: await mintKey(api, narrow) }), ['Viewer']);
  const expiring = await mintKey(api, { expiresAt: new Date(Date.now() + 60_000) });
  t.strictSame(await rolesOf({ key: expiring }), [], 'a key with a limit creates no account');

  const catalog = await call(api, root, 'GET', '/cpms/v1/.well-known/scopes');
  t.strictSame(
    catalog.json['data']?.['roles'],
    roles.map((role) => ({ role, scopes: [...scopesOfRole(role)] })),
  );
});
