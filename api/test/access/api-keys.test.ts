import t, { type Test } from 'tap';
import { buildApp } from '#api/app.ts';
import type { App } from '#api/plugins/app-instance.ts';
import { createRedisBus } from '#shared/bus/redis.ts';
import { createLogger } from '#shared/log/log.ts';
import { startOwnRedis } from '#shared/testing/redis.ts';
import { until } from '#shared/testing/until.ts';
import { addUser } from '#api/test/support/records.ts';
import { type Answer, items, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

/** A first-party key: not pinned to networks. */
const firstParty = { unrestricted: true, networkIds: [] };

const url = '/cpms/v1/api-keys';

function mint(api: TestApi, key: string, payload?: object, query = ''): Promise<Answer> {
  return api.call(key, { method: 'POST', url: `${url}${query}`, ...(payload !== undefined && { payload }) });
}

/** For the tests that do not mind the keys of others. */
const shared = await startTestApi(t);

const secretOf = (answer: Answer) => answer.json['data']?.['key'] as unknown as string;
const idOf = (answer: Answer) => answer.json['data']?.['id'] as unknown as string;

void t.test('creates a key, shows it once, lists it and revokes it, with audit entries', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const limits = { expiresAt, rateLimitPerHour: 500, allowedIPs: ['127.0.0.0/8', '2001:db8::/32'] };
  const made = await mint(api, key, { name: 'Reports', description: 'Nightly', ...limits });
  t.equal(made.status, 201, made.text);
  t.equal(made.headers['cache-control'], 'no-store');
  const secret = secretOf(made);
  const { key: _, message, ...listed } = made.json['data']!;
  t.match(message, /once/);
  t.strictSame(listed, {
    id: idOf(made),
    name: 'Reports',
    description: 'Nightly',
    keyType: 'Private',
    visibility: 'Private',
    apiFamily: 'cpms',
    userId: null,
    keyClass: 'ServerSide',
    keyEnvironment: 'Live',
    keyPrefix: secret.slice(0, 12),
    last4: secret.slice(-4),
    permissions: ['cpms:read'],
    unrestricted: false,
    networkUuids: [api.network.uuid],
    ...limits,
    isRevoked: false,
    isExpired: false,
    lastUsedAt: null,
    usageCount: 0,
    createdBy: listed['createdBy'],
    createdAt: listed['createdAt'],
  });
  t.match(listed['createdBy'], { type: 'key', id: String });
  const list = await api.call(key, { url });
  t.strictSame(items(list.json['data'])[0], listed, 'the newest first');
  t.notMatch(list.text, secret);
  t.equal((await api.call(secret, { url: '/cpms/v1/me' })).status, 200);

  const gone = await api.call(key, { method: 'DELETE', url: `${url}/${idOf(made)}` });
  t.match(gone, { status: 200, json: { data: { id: idOf(made), revoked: true, deleted: true } } });
  t.match(await api.call(secret, { url: '/cpms/v1/me' }), {
    status: 401,
    json: { error: { code: 'KEY_REVOKED' } },
  });
  t.match(await api.call(key, { method: 'DELETE', url: `${url}/${idOf(made)}` }), {
    status: 404,
    json: { error: { code: 'API_KEY_NOT_FOUND' } },
  });
  t.equal(items((await api.call(key, { url })).json['data']).length, 1);
  const entries = await api.stores.sql`
    select action, resource_id, network_id, details from audit_log where category = 'api-key' order by id`;
  t.match(entries, [
    { action: 'create', resource_id: idOf(made), network_id: api.network.id, details: { before: null } },
    { action: 'revoke', resource_id: idOf(made), details: { after: null } },
  ]);
  const written = JSON.stringify(entries) + api.log();
  t.notMatch(written, secret);
});

