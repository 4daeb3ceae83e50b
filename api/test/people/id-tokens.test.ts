import t from 'tap';
import { seedCharger, seedUser } from '#shared/testing/seed.ts';
import { connectedCharger } from '#api/test/support/held-charger.ts';
import { items, type Json, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

const emsp = '/emsp/v1/auth/tokens';
const cpms = '/cpms/v1/id-tokens';
const unknown = '00000000-0000-4000-8000-000000000000';
const card = { uid: '04A2B3C4', tokenType: 'RFID' };
const text = (json: Json | undefined) => json as unknown as string;

async function callers(api: TestApi) {
  const user = await seedUser(api.stores.sql, api.network.id);
  const other = await seedUser(api.stores.sql, api.otherNetwork.id);
  const keyOf = (changed: object) => mintKey(api, { apiFamily: 'emsp', ...changed });
  return {
    user,
    other,
    operator: await keyOf({}),
    driver: await keyOf({ userId: user.id }),
    foreign: await keyOf({ networkIds: [api.otherNetwork.id] }),
  };
}

void t.test('creates, lists, reads and invalidates tokens with the public API', async (t) => {
  const api = await startTestApi(t);
  const { user, other, operator, driver, foreign } = await callers(api);
  const post = (payload: object, key: string | null = operator) =>
    api.call(key, { method: 'POST', url: emsp, payload });
  const made = await post({ ...card, userId: user.uuid, visualNumber: 'NL-1', groupId: 'FAMILY' });
  t.match(made, {
    status: 201,
    json: {
      ...card,
      userId: user.uuid,
      visualNumber: 'NL-1',
      groupId: 'FAMILY',
      whitelist: 'ALLOWED',
      valid: true,
      status: 'Accepted',
    },
  });
  const id = text(made.json['id']);
  const past = new Date(Date.now() - 1000).toISOString();
  const expired = await post({ uid: 'APP-1', tokenType: 'APP_USER', expiresAt: past });
  t.match(expired, { status: 201, json: { valid: false, status: 'Expired', userId: null } });

  for (const [answer, status, code] of [
    [await post({ ...card, uid: '04a2b3c4' }), 409, 'ID_TOKEN_EXISTS'],
    [await post({ ...card, uid: 'X', userId: unknown }), 404, 'USER_NOT_FOUND'],
    [await post({ ...card, uid: 'X', userId: other.uuid }), 404, 'USER_NOT_FOUND'],
    [await post({ ...card, uid: 'has space' }), 400, 'VALIDATION_FAILED'],
    [await post({ ...card, uid: 'x'.repeat(256) }), 400, 'VALIDATION_FAILED'],
    [await post({ uid: 'X', tokenType: 'PLASTIC' }), 400, 'VALIDATION_FAILED'],
    [await post({ ...card, uid: 'X' }, driver), 403, 'OPERATOR_KEY_REQUIRED'],
    [await post({ ...card, uid: 'X' }, null), 401, 'KEY_MISSING'],
  ] as const) {
    t.match(answer, { status, json: { code } });
  }
  const twins = await Promise.all([
    post({ uid: 'TWIN', tokenType: 'OTHER' }),
    post({ uid: 'twin', tokenType: 'OTHER' }),
  ]);
  t.same(new Set(twins.map(({ status }) => status)), new Set([201, 409]), 'two at the same time are one');

  const list = async (query: string, key = operator) =>
    items((await api.call(key, { url: `${emsp}?${query}` })).json['data'])
      .map(({ uid }) => text(uid).toUpperCase())
      .toSorted();
  t.same(await list(''), ['04A2B3C4', 'APP-1', 'TWIN']);
  t.same(await list(`userId=${user.uuid}`), ['04A2B3C4']);
  t.same(await list('tokenType=APP_USER'), ['APP-1']);
  t.same(await list('valid=false'), ['APP-1']);
  t.same(await list('valid=true&page=2&pageSize=1'), ['TWIN']);
  t.same(await list('', driver), ['04A2B3C4'], 'a driver sees its own');
  t.same(await list('', foreign), []);
  t.equal((await api.call(operator, { url: `${emsp}?valid=maybe` })).status, 400);

  const one = (key: string | null, uuid: string, method: 'GET' | 'DELETE' = 'GET') =>
    api.call(key, { method, url: `${emsp}/${uuid}` });
  t.match(await one(driver, id), { status: 200, json: card });
  for (const answer of [
    await one(driver, text(expired.json['id'])),
    await one(foreign, id),
    await one(foreign, id, 'DELETE'),
    await one(driver, text(expired.json['id']), 'DELETE'),
    await one(operator, unknown),
    await one(operator, unknown, 'DELETE'),
  ]) {
    t.match(answer, { status: 404, json: { code: 'ID_TOKEN_NOT_FOUND' } });
  }
  t.equal((await one(null, id, 'DELETE')).status, 401);
  t.match(await one(driver, id, 'DELETE'), {
    status: 200,
    json: { success: true, id, action: 'invalidate', pendingChargers: { chargers: 0, offline: 0 } },
  });
  t.equal((await one(operator, id, 'DELETE')).status, 200, 'again changes nothing');
  t.match(await one(operator, id), { json: { valid: false, status: 'Invalid' } });
  t.same(await list('valid=false'), ['04A2B3C4', 'APP-1']);
  t.equal((await post(card)).status, 201, 'the uid can be assigned again');
  t.match(await api.stores.sql`select action from audit_log where resource_id = ${id} order by id`, [
    { action: 'create' },
    { action: 'delete' },
  ]);
});

void t.test('operators block, unblock and change tokens with versions', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { user, other } = await callers(api);
  const post = (payload: object) => api.call(key, { method: 'POST', url: cpms, payload });
  const made = await post({ ...card, issuer: 'North', contractId: 'NL-NRT-C1', whitelist: 'NEVER' });
  t.match(made, {
    status: 201,
    headers: { etag: '"1"' },
    json: { data: { ...card, issuer: 'North', whitelist: 'NEVER', blocked: false, version: 1 } },
  });
  const url = `${cpms}/${text(made.json['data']?.['id'])}`;
  const edit = (payload: object, etag?: string) =>
    api.call(key, {
      method: 'PATCH',
      url,
      payload,
      headers: etag === undefined ? {} : { 'if-match': etag },
    });
  const { sql } = api.stores;
  const charger = await seedCharger(sql, api.network.id);
  await sql`insert into id_token_caches (id_token_id, charger_id) select id, ${charger.id} from id_tokens`;

  t.match(await edit({ blocked: true }, '"1"'), {
    status: 200,
    headers: { etag: '"2"' },
    json: {
      data: { blocked: true, status: 'Blocked', valid: false, pendingChargers: { chargers: 1, offline: 1 } },
    },
  });
  t.match(await edit({ blocked: false }, '"1"'), {
    status: 412,
    json: { error: { code: 'PRECONDITION_FAILED' } },
  });
  t.match(await edit({ blocked: false, userId: user.uuid, groupId: 'G' }), {
    json: { data: { status: 'Accepted', userId: user.uuid, groupId: 'G' } },
  });
  t.match(await edit({ userId: other.uuid }), { status: 404, json: { error: { code: 'USER_NOT_FOUND' } } });
  t.match(await edit({ userId: null, expiresAt: '2020-01-01T00:00:00Z' }), {
    json: { data: { status: 'Expired', userId: null } },
  });
  t.equal((await edit({})).status, 400);
  t.equal((await edit({ uid: 'OTHER' })).status, 400, 'the uid is what the token is');

  await post({ uid: 'SECOND', tokenType: 'OTHER', groupId: 'G', networkUuid: api.network.uuid });
  const uids = async (query: string) =>
    items((await api.call(key, { url: `${cpms}?${query}` })).json['data']).map(({ uid }) => text(uid));
  t.same(await uids('groupId=G'), ['04A2B3C4', 'SECOND']);
  t.same(await uids('valid=true'), ['SECOND']);
  t.same(await uids('search=nrt'), ['04A2B3C4']);
  t.same(await uids('search=04a2'), ['04A2B3C4'], 'case does not count');
  t.same(await uids('search=econ'), ['SECOND'], 'known by its uid only');
  for (const sign of ['%25', '_']) t.same(await uids(`search=${sign}`), [], 'signs of LIKE are no wildcards');
  const first = await api.call(key, { url: `${cpms}?pageSize=1` });
  t.same(await uids(`cursor=${text(first.json['nextCursor'])}`), ['SECOND']);

  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const unscoped = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  t.same((await api.call(foreign, { url: cpms })).json['data'], []);
  for (const request of [
    { url },
    { method: 'PATCH', url, payload: { blocked: true } },
    { method: 'DELETE', url },
    { url: cpms },
    { method: 'POST', url: cpms, payload: card },
  ] as const) {
    if (request.url === url) t.equal((await api.call(foreign, request)).status, 404);
    t.match(await api.call(unscoped, request), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
    t.equal((await api.call(null, request)).status, 401);
  }
  t.match(await api.call(key, { method: 'DELETE', url }), { status: 200, json: { data: { deleted: true } } });
  t.equal((await api.call(key, { url })).status, 404);
});

/** The answer to a start with a token that may not charge. */
const refused = (status: string) => ({
  status: 409,
  json: { error: { code: 'ID_TOKEN_NOT_ACCEPTED', details: { status } } },
});

void t.test('sends no start for a blocked token', async (t) => {
  const api = await startTestApi(t);
  const { key, taken, ask } = await connectedCharger(api);
  const made = await api.call(key, { method: 'POST', url: cpms, payload: card });
  const url = `${cpms}/${text(made.json['data']?.['id'])}`;
  const start = () => ask('POST', 'remote-start', { idTag: card.uid });
  t.equal((await start()).status, 200);
  await api.call(key, { method: 'PATCH', url, payload: { blocked: true } });
  t.match(await start(), refused('Blocked'));
  await api.call(key, { method: 'DELETE', url });
  t.match(await start(), refused('Invalid'));
  t.equal(
    (await ask('POST', 'remote-start', { idTag: 'STRANGER' })).status,
    200,
    'a stranger is for the charger to ask',
  );
  t.equal(taken.length, 2);
});

void t.test('the public API restarts a charger for operators', async (t) => {
  const api = await startTestApi(t);
  const { id, taken } = await connectedCharger(api);
  const { operator, driver, foreign } = await callers(api);
  const url = `/emsp/v1/chargers/${id}/reboot`;
  const post = (key: string | null, payload?: string) =>
    api.call(key, {
      method: 'POST',
      url,
      ...(payload !== undefined && { payload, headers: { 'content-type': 'application/json' } }),
    });
  for (const [payload, kind] of [
    [undefined, 'Soft'],
    ['null', 'Soft'],
    ['{}', 'Soft'],
    ['{"type":"Hard"}', 'Hard'],
  ] as const) {
    t.match(await post(operator, payload), {
      status: 200,
      json: { chargerId: id, resetType: kind, accepted: true, message: String },
    });
    t.match(taken.at(-1), { command: { type: 'reset', kind } });
  }
  t.match(await post(operator, '{"type":"Gently"}'), { status: 400, json: { code: 'VALIDATION_FAILED' } });
  t.match(await post(driver), { status: 403, json: { code: 'OPERATOR_KEY_REQUIRED' } });
  t.match(await post(foreign), { status: 404, json: { code: 'CHARGER_NOT_FOUND' } });
  t.equal((await post(null)).status, 401);
  await api.shard.presence.release('CP-1', (await api.bus.presence.lookup('CP-1'))?.connectionId ?? '');
  t.match(await post(operator), { status: 400, json: { code: 'CHARGER_UNAVAILABLE' } });
});

void t.test('creates a token of 255 characters, as OCPP 2.1 allows', async (t) => {
  const api = await startTestApi(t);
  const { operator } = await callers(api);
  const uid = 'L'.repeat(255);
  const made = await api.call(operator, {
    method: 'POST',
    url: emsp,
    payload: { uid, tokenType: 'OTHER' },
  });
  t.match(made, { status: 201, json: { uid } });
});
