import t from 'tap';
import { buildApp } from '#api/app.ts';
import { post, publicCharger, refusal } from '#api/test/support/charging-drivers.ts';
import { testDeps } from '#api/test/support/deps.ts';
import { driverClient, failed, invalid, newEmail, tokensOf } from '#api/test/support/driver-client.ts';
import { addDriver, signUp } from '#api/test/support/drivers.ts';
import { callApp, items, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { addTariff } from '#api/test/support/records.ts';
import { startRig } from '#gateway/test/support/rig.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedCharger, seedTariff, seedToken } from '#shared/testing/seed.ts';

const denied = (code: string) => ({ json: { error: { code } } });
const refused = { status: 403, json: { code: 'DRIVER_BLOCKED' } };

/** Blocks or releases a driver as an operator. */
function setBlocked(
  api: Pick<TestApi, 'call'>,
  key: string | null,
  uuid: string,
  isBlocked: boolean,
  headers: Record<string, string> = {},
) {
  const url = `/cpms/v1/users/${uuid}`;
  return api.call(key, { method: 'PATCH', url, payload: { isBlocked }, headers });
}

void t.test('a blocked driver cannot sign in', async (t) => {
  const api = await startTestApi(t);
  const client = driverClient(api);
  const email = newEmail();
  const driver = await signUp(api, email);
  const other = await signUp(api, newEmail());
  const key = await mintKey(api);
  t.match(await setBlocked(api, key, driver.id, true), { status: 200, json: { data: { isBlocked: true } } });

  await t.test('and its sessions have ended', async (t) => {
    t.match(await client.me(driver.access), invalid);
    t.match(await client.post('/refresh', { refreshToken: driver.refresh }), invalid);
  });

  await t.test('and learns why only after the right password', async (t) => {
    t.match(await client.logIn(email), refused);
    t.match(await client.logIn(email, 'wrong'), failed);
  });

  await t.test('with a session that began during the block either', async (t) => {
    await api.stores.sql`update driver_sessions set revoked_at = null`;
    t.match(await client.me(driver.access), refused);
  });

  await t.test('while another driver can', async (t) => {
    t.match(await client.logIn(other.email), { status: 200 });
  });

  await t.test('until the operator releases it', async (t) => {
    t.match(await setBlocked(api, key, driver.id, false), {
      status: 200,
      json: { data: { isBlocked: false } },
    });
    t.match(await client.me(tokensOf(await client.logIn(email)).access), { status: 200 });
  });
});

void t.test('the app and the keys of a blocked driver start nothing', async (t) => {
  const api = await startTestApi(t);
  await addTariff(api.stores.sql, api.network.id);
  const key = await mintKey(api);
  const driver = await addDriver(api, 2000n);
  const charger = await publicCharger(api);
  const start = (body: object = {}) => post(api, driver.key, 'start', { chargerId: charger.uuid, ...body });
  await setBlocked(api, key, driver.user.uuid, true);
  t.match(await start(), refusal('ID_TOKEN_BLOCKED', 403), 'before the app has a token');
  t.strictSame([...(await api.stores.sql`select from id_tokens`)], [], 'and none is made');
  t.equal(charger.taken.length, 0);

  await setBlocked(api, key, driver.user.uuid, false);
  t.match(await start(), { status: 200 });
  await setBlocked(api, key, driver.user.uuid, true);
  t.match(await start(), refusal('ID_TOKEN_BLOCKED', 403), 'with the token that the app has');
});

void t.test('the tokens of a blocked driver', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const driver = await addDriver(api);
  const other = await addDriver(api, 0n, 'bob@example.org');
  const uid = await seedToken(sql, api.network.id, { userId: driver.user.id });
  const otherUid = await seedToken(sql, api.network.id, { userId: other.user.id });
  const charger = await seedCharger(sql, api.network.id);
  await sql`insert into id_token_caches (id_token_id, charger_id) select id, ${charger.id} from id_tokens`;
  const tokens = async (query = '') => {
    const { json } = await api.call(key, { url: `/cpms/v1/id-tokens${query}` });
    return items(json['data']) as unknown as { id: string; uid: string }[];
  };
  const idOf = async (wanted: string) => (await tokens()).find((token) => token.uid === wanted)?.id ?? '';
  const read = async (wanted: string) =>
    (await api.call(key, { url: `/cpms/v1/id-tokens/${await idOf(wanted)}` })).json['data'];
  t.match(await read(uid), { status: 'Accepted', isDriverBlocked: false });
  await setBlocked(api, key, driver.user.uuid, true);

  await t.test('are blocked, in every list, without a block of their own', async (t) => {
    const blocked = { uid, status: 'Blocked', valid: false, blocked: false, isDriverBlocked: true };
    t.match(await read(uid), blocked);
    t.match(await tokens('?valid=false'), [blocked]);
    t.match(await tokens('?valid=true'), [{ uid: otherUid, status: 'Accepted', isDriverBlocked: false }]);
  });

  await t.test('are removed from the chargers that hold them', async (t) => {
    t.match(await read(uid), { pendingChargers: { chargers: 1, offline: 1 } });
    t.match(await read(otherUid), { pendingChargers: { chargers: 0 } });
  });

  await t.test('include tokens that it gets later, and no others', async (t) => {
    const create = { uid: 'LATER', tokenType: 'RFID', userId: driver.user.uuid };
    const made = await api.call(key, { method: 'POST', url: '/cpms/v1/id-tokens', payload: create });
    t.match(made, { status: 201, json: { data: { status: 'Blocked', isDriverBlocked: true } } });
    const give = async (wanted: string, userId: string | null) => {
      const url = `/cpms/v1/id-tokens/${await idOf(wanted)}`;
      return (await api.call(key, { method: 'PATCH', url, payload: { userId } })).json['data'];
    };
    t.match(await give('LATER', other.user.uuid), { status: 'Accepted', isDriverBlocked: false });
    t.match(await give(otherUid, driver.user.uuid), {
      status: 'Blocked',
      pendingChargers: { chargers: 1 },
    });
    await give(otherUid, other.user.uuid);
  });

  await t.test('keep a block of their own when the driver is released', async (t) => {
    const url = `/cpms/v1/id-tokens/${await idOf(uid)}`;
    await api.call(key, { method: 'PATCH', url, payload: { blocked: true } });
    await setBlocked(api, key, driver.user.uuid, false);
    t.match(await read(uid), { status: 'Blocked', blocked: true, isDriverBlocked: false });
    await api.call(key, { method: 'PATCH', url, payload: { blocked: false } });
    t.match(await read(uid), { status: 'Accepted' });
  });
});