void t.test('limits a key to the rights of its creator, with commands only on request', async (t) => {
  const api = shared;
  const all = await mintKey(api);
  const commands = ['cpms:command:reboot', 'cpms:read:chargers'];
  t.match((await mint(api, all, { scopes: commands })).json['data'], { permissions: commands });
  t.match((await mint(api, all)).json['data'], { permissions: ['cpms:read'], name: null });

  const few = await mintKey(api, { scopes: ['cpms:read:chargers', 'cpms:write:api-keys'] });
  t.strictSame(items((await mint(api, few)).json['data']?.['permissions']), ['cpms:read:chargers']);
  for (const scope of ['cpms:command:reboot', 'cpms:read', 'cpms:read:networks']) {
    t.match(
      await mint(api, few, { scopes: [scope] }),
      { status: 403, json: { error: { code: 'SCOPE_MISSING', details: { scope } } } },
      scope,
    );
  }
});

void t.test('rejects an invalid key and creates none', async (t) => {
  const api = shared;
  const key = await mintKey(api);
  const before = items((await api.call(key, { url })).json['data']).length;
  const bad: object[] = [
    { name: '' },
    { name: 'x'.repeat(101) },
    { description: 'a\u0000b' },
    { scopes: ['cpms:write:everything'] },
    { scopes: 'cpms:read' },
    { expiresAt: new Date(Date.now() - 1000).toISOString() },
    { expiresAt: 'tomorrow' },
    { rateLimitPerHour: 0 },
    { rateLimitPerHour: 2 ** 31 },
    { rateLimitPerHour: '5' },
    { allowedIPs: ['10.0.0.0/33'] },
    { allowedIPs: ['example.com'] },
    { allowedIPs: Array.from({ length: 101 }, () => '10.0.0.1') },
    { networkUuid: 'in the body' },
  ];
  for (const payload of bad) {
    const answer = await mint(api, key, payload);
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, JSON.stringify(payload));
  }
  t.equal(items((await api.call(key, { url })).json['data']).length, before);
});

void t.test('hides keys from callers of other networks', async (t) => {
  const api = await startTestApi(t);
  const { network, otherNetwork } = api;
  const mine = await mintKey(api);
  const both = await mintKey(api, { networkIds: [network.id, otherNetwork.id] });
  const root = await mintKey(api, firstParty);
  const theirs = await mint(api, root, {}, `?networkUuid=${otherNetwork.uuid}`);
  t.match(theirs.json['data'], { unrestricted: false });
  t.match((await mint(api, root)).json['data'], { unrestricted: true });
  t.match((await mint(api, both)).json['data'], { unrestricted: false });
  t.equal((await mint(api, mine, {}, `?networkUuid=${otherNetwork.uuid}`)).status, 404);

  const count = async (key: string, query = '') =>
    items((await api.call(key, { url: `${url}${query}` })).json['data']).length;
  t.equal(await count(mine), 1, 'none that reach beyond one’s networks');
  t.equal(await count(both), 4, 'its own, its child’s, and those of its networks');
  t.equal(await count(root), 6);
  t.equal(await count(root, `?networkUuid=${otherNetwork.uuid}`), 3, 'those pinned to it');
  t.equal((await api.call(mine, { url: `${url}?networkUuid=${otherNetwork.uuid}` })).status, 404);
  for (const query of ['', `?networkUuid=${network.uuid}`]) {
    const request = { method: 'DELETE', url: `${url}/${idOf(theirs)}${query}` } as const;
    t.match(await api.call(mine, request), { status: 404, json: { error: { code: 'API_KEY_NOT_FOUND' } } });
  }
  const child = secretOf(await mint(api, mine, { scopes: ['cpms:read'] }));
  t.match((await api.call(child, { url: '/cpms/v1/me' })).json['data'], { accessibleNetworkCount: 1 });
});

