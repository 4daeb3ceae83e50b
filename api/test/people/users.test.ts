import t from 'tap';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { seedToken } from '#shared/testing/seed.ts';
import {
  items,
  type Json,
  mintKey,
  register,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';
import { callMeanwhile } from '#api/test/support/meanwhile.ts';
import { endSession, startSession } from '#api/test/support/records.ts';

const cpms = '/cpms/v1/users';
const emsp = '/emsp/v1/users';
const ada = { email: 'ada@example.org', name: 'Ada', phone: '+31 20 1', language: 'nl', externalId: 'C-1' };
const unknown = '00000000-0000-4000-8000-000000000000';

const text = (json: Json | undefined) => json as unknown as string;

async function callers(api: TestApi) {
  const operator = await mintKey(api, { apiFamily: 'emsp' });
  const made = await api.call(operator, { method: 'POST', url: emsp, payload: ada });
  const id = text(made.json['id']);
  const [row] = await api.stores.sql<{ id: number }[]>`select id from users where uuid = ${id}`;
  const driver = await mintKey(api, { apiFamily: 'emsp', userId: row?.id ?? 0 });
  const foreign = await mintKey(api, { apiFamily: 'emsp', networkIds: [api.otherNetwork.id] });
  return { operator, driver, foreign, id, userId: row?.id ?? 0, made };
}

void t.test('creates, lists, reads and changes drivers with the public API', async (t) => {
  const api = await startTestApi(t);
  const { operator, id, made } = await callers(api);
  t.equal(made.status, 201, made.text);
  const statistics = {
    sessionCount: 0,
    activeSessionCount: 0,
    energyKwh: 0,
    totalCosts: [],
    lastSessionAt: null,
  };
  t.match(made.json, { ...ada, networkId: api.network.uuid, statistics });
  const bob = { email: 'bob@example.org', name: '100%_B\\b' };
  t.equal((await api.call(operator, { method: 'POST', url: emsp, payload: bob })).status, 201);

  const search = async (query: string) =>
    items((await api.call(operator, { url: `${emsp}?${query}` })).json['data']).map(({ name }) => text(name));
  t.same(await search('page=1&pageSize=1'), ['Ada']);
  t.same(await search('page=2&pageSize=1'), [bob.name]);
  t.same(await search('search=ADA%40'), ['Ada']);
  t.same(await search('search=C-1'), ['Ada']);
  t.same(await search('search=%25_B%5C'), [bob.name], 'signs of LIKE are no wildcards');
  t.match((await api.call(operator, { url: `${emsp}?search=bob` })).json['pagination'], {
    page: 1,
    pageSize: 50,
    total: 1,
    totalPages: 1,
  });

  for (const [page, names] of [
    [2, [bob.name]],
    [99, []],
  ] as const) {
    t.strictSame(await search(`page=${page}&pageSize=1`), names);
    const { json } = await api.call(operator, { url: `${emsp}?page=${page}&pageSize=1` });
    t.match(json['pagination'], { total: 2, totalPages: 2 });
  }

  const put = (payload: object, uuid = id) =>
    api.call(operator, { method: 'PUT', url: `${emsp}/${uuid}`, payload });
  const changed = await put({ name: 'Ada L.', phone: null });
  t.match(changed, { status: 200, json: { ...ada, name: 'Ada L.', phone: null } });
  for (const [answer, status, code] of [
    [await put({ email: 'BOB@example.org' }), 409, 'USER_EXISTS'],
    [await put({}), 400, 'VALIDATION_FAILED'],
    [await put({ email: 'nobody' }), 400, 'VALIDATION_FAILED'],
    [await put({ name: 'x'.repeat(101) }), 400, 'VALIDATION_FAILED'],
    [await put({ name: 'x' }, unknown), 404, 'USER_NOT_FOUND'],
    [await api.call(operator, { method: 'POST', url: emsp, payload: ada }), 409, 'USER_EXISTS'],
    [
      await api.call(operator, { method: 'POST', url: emsp, payload: { name: 'x' } }),
      400,
      'VALIDATION_FAILED',
    ],
    [await api.call(operator, { url: `${emsp}/${unknown}` }), 404, 'USER_NOT_FOUND'],
  ] as const) {
    t.match(answer, { status, json: { code } });
  }
  const same = { method: 'POST', url: emsp, payload: { email: 'eve@example.org', name: 'Eve' } } as const;
  const both = await Promise.all([api.call(operator, same), api.call(operator, same)]);
  t.same(new Set(both.map(({ status }) => status)), new Set([201, 409]), 'two at the same time are one');
});

void t.test('sums the statistics over the sessions', async (t) => {
  const api = await startTestApi(t);
  const { operator, id, userId } = await callers(api);
  const admin = await mintKey(api);
  const charger = await register(api, admin, { serial: 'CP-1' });
  const place = { chargerUuid: charger.id, userId };
  await endSession(api.stores.sql, await startSession(api.stores.sql, place), 7500);
  const running = await startSession(api.stores.sql, { ...place, startedAt: new Date(Date.now() - 60_000) });
  await api.stores
    .sql`update sessions set cost_minor = 1234 where cost_minor is null and status = 'COMPLETED'`;
  const read = await api.call(operator, { url: `${emsp}/${id}` });
  t.match(read.json['statistics'], {
    sessionCount: 2,
    activeSessionCount: 1,
    energyKwh: 7.5,
    totalCosts: [{ currency: 'EUR', totalInclVat: 12.34 }],
    lastSessionAt: running.startedAt.toISOString(),
  });
});

void t.test('shows drivers only themselves, and nothing to other networks', async (t) => {
  const api = await startTestApi(t);
  const { operator, driver, foreign, id } = await callers(api);
  const bob = await api.call(operator, {
    method: 'POST',
    url: emsp,
    payload: { email: 'bob@example.org', name: 'B' },
  });
  t.match(await api.call(driver, { url: `${emsp}/${id}` }), { status: 200, json: { email: ada.email } });
  t.equal((await api.call(driver, { url: `${emsp}/${text(bob.json['id'])}` })).status, 404);
  const refused = { status: 403, json: { code: 'OPERATOR_KEY_REQUIRED' } };
  t.match(await api.call(driver, { url: emsp }), refused);
  t.match(await api.call(driver, { method: 'POST', url: emsp, payload: ada }), refused);
  t.match(await api.call(driver, { method: 'PUT', url: `${emsp}/${id}`, payload: { name: 'x' } }), refused);
  t.equal((await api.call(foreign, { url: `${emsp}/${id}` })).status, 404);
  t.equal(
    (await api.call(foreign, { method: 'PUT', url: `${emsp}/${id}`, payload: { name: 'x' } })).status,
    404,
  );
  t.same((await api.call(foreign, { url: emsp })).json['data'], []);
  for (const url of [emsp, `${emsp}/${id}`, cpms, `${cpms}/${id}`]) {
    t.equal((await api.call(null, { url })).status, 401);
  }
  const several = await mintKey(api, { apiFamily: 'emsp', unrestricted: true, networkIds: [] });
  t.match(await api.call(several, { method: 'POST', url: emsp, payload: { ...ada, email: 'x@y.zz' } }), {
    status: 400,
    json: { details: { errors: [{ field: 'networkId' }] } },
  });
  const elsewhere = { ...ada, networkId: api.otherNetwork.uuid };
  t.equal((await api.call(several, { method: 'POST', url: emsp, payload: elsewhere })).status, 201);
  t.equal((await api.call(operator, { method: 'POST', url: emsp, payload: elsewhere })).status, 404);
});

void t.test('the operator API edits drivers with versions, and the audit log names no person', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const made = await api.call(key, { method: 'POST', url: cpms, payload: ada });
  t.match(made, { status: 201, headers: { etag: '"1"' }, json: { data: { ...ada, version: 1 } } });
  const id = text(made.json['data']?.['id']);
  const edit = (method: 'PATCH' | 'DELETE', etag?: string, payload?: object) =>
    api.call(key, {
      method,
      url: `${cpms}/${id}`,
      headers: etag === undefined ? {} : { 'if-match': etag },
      ...(payload && { payload }),
    });
  t.match(await edit('PATCH', '"1"', { name: 'Ada L.' }), { headers: { etag: '"2"' } });
  t.match(await edit('PATCH', '"1"', { name: 'Late' }), {
    status: 412,
    json: { error: { code: 'PRECONDITION_FAILED' } },
  });
  t.equal((await edit('PATCH', undefined, { email: 'none' })).status, 400);

  const { sql } = api.stores;
  await api.call(key, { method: 'POST', url: cpms, payload: { email: 'bob@example.org', name: 'Bob' } });
  const first = await api.call(key, { url: `${cpms}?pageSize=1` });
  t.match(items(first.json['data']), [{ id, name: 'Ada L.' }]);
  const rest = await api.call(key, { url: `${cpms}?cursor=${text(first.json['nextCursor'])}` });
  t.match(items(rest.json['data']), [{ name: 'Bob' }]);
  t.equal(rest.json['nextCursor'], null);
  t.match((await api.call(key, { url: `${cpms}?search=bob` })).json['data'], [{ name: 'Bob' }]);

  const [row] = await sql<{ id: number }[]>`select id from users where uuid = ${id}`;
  const userId = row?.id ?? 0;
  const token = await seedToken(sql, api.network.id, { userId });
  const driver = await mintKey(api, { apiFamily: 'emsp', userId });
  const charger = await register(api, key, { serial: 'CP-1' });
  const session = await startSession(sql, { chargerUuid: charger.id, userId });
  t.match(await edit('DELETE'), { status: 409, json: { error: { code: 'USER_IN_USE' } } });
  await endSession(sql, session, 5000);
  const opened = await ensureWallet(sql, allNetworks, { id: userId });
  const pay = (amountMinor: bigint) =>
    sql.begin((transaction) =>
      moveMoney(transaction, opened?.wallet.id ?? 0, {
        cause: amountMinor > 0n ? 'CREDIT' : 'DEBIT',
        causeId: 'test',
        counter: 'adjustments',
        amountMinor,
        mayOwe: false,
        reason: 'test',
      }),
    );
  await pay(1n);
  t.match(await edit('DELETE'), { status: 409, json: { error: { code: 'USER_IN_USE', message: /wallet/ } } });
  await pay(-1n);
  t.equal((await edit('DELETE', '"1"')).status, 412);
  t.match(await edit('DELETE', '"2"'), { status: 200, json: { data: { id, deleted: true } } });
  t.equal((await edit('DELETE')).status, 404);
  t.equal((await api.call(key, { url: `${cpms}/${id}` })).status, 404);

  t.same(
    await sql`select email, name, phone, external_id from users where id = ${userId}`,
    [{ email: `${id}@deleted.invalid`, name: 'Deleted user', phone: null, external_id: null }],
    'what names a person is gone',
  );
  t.match(await sql`select is_valid, deleted_at from id_tokens where uid = ${token}`, [
    { is_valid: false, deleted_at: Date },
  ]);
  t.equal((await api.call(driver, { url: emsp })).status, 401, 'and its key is revoked');
  t.match(
    await sql`select user_id, energy_wh from sessions`,
    [{ user_id: userId, energy_wh: 5000 }],
    'sessions stay',
  );
  const log = await sql<{ action: string; resource_id: string; details: object }[]>`
    select action, resource_id, details from audit_log where category = 'user' and resource_id = ${id} order by id`;
  t.match(log, [
    { action: 'create', details: { before: null } },
    { action: 'update', details: { before: { name: '(personal)' }, after: { name: '(changed)' } } },
    { action: 'delete', details: { after: null } },
  ]);
  t.notMatch(JSON.stringify(log), /Ada|ada@|C-1/);
  const again = await api.call(key, { method: 'POST', url: cpms, payload: ada });
  t.equal(again.status, 201, 'the e-mail is free again');
});