void t.test('a charger refuses the card of a blocked driver', async (t) => {
  const rig = await startRig(t);
  const { stores, network, bus } = rig;
  const app = await buildApp({ ...(await testDeps(t, stores, bus)), log: createLogger('test', 'silent') });
  t.teardown(() => app.close());
  const api: Pick<TestApi, 'call' | 'stores' | 'network'> = {
    stores,
    network,
    call: (key, request) => callApp(app, key, request),
  };
  await seedTariff(stores.sql, network.id);
  const key = await mintKey(api);
  const { json } = await api.call(key, {
    method: 'POST',
    url: '/cpms/v1/users',
    payload: { email: 'ada@example.org', name: 'Ada' },
  });
  const uuid = json['data']?.['id'] as unknown as string;
  const payload = { uid: 'CARD1', tokenType: 'RFID', userId: uuid };
  await api.call(key, { method: 'POST', url: '/cpms/v1/id-tokens', payload });
  await setBlocked(api, key, uuid, true);
  const { client } = await rig.connect('ocpp1.6');
  const blocked = { idTagInfo: { status: 'Blocked' } };
  t.match(await client.call('Authorize', { idTag: 'CARD1' }), blocked);
  const timestamp = new Date().toISOString();
  t.match(
    await client.call('StartTransaction', { connectorId: 1, idTag: 'CARD1', meterStart: 0, timestamp }),
    blocked,
  );
  t.strictSame([...(await stores.sql`select from id_token_caches`)], [], 'and need not forget it');
});

void t.test('the block of a driver is closed to other callers', async (t) => {
  const api = await startTestApi(t);
  const driver = await signUp(api, newEmail());
  const key = await mintKey(api);

  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.match(await setBlocked(api, foreign, driver.id, true), { status: 404, ...denied('USER_NOT_FOUND') });
  const reader = await mintKey(api, { scopes: ['cpms:read:users'] });
  t.match(await setBlocked(api, reader, driver.id, true), { status: 403, ...denied('SCOPE_MISSING') });
  t.equal((await setBlocked(api, null, driver.id, true)).status, 401);
  t.match(await setBlocked(api, key, driver.id, true, { 'if-match': '"7"' }), {
    status: 412,
    ...denied('PRECONDITION_FAILED'),
  });
  const own = { headers: { authorization: `Bearer ${driver.access}` } };
  const profile = { method: 'PATCH', url: '/emsp/v1/auth/driver/me', payload: { isBlocked: true } } as const;
  t.not((await api.call(null, { ...profile, ...own })).status, 200);
  t.match((await api.call(key, { url: `/cpms/v1/users/${driver.id}` })).json['data'], { isBlocked: false });

  await setBlocked(api, key, driver.id, true);
  const [entry] = await api.stores.sql`
    select details from audit_log where category = 'user' and action = 'update' and resource_id = ${driver.id}`;
  t.match(JSON.stringify(entry), /isBlocked/);
});