void t.test('accepts a key from its addresses only', async (t) => {
  const api = shared;
  for (const [apiFamily, path] of [
    ['cpms', '/cpms/v1/me'],
    ['emsp', '/emsp/v1/chargers'],
  ] as const) {
    const key = await mintKey(api, { apiFamily, allowedIPs: ['192.0.2.0/24', '2001:db8::1'] });
    const from = async (remoteAddress: string) => {
      const { status, json } = await api.call(key, { url: path, remoteAddress });
      return [status, json['code'] ?? json['error']?.['code'] ?? null] as unknown;
    };
    for (const address of ['192.0.2.77', '::ffff:192.0.2.77', '2001:db8::1', '2001:db8:0::1']) {
      t.strictSame(await from(address), [200, null], `${apiFamily} ${address}`);
    }
    for (const address of ['192.0.3.1', '::ffff:192.0.3.1', '2001:db8::2', '127.0.0.1']) {
      t.strictSame(await from(address), [403, 'ADDRESS_NOT_ALLOWED'], `${apiFamily} ${address}`);
    }
  }
});

void t.test('the use of keys is counted without a write for each request', async (t) => {
  const api = await startTestApi(t, {}, { fresh: true });
  const { sql } = api.stores;
  const key = await mintKey(api);
  await sql`create table writes (at timestamptz)`;
  await sql.unsafe(`create function note_write() returns trigger language plpgsql as
    'begin insert into writes values (now()); return null; end';
    create trigger noted after update on api_keys for each statement execute function note_write()`);
  await Promise.all(Array.from({ length: 99 }, () => api.call(key, { url: '/cpms/v1/me' })));
  await api.call(key, { url: '/cpms/v1/no-such-path' });
  await until('the use is written', async () => {
    const [row] = await sql`select usage_count::integer as count, last_used_at from api_keys`;
    return row?.['count'] === 100 && row['last_used_at'] instanceof Date;
  });
  const [writes] = await sql`select count(*)::integer as count from writes`;
  t.ok(Number(writes?.['count']) <= 5, `${writes?.['count']} writes for 100 requests`);
});

void t.test('writes pending use counts when the application closes', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  await api.call(key, { url: '/cpms/v1/me' });
  await api.app.close();
  t.match(await api.stores.sql`select usage_count::integer as count from api_keys`, [{ count: 1 }]);
});

void t.test('enforces the rate of a key over all API processes, except without the bus', async (t) => {
  const redis = await startOwnRedis();
  const processes = await Promise.all([apiOn(t, redis.url), apiOn(t, redis.url)]);
  const send = async (index: number, key: string, path: string) => {
    const answer = await processes[index % 2]!.inject({ url: path, headers: { 'x-api-key': key } });
    return { status: answer.statusCode, headers: answer.headers, text: answer.body };
  };
  for (const [apiFamily, path] of [
    ['cpms', '/cpms/v1/me'],
    ['emsp', '/emsp/v1/chargers'],
  ] as const) {
    // While this machine stands still Redis seems to be away, and what is then let through is not counted.
    const answers = await until('all are counted', async () => {
      const key = await mintKey(shared, { apiFamily, rateLimitPerHour: 20 });
      const all = await Promise.all(Array.from({ length: 30 }, (_, index) => send(index, key, path)));
      return all.every(({ headers }) => 'ratelimit-limit' in headers) && all;
    });
    const left = answers.flatMap(({ status, headers }) =>
      status === 200 ? [Number(headers['ratelimit-remaining'])] : [],
    );
    t.strictSame(
      left.toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, index) => index),
      apiFamily,
    );
    const refused = answers.filter(({ status }) => status === 429);
    t.equal(refused.length, 10);
    t.match(refused[0]?.headers, { 'ratelimit-limit': '20', 'ratelimit-remaining': '0' });
    t.match(refused[0]?.text, '"RATE_LIMITED"');
    const retryAfter = Number(refused[0]?.headers['retry-after']);
    t.ok(retryAfter > 3000 && retryAfter <= 3600, `${retryAfter} s`);
  }
  const free = await send(0, await mintKey(shared), '/cpms/v1/me');
  t.notOk('ratelimit-limit' in free.headers, 'no limit headers for a key without a limit');

  const [key, first, second] = await until('both are counted', async () => {
    const once = await mintKey(shared, { rateLimitPerHour: 1 });
    const both = [await send(0, once, '/cpms/v1/me'), await send(1, once, '/cpms/v1/me')] as const;
    return both.every(({ headers }) => 'ratelimit-limit' in headers) && ([once, ...both] as const);
  });
  t.equal(first.status, 200);
  t.equal(second.status, 429);
  await redis.stop();
  await until('the key is let through', async () => (await send(0, key, '/cpms/v1/me')).status === 200);
});

