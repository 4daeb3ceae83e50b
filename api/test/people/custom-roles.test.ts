import t from 'tap';
import { TestBrowser } from '#api/test/support/browser.ts';
import { mintKey } from '#api/test/support/fixtures.ts';
import { startOperatorApi } from '#api/test/support/operator-client.ts';

const { api, key: root, logIn, me } = await startOperatorApi(t);
const url = '/cpms/v1/custom-roles';
const operators = '/cpms/v1/operators';
const scopes = ['cpms:read:chargers', 'cpms:command:reboot', 'cpms:write:api-keys'];
const password = 'correct horse battery';
let count = 0;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const send = (key: string | null, method: Method, path: string, payload?: object) =>
  api.call(key, { method, url: path, ...(payload !== undefined && { payload }) });

async function addRole(change: object = {}, by = root) {
  const name = `Role ${(count += 1)}`;
  return send(by, 'POST', url, { name, scopes, networkUuid: api.network.uuid, ...change });
}

async function addHolder(customRoleId: string, change: object = {}, by = root) {
  const email = `holder-${(count += 1)}@example.com`;
  const fields = { email, name: 'Ada', password, customRoleId, networkUuids: [api.network.uuid], ...change };
  return { email, answer: await send(by, 'POST', operators, fields) };
}

const idOf = (answer: Awaited<ReturnType<typeof send>>) => answer.json['data']?.['id'] as unknown as string;
const refused = (status: number, code: string) => ({ status, json: { error: { code } } });

void t.test(
  'gives an operator exactly the scopes of its custom role, also after a change of the role',
  async (t) => {
    const role = idOf(await addRole());
    const { email, answer } = await addHolder(role);
    t.match(answer, { status: 201, json: { data: { role: 'Custom', customRole: { id: role } } } });
    const { access } = await logIn(email);
    const browser = new TestBrowser(api.app);
    await browser.signIn({ email, password });
    const scopesNow = async () =>
      [await me(access), await browser.get('/me')].map(({ json }) => json['data']?.['scopes']);
    t.strictSame(await scopesNow(), [scopes, scopes]);
    const fewer = scopes.slice(0, 1);
    t.equal((await send(root, 'PATCH', `${url}/${role}`, { scopes: fewer })).status, 200);
    t.strictSame(await scopesNow(), [fewer, fewer]);
    t.match(await browser.call({ method: 'POST', url: '/cpms/v1/api-keys', payload: {} }), { status: 403 });
  },
);

void t.test(
  'refuses to create, change, grant or delete a role with a scope that the caller lacks',
  async (t) => {
    const limited = await mintKey(api, {
      scopes: ['cpms:read:operators', 'cpms:write:operators', 'cpms:read:chargers'],
      networkIds: [api.network.id],
    });
    t.match(await addRole({}, limited), refused(403, 'SCOPE_MISSING'));
    const role = idOf(await addRole());
    const small = idOf(await addRole({ scopes: ['cpms:read:chargers'] }, limited));
    t.match(await send(limited, 'PATCH', `${url}/${small}`, { scopes }), refused(403, 'SCOPE_MISSING'));
    t.match(await send(limited, 'PATCH', `${url}/${role}`, { name: 'Mine' }), refused(403, 'SCOPE_MISSING'));
    t.match(await send(limited, 'DELETE', `${url}/${role}`), refused(403, 'SCOPE_MISSING'));
    t.match((await addHolder(role, {}, limited)).answer, refused(403, 'ROLE_NOT_ALLOWED'));
    t.equal((await addHolder(small, {}, limited)).answer.status, 201);
    for (const scope of ['cpms:read', 'cpms:write:operators']) {
      t.match(await addRole({ scopes: [scope] }), refused(400, 'VALIDATION_FAILED'), scope);
    }
  },
);