void t.test('hides drivers of other networks in the operator API', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const made = await api.call(key, { method: 'POST', url: cpms, payload: ada });
  const url = `${cpms}/${text(made.json['data']?.['id'])}`;
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const unscoped = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  t.same((await api.call(foreign, { url: cpms })).json['data'], []);
  for (const request of [
    { url },
    { method: 'PATCH', url, payload: { name: 'x' } },
    { method: 'DELETE', url },
    { url: cpms },
    { method: 'POST', url: cpms, payload: ada },
  ] as const) {
    if (request.url === url) t.equal((await api.call(foreign, request)).status, 404);
    t.match(await api.call(unscoped, request), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
    t.equal((await api.call(null, request)).status, 401);
  }
});

void t.test('any key of a network reads its branding', async (t) => {
  const api = await startTestApi(t);
  const { driver, operator, foreign } = await callers(api);
  await api.stores.sql`
    update networks set primary_color = '#00aa88', logo_url = 'https://north.example/logo.svg'
    where id = ${api.network.id}`;
  const url = `/emsp/v1/networks/${api.network.uuid}/branding`;
  for (const key of [driver, operator]) {
    t.strictSame((await api.call(key, { url })).json, {
      networkId: api.network.uuid,
      name: 'North',
      logoUrl: 'https://north.example/logo.svg',
      primaryColor: '#00aa88',
      secondaryColor: null,
      website: null,
      supportEmail: null,
      supportPhone: null,
    });
  }
  t.match(await api.call(foreign, { url }), { status: 404, json: { code: 'NETWORK_NOT_FOUND' } });
  t.equal((await api.call(null, { url })).status, 401);
  t.equal((await api.call(driver, { url: '/emsp/v1/networks/x/branding' })).status, 400);
});

