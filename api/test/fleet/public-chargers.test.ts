import t from 'tap';
import { seedConnection } from '#shared/testing/seed.ts';
import { text } from '#api/test/support/charging-drivers.ts';
import { items, mintKey, register, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { addLocation, addUser, startSession } from '#api/test/support/records.ts';

const url = '/emsp/v1/chargers';
const unknown = '00000000-0000-4000-8000-000000000000';

/** One public charger at a published location, one private there, one at an unpublished location, one of another network. */
async function fourChargers(api: TestApi) {
  const { sql } = api.stores;
  const admin = await mintKey(api, { unrestricted: true, networkIds: [] });
  const here = await addLocation(sql, api.network.id);
  const hidden = await addLocation(sql, api.network.id, { isPublished: false, name: 'Depot' });
  const add = async (serial: string, locationUuid?: string, networkUuid = api.network.uuid) =>
    (await register(api, admin, { serial, networkUuid, ...(locationUuid && { locationUuid }) })).id;
  const chargers = {
    open: await add('OPEN', here.uuid),
    closed: await add('CLOSED', here.uuid),
    depot: await add('DEPOT', hidden.uuid),
    foreign: await add('FOREIGN', undefined, api.otherNetwork.uuid),
  };
  await sql`update chargers set is_public = false where uid = 'CLOSED'`;
  const driver = await addUser(sql, api.network.id, 'driver@example.com');
  return {
    ...chargers,
    here,
    admin,
    driver,
    operatorKey: await mintKey(api, { apiFamily: 'emsp' }),
    driverKey: await mintKey(api, { apiFamily: 'emsp', userId: driver.id }),
  };
}

void t.test(
  'operators see all chargers of their networks, drivers the public ones at published locations',
  async (t) => {
    const api = await startTestApi(t);
    const { operatorKey, driverKey, ...ids } = await fourChargers(api);
    const seenBy = async (key: string) =>
      items((await api.call(key, { url })).json['data']).map((charger) => charger['uid']);
    t.same(await seenBy(operatorKey), ['OPEN', 'CLOSED', 'DEPOT']);
    t.same(await seenBy(driverKey), ['OPEN']);

    const status = async (key: string, id: string) => (await api.call(key, { url: `${url}/${id}` })).status;
    t.equal(await status(driverKey, ids.open), 200);
    t.equal(await status(operatorKey, ids.depot), 200);
    for (const id of [ids.closed, ids.depot, ids.foreign, unknown]) t.equal(await status(driverKey, id), 404);
    for (const id of [ids.foreign, unknown]) t.equal(await status(operatorKey, id), 404);
    t.match(await api.call(driverKey, { url: `${url}/${unknown}` }), {
      headers: { 'content-type': /problem\+json/ },
      json: {
        type: 'about:blank',
        title: 'Charger not found',
        status: 404,
        code: 'CHARGER_NOT_FOUND',
        instance: String,
      },
    });
  },
);

void t.test('a charger comes with its place and its connectors', async (t) => {
  const api = await startTestApi(t);
  const { open, admin, driverKey, here } = await fourChargers(api);
  const connectors = `/cpms/v1/chargers/${open}/connectors`;
  await api.call(admin, {
    method: 'POST',
    url: connectors,
    payload: { maxPower: 11, powerType: 'AC_3_PHASE' },
  });
  await api.stores.sql`update connectors set status = 'Available'`;
  await api.stores.sql`update chargers set status = 'Available'`;
  await seedConnection(api.stores.sql, open);
  const { json } = await api.call(driverKey, { url: `${url}/${open}` });
  t.match(json, {
    id: open,
    uid: 'OPEN',
    evseId: /^NL\*CWY\*E/,
    networkId: api.network.uuid,
    status: 'Available',
    isOnline: true,
    isPublic: true,
    location: {
      id: here.uuid,
      name: 'Harbour',
      address: 'Quay 1',
      city: 'Rotterdam',
      country: 'NLD',
      latitude: 51.9,
    },
    connectors: [
      { number: 1, powerType: 'AC_3_PHASE', maxPowerKw: 11, status: 'Available', isAvailable: true },
    ],
  });
  t.notOk('ocppPassword' in json);
  t.same((await api.call(driverKey, { url })).json['data'], [json], 'the list shows the same record');

  await startSession(api.stores.sql, { chargerUuid: open });
  const id = text(items(json['connectors'])[0]?.['id']);
  for (const busy of [`${url}/${open}`, `/emsp/v1/connectors/${id}/status`]) {
    t.match(
      (await api.call(driverKey, { url: busy })).text,
      /"status":"Available","isAvailable":false/,
      busy,
    );
  }

  await api.stores.sql`update chargers set last_heartbeat_at = now() - interval '6 minutes'`;
  const offline = {
    isOnline: false,
    status: 'Unavailable',
    connectors: [{ status: 'Unavailable', isAvailable: false }],
  };
  t.match((await api.call(driverKey, { url: `${url}/${open}` })).json, offline);
  await api.stores.sql`update chargers set last_heartbeat_at = now(), disconnected_at = now()`;
  t.match((await api.call(driverKey, { url: `${url}/${open}` })).json, offline, 'its socket was closed');
});

void t.test('treats an offline charger as unavailable in lists, details and connector status', async (t) => {
  const api = await startTestApi(t);
  const { open, operatorKey } = await fourChargers(api);
  const { sql } = api.stores;
  await sql`select ensure_connector(id, 1, 1) from chargers where uuid = ${open}`;
  await sql`update chargers set status = 'Available' where uuid = ${open}`;
  await sql`update connectors set status = 'Available'`;
  const [connector] = await sql<{ uuid: string }[]>`select uuid from connectors`;
  const total = async (status: string) =>
    (await api.call(operatorKey, { url: `${url}?status=${status}` })).json['pagination'];
  const connectorStatus = async () =>
    (await api.call(operatorKey, { url: `/emsp/v1/connectors/${connector?.uuid}/status` })).json;

  await seedConnection(sql, open);
  t.match(await total('Available'), { total: 1 });
  t.match(await total('Unavailable'), { total: 0 });
  t.match(await connectorStatus(), { status: 'Available', isAvailable: true, isOnline: true });

  await sql`update chargers set disconnected_at = now() where uuid = ${open}`;
  t.match(await total('Available'), { total: 0 });
  t.match(await total('Unavailable'), { total: 1 });
  t.match(await connectorStatus(), { status: 'Unavailable', isAvailable: false, isOnline: false });
});

void t.test('filters the list and returns pages', async (t) => {
  const api = await startTestApi(t);
  const { operatorKey, here, depot } = await fourChargers(api);
  await api.stores.sql`update chargers set status = 'CHARGING' where uid = 'DEPOT'`;
  await seedConnection(api.stores.sql, depot);
  const uids = async (query: string) =>
    items((await api.call(operatorKey, { url: `${url}?${query}` })).json['data']).map(
      (charger) => charger['uid'],
    );
  t.same(await uids('status=charging'), ['DEPOT']);
  t.same(await uids(`locationId=${here.uuid}`), ['OPEN', 'CLOSED']);
  t.same(await uids('isPublic=false'), ['CLOSED']);
  t.same(await uids('pageSize=2&page=2'), ['DEPOT']);
  t.match((await api.call(operatorKey, { url: `${url}?pageSize=2` })).json['pagination'], {
    total: 3,
    totalPages: 2,
  });
  for (const query of ['pageSize=101', 'isPublic=maybe', 'locationId=1', 'status=a%00']) {
    t.match(await api.call(operatorKey, { url: `${url}?${query}` }), {
      status: 400,
      json: { code: 'VALIDATION_FAILED', status: 400 },
    });
  }
});

void t.test('shows who charges at a connector to that driver and to operators only', async (t) => {
  const api = await startTestApi(t);
  const { open, depot, driver, driverKey, operatorKey } = await fourChargers(api);
  const { sql } = api.stores;
  const other = await addUser(sql, api.network.id, 'other@example.com');
  const otherKey = await mintKey(api, { apiFamily: 'emsp', userId: other.id });
  const session = await startSession(sql, { chargerUuid: open, userId: driver.id });
  await startSession(sql, { chargerUuid: depot });
  await sql`update connectors set status = 'Charging', error_code = 'NoError', status_at = '2026-11-21T08:00:00Z'`;
  const connectorOf = async (charger: string) => {
    const [row] = await sql<{ uuid: string }[]>`
      select k.uuid from connectors k join chargers c on c.id = k.charger_id where c.uuid = ${charger}`;
    return `/emsp/v1/connectors/${row?.uuid}/status`;
  };
  const status = await connectorOf(open);
  await seedConnection(sql, open);
  t.match(await api.call(driverKey, { url: status }), {
    status: 200,
    json: {
      chargerId: open,
      chargerUid: 'OPEN',
      number: 1,
      status: 'Charging',
      isAvailable: false,
      isOnline: true,
      errorCode: 'NoError',
      statusAt: '2026-11-21T08:00:00.000Z',
      activeSessionId: session.uuid,
    },
  });
  t.equal((await api.call(operatorKey, { url: status })).json['activeSessionId'], session.uuid);
  t.equal((await api.call(otherKey, { url: status })).json['activeSessionId'], null);

  const hidden = await connectorOf(depot);
  t.equal((await api.call(operatorKey, { url: hidden })).status, 200);
  t.match(await api.call(driverKey, { url: hidden }), {
    status: 404,
    json: { code: 'CONNECTOR_NOT_FOUND' },
  });
  t.equal((await api.call(operatorKey, { url: `/emsp/v1/connectors/${unknown}/status` })).status, 404);
});