void t.test(
  'refuses a key to grant scopes beyond its highest role, by a role or a change of one',
  async (t) => {
    const key = await mintKey(api, { networkIds: [api.network.id], roleCeiling: 'Viewer' });
    t.match(await addRole({}, key), refused(403, 'SCOPE_MISSING'));
    const role = idOf(await addRole());
    t.match((await addHolder(role, {}, key)).answer, refused(403, 'ROLE_NOT_ALLOWED'));
    const small = idOf(await addRole({ scopes: ['cpms:read:chargers'] }, key));
    t.match(await send(key, 'PATCH', `${url}/${small}`, { scopes }), refused(403, 'SCOPE_MISSING'));
  },
);

void t.test('keeps a role that operators have, and deletes it afterwards', async (t) => {
  const role = idOf(await addRole());
  const holder = idOf((await addHolder(role)).answer);
  const inUse = { ...refused(409, 'ROLE_IN_USE') };
  t.match(await send(root, 'DELETE', `${url}/${role}`), inUse);
  t.equal((await send(root, 'PATCH', `${operators}/${holder}`, { role: 'Viewer' })).status, 200);
  t.equal((await send(root, 'DELETE', `${url}/${role}`)).status, 200);
  t.match(await send(root, 'GET', `${url}/${role}`), refused(404, 'ROLE_NOT_FOUND'));
});

void t.test('hides the roles of a network from others, and binds their operators to it', async (t) => {
  const role = idOf(await addRole());
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  for (const method of ['GET', 'DELETE'] as const) {
    t.match(await send(other, method, `${url}/${role}`), refused(404, 'ROLE_NOT_FOUND'));
    t.equal((await send(null, method, `${url}/${role}`)).status, 401);
  }
  t.match(await send(other, 'PATCH', `${url}/${role}`, { name: 'Mine' }), refused(404, 'ROLE_NOT_FOUND'));
  const listed = await send(other, 'GET', `${url}?pageSize=100`);
  t.notOk(listed.text.includes(role));
  t.match(await addRole({ networkUuid: api.network.uuid }, other), refused(404, 'NETWORK_NOT_FOUND'));
  t.match(await addRole({ networkUuid: null }, other), refused(403, 'ROLE_NOT_ALLOWED'));
  t.match(
    (await addHolder(role, { networkUuids: [api.otherNetwork.uuid] }, other)).answer,
    refused(404, 'ROLE_NOT_FOUND'),
  );
  const both = { networkUuids: [api.network.uuid, api.otherNetwork.uuid] };
  t.match((await addHolder(role, both)).answer, refused(400, 'VALIDATION_FAILED'));
  const holder = idOf((await addHolder(role)).answer);
  t.match(await send(root, 'PATCH', `${operators}/${holder}`, both), refused(400, 'VALIDATION_FAILED'));
});

void t.test(
  'shows a role of the installation everywhere, with the operators that a caller may see',
  async (t) => {
    const role = idOf(await addRole({ networkUuid: null }));
    await addHolder(role);
    const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
    for (const [key, operators] of [
      [root, 1],
      [other, 0],
    ] as const) {
      t.match((await send(key, 'GET', `${url}/${role}`)).json['data'], { id: role, operators });
    }
    t.match(await send(other, 'PATCH', `${url}/${role}`, { name: 'Mine' }), refused(403, 'ROLE_NOT_ALLOWED'));
    t.match(await send(other, 'DELETE', `${url}/${role}`), refused(403, 'ROLE_NOT_ALLOWED'));
  },
);

void t.test('revokes the keys of operators that exceed their role after a change of it', async (t) => {
  const role = idOf(await addRole());
  const { email } = await addHolder(role);
  const { access } = await logIn(email);
  const made = await api.call(null, {
    method: 'POST',
    url: '/cpms/v1/api-keys',
    payload: { scopes: ['cpms:command:reboot'] },
    headers: { authorization: `Bearer ${access}` },
  });
  const key = made.json['data']?.['key'] as unknown as string;
  t.equal((await send(key, 'GET', '/cpms/v1/me')).status, 200);
  await send(root, 'PATCH', `${url}/${role}`, { scopes: ['cpms:read:chargers'] });
  t.equal((await send(key, 'GET', '/cpms/v1/me')).status, 401);
});