/** One more API process on the stores of the shared one, with a bus over this Redis. */
async function apiOn(t: Pick<Test, 'teardown'>, url: string): Promise<App> {
  const bus = await createRedisBus({ url });
  const app = await buildApp({ ...shared.deps, bus, log: createLogger('test', 'silent') });
  t.teardown(async () => {
    await app.close();
    await bus.close();
  });
  return app;
}

void t.test('creates and revokes keys of the public API for a network or a driver', async (t) => {
  const api = shared;
  const key = await mintKey(api);
  const { sql } = api.stores;
  const publicKeys = '/cpms/v1/public-api-keys';
  const user = await addUser(sql, api.network.id, 'keys@example.org');
  const stranger = await addUser(sql, api.otherNetwork.id, 'keys@example.org');
  const post = (payload?: object, query = '') =>
    api.call(key, {
      method: 'POST',
      url: `${publicKeys}${query}`,
      ...(payload !== undefined && { payload }),
    });

  const operators = await post();
  t.match(operators.json['data'], { apiFamily: 'emsp', userId: null, unrestricted: false });
  t.same(operators.json['data']?.['permissions'], ['emsp:read']);
  const drivers = await post({ name: 'Ada', userId: user.uuid });
  t.match(drivers.json['data'], { apiFamily: 'emsp', userId: user.uuid, name: 'Ada' });
  t.equal((await api.call(secretOf(operators), { url: '/emsp/v1/charging/sessions' })).status, 200);
  t.equal(
    (await api.call(secretOf(drivers), { url: '/emsp/v1/wallet' })).status,
    200,
    'the driver is the caller',
  );

  const listed = (await api.call(key, { url: publicKeys })).text;
  t.ok(listed.includes(idOf(drivers)) && listed.includes(idOf(operators)));
  t.notOk(listed.includes(secretOf(drivers)));
  t.notOk((await api.call(key, { url })).text.includes(idOf(drivers)), 'they are no operator keys');
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.notOk((await api.call(other, { url: publicKeys })).text.includes(idOf(drivers)));
  const revoke = (by: string | null) =>
    api.call(by, { method: 'DELETE', url: `${publicKeys}/${idOf(drivers)}` });
  t.match(await revoke(other), { status: 404, json: { error: { code: 'API_KEY_NOT_FOUND' } } });
  t.equal((await revoke(null)).status, 401);

  for (const [payload, query, status, code] of [
    [{ userId: stranger.uuid }, '', 404, 'USER_NOT_FOUND'],
    [{ scopes: ['cpms:read'] }, '', 400, 'VALIDATION_FAILED'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, '', 400, 'VALIDATION_FAILED'],
    [{}, `?networkId=${api.otherNetwork.uuid}`, 404, 'NETWORK_NOT_FOUND'],
  ] as const) {
    t.match(await post(payload, query), { status, json: { error: { code } } });
  }
  t.match(await revoke(key), { status: 200, json: { data: { revoked: true, deleted: true } } });
  t.match(await api.call(secretOf(drivers), { url: '/emsp/v1/wallet' }), {
    status: 401,
    json: { code: 'KEY_REVOKED' },
  });
});