void t.test('rejects records of a driver or network that is being removed', async (t) => {
  const api = await startTestApi(t);
  const { id, operator } = await callers(api);
  const key = await mintKey(api);
  const gone = { status: 404, json: { error: { code: 'USER_NOT_FOUND' } } };
  for (const request of [
    { url: '/cpms/v1/id-tokens', payload: { uid: 'CARD', tokenType: 'RFID', userId: id } },
    { url: '/cpms/v1/public-api-keys', payload: { userId: id } },
    { url: '/cpms/v1/wallets', payload: { userId: id } },
  ]) {
    const remove = (transaction: Transaction) =>
      transaction`update users set deleted_at = now() where uuid = ${id}`;
    const answer = await callMeanwhile(api, remove, key, { method: 'POST', ...request });
    t.match(answer, gone, request.url);
    await api.stores.sql`update users set deleted_at = null where uuid = ${id}`;
  }
  const removeNetwork = (transaction: Transaction) =>
    transaction`update networks set deleted_at = now() where id = ${api.network.id}`;
  const payload = { ...ada, email: 'bob@example.org' };
  const answer = await callMeanwhile(api, removeNetwork, operator, { method: 'POST', url: emsp, payload });
  t.match(answer, { status: 404, json: { code: 'NETWORK_NOT_FOUND' } });
});
