import t from 'tap';
import { isChargerPassword } from '#shared/domain/kernel/secrets.ts';
import { listChargerCredentials } from '#shared/postgres/fleet/charger-records.ts';
import { seedConnection } from '#shared/testing/seed.ts';
import { addLocation } from '#api/test/support/records.ts';
import {
  items,
  mintKey,
  type Json,
  type Registered,
  register,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';

const url = '/cpms/v1/chargers';
const unknown = '00000000-0000-4000-8000-000000000000';

void t.test('lists and reads a registered charger, and accepts its password', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const location = await addLocation(sql, api.network.id);
  const modelUuid = await addModel(api);

  const answer = await api.call(key, {
    method: 'POST',
    url,
    payload: {
      serial: 'CP-1',
      networkUuid: api.network.uuid,
      locationUuid: location.uuid,
      modelUuid,
      firmwareVersion: '1.2',
      ocppVersion: '2.0.1',
    },
  });
  t.match(answer, {
    status: 201,
    json: {
      success: true,
      timestamp: /^\d{4}-.*Z$/,
      data: {
        uid: 'CP-1',
        serialNumber: 'CP-1',
        evseId: /^NL\*CWY\*E[0-9A-F]{16}$/,
        status: 'UNKNOWN',
        networkId: api.network.id,
        locationId: location.uuid,
        created: true,
        ocppPassword: /^[0-9a-f]{40}$/,
      },
    },
  });
  const created = answer.json['data'] as unknown as Registered;
  const [stored] = await listChargerCredentials(sql, ['CP-1']);
  t.ok(stored && isChargerPassword(Buffer.from(created.ocppPassword), stored.passwordHash));

  const list = await api.call(key, { url });
  t.match(list.json, {
    success: true,
    pagination: { page: 1, pageSize: 50, total: 1, totalPages: 1 },
    data: [
      {
        id: created.id,
        uid: 'CP-1',
        status: 'UNKNOWN',
        networkId: api.network.id,
        locationId: location.id,
        serialNumber: 'CP-1',
        firmwareVersion: '1.2',
        ocppVersion: '2.0.1',
        modelUuid,
        locationName: 'Harbour',
        locationUuid: location.uuid,
      },
    ],
  });
  t.notOk(JSON.stringify(list.json).includes(created.ocppPassword), 'the password is shown once');

  const detail = await api.call(key, { url: `${url}/${created.id}` });
  t.match(detail.json['data'], {
    maxPowerKw: 22,
    securityProfile: 1,
    lastHeartbeat: null,
    isOnline: false,
    connectors: [],
  });
});

void t.test('reports a charger as online for five minutes after a message', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  await seedConnection(api.stores.sql, id);
  const isOnlineAfter = async (seconds: number) => {
    await api.stores.sql`update chargers set last_heartbeat_at = now() - make_interval(secs => ${seconds})`;
    return (await api.call(key, { url: `${url}/${id}` })).json['data']?.['isOnline'];
  };
  t.equal(await isOnlineAfter(290), true);
  t.equal(await isOnlineAfter(310), false);
});

void t.test('rejects a serial that cannot be a Basic user name or the end of a URL', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const invisible = ['a\u0000', 'a\n', 'a\u200b', '\u00a0a', 'a\ud800'];
  for (const serial of ['', 'a:b', ' ', ' a', 'a ', '.', '..', 'x'.repeat(49), ...invisible]) {
    const answer = await api.call(key, { method: 'POST', url, payload: { serial } });
    t.match(
      answer,
      { status: 400, json: { error: { code: 'VALIDATION_FAILED', message: /serial/ } } },
      JSON.stringify(serial),
    );
  }
  for (const serial of ['x'.repeat(48), 'A-1_2.3*4|5@6+7=8', '...']) await register(api, key, { serial });
});

void t.test('returns the percent-encoded address of a registered charger', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  for (const [serial, path] of [
    // OCPP-J 1.6 §3.1.1.
    ['RDAM 123', 'RDAM%20123'],
    ['/Quay/2/', '%2FQuay%2F2%2F'],
    ['50% #1?', '50%25%20%231%3F'],
    ['Étoile\\7', '%C3%89toile%5C7'],
    ['🔌'.repeat(48), encodeURIComponent('🔌'.repeat(48))],
  ] as const) {
    const created = await api.call(key, { method: 'POST', url, payload: { serial } });
    t.match(created, { status: 201, json: { data: { uid: serial, serialNumber: serial } } }, serial);
    t.match((created.json['data'] as Json)['ocppUrl'], new RegExp(`/ocpp/${path}$`, 'u'));
    const again = { method: 'POST', url, payload: { serial: serial.toLowerCase() } } as const;
    t.match(await api.call(key, again), { status: 409 }, `${serial} in another case`);
    const search = `${url}?search=${encodeURIComponent(serial)}`;
    t.match(await api.call(key, { url: search }), { json: { data: [{ uid: serial }] } }, serial);
  }
});

void t.test('rejects wrong types and unknown fields of a body by name', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const wrong: [object | string, string][] = [
    [{}, 'serial'],
    [{ serial: 5 }, 'serial'],
    [{ serial: 'A', networkUuid: 'x' }, 'networkUuid'],
    [{ serial: 'A', ocppVersion: '1.5' }, 'ocppVersion'],
    [{ serial: 'A', status: 'a\u0000' }, 'status'],
    [{ serial: 'A', colour: 'red' }, 'colour'],
  ];
  for (const [payload, field] of wrong) {
    const answer = await api.call(key, { method: 'POST', url, payload });
    t.match(answer, {
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED', details: { errors: [{ field }] } } },
    });
  }
  t.equal((await api.call(key, { url })).json['pagination']?.['total'], 0, 'nothing was registered');
});

void t.test('refuses an identity that a charger of any network has, in any case', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  await register(api, key, { serial: 'CP-1' });
  for (const again of [key, other]) {
    for (const serial of ['CP-1', 'cp-1']) {
      const answer = await api.call(again, { method: 'POST', url, payload: { serial } });
      t.match(answer, { status: 409, json: { error: { code: 'CHARGER_EXISTS' } } });
    }
  }
});

void t.test('accepts a slash at the end of a path', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  t.equal((await api.call(key, { url: `${url}/` })).json['pagination']?.['total'], 1);
  t.equal((await api.call(key, { url: `${url}/${id}/?x=1` })).json['error']?.['code'], 'VALIDATION_FAILED');
  t.equal((await api.call(key, { url: `${url}/${id}/` })).json['data']?.['uid'], 'CP-1');
  t.match(await api.call(key, { method: 'PUT', url: `${url}/${id}/` }), { status: 405 });
});

void t.test('finds a charger by an EVSE id as it is printed', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  await register(api, key, { serial: 'CP-2' });
  await api.stores.sql`update chargers set evse_id = 'NL*CWY*E00K7' where uid = 'CP-1'`;
  await api.stores.sql`select ensure_connector(id, 1, 1) from chargers where uid = 'CP-1'`;
  for (const search of ['NL*CWY*E00K7*1', 'nlcwye00k71', 'NL-CWY-E00K7']) {
    const { json } = await api.call(key, { url: `${url}?search=${search}` });
    t.strictSame(
      items(json['data']).map((found) => found['id']),
      [id],
      search,
    );
  }
});

void t.test('a key of several networks must say which one a new charger belongs to', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, { networkIds: [api.network.id, api.otherNetwork.id] });
  t.match(await api.call(key, { method: 'POST', url, payload: { serial: 'A' } }), {
    status: 400,
    json: { error: { code: 'VALIDATION_FAILED', message: /networkUuid is required/ } },
  });
  const charger = await register(api, key, { serial: 'A', networkUuid: api.otherNetwork.uuid });
  t.equal(charger.networkId, api.otherNetwork.id);
  const inQuery = `${url}?networkId=${api.network.uuid}`;
  t.match(await api.call(key, { method: 'POST', url: inQuery, payload: { serial: 'B' } }), {
    status: 201,
    json: { data: { networkId: api.network.id } },
  });
  const twice = { serial: 'C', networkUuid: api.otherNetwork.uuid };
  t.equal((await api.call(key, { method: 'POST', url: inQuery, payload: twice })).status, 400);
});

void t.test('networks, locations and models that are unknown or foreign are not found', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const foreign = await addLocation(api.stores.sql, api.otherNetwork.id);
  const cases = [
    [{ networkUuid: unknown }, 'NETWORK_NOT_FOUND'],
    [{ networkUuid: api.otherNetwork.uuid }, 'NETWORK_NOT_FOUND'],
    [{ locationUuid: unknown }, 'LOCATION_NOT_FOUND'],
    [{ locationUuid: foreign.uuid }, 'LOCATION_NOT_FOUND'],
    [{ modelUuid: unknown }, 'MODEL_NOT_FOUND'],
  ] as const;
  for (const [part, code] of cases) {
    const answer = await api.call(key, { method: 'POST', url, payload: { serial: 'A', ...part } });
    t.match(answer, { status: 404, json: { error: { code } } });
  }
});

void t.test("another network's charger does not exist", async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const otherKey = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const { id } = await register(api, otherKey, { serial: 'THEIRS' });
  t.same((await api.call(key, { url })).json['data'], []);
  const notFound = { status: 404, json: { error: { code: 'CHARGER_NOT_FOUND' } } };
  t.match(await api.call(key, { url: `${url}/${id}` }), notFound);
  t.match(await api.call(key, { method: 'POST', url: `${url}/${id}/connectors` }), notFound);
  t.match(await api.call(key, { method: 'POST', url: `${url}/${id}/reboot` }), notFound);
  t.match(await api.call(otherKey, { url: `${url}/${id}` }), { status: 200 });
});

void t.test('networkId scopes a call to one of the networks of the key', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, { unrestricted: true, networkIds: [] });
  const { id } = await register(api, key, { serial: 'N', networkUuid: api.network.uuid });
  await register(api, key, { serial: 'S', networkUuid: api.otherNetwork.uuid });
  const uids = async (query: string) =>
    items((await api.call(key, { url: `${url}?${query}` })).json['data']).map((charger) => charger['uid']);
  t.same(await uids(''), ['N', 'S']);
  t.same(await uids(`networkId=${api.otherNetwork.uuid}`), ['S']);
  t.same(await uids(`networkUuid=${api.network.uuid}`), ['N']);
  const elsewhere = await api.call(key, { url: `${url}/${id}?networkId=${api.otherNetwork.uuid}` });
  t.equal(elsewhere.status, 404);
  const pinned = await mintKey(api);
  t.match(await api.call(pinned, { url: `${url}?networkId=${api.otherNetwork.uuid}` }), {
    status: 404,
    json: { error: { code: 'NETWORK_NOT_FOUND' } },
  });
});

void t.test('a list is paged, and a page size beyond 100 is an error', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  for (const serial of ['A', 'B', 'C']) await register(api, key, { serial });
  const second = await api.call(key, { url: `${url}?page=2&pageSize=2` });
  t.match(second.json['pagination'], { page: 2, pageSize: 2, total: 3, totalPages: 2 });
  t.same(
    items(second.json['data']).map((charger) => charger['uid']),
    ['C'],
  );
  t.same((await api.call(key, { url: `${url}?page=2147483647&pageSize=100` })).json['data'], []);
  for (const query of ['pageSize=101', 'pageSize=0', 'page=0', 'page=x', 'page=1.5', 'networkId=1']) {
    t.equal((await api.call(key, { url: `${url}?${query}` })).status, 400, query);
  }
});

void t.test('numbers connectors consecutively when added concurrently', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const add = (payload?: object) =>
    api.call(key, { method: 'POST', url: `${url}/${id}/connectors`, ...(payload && { payload }) });
  t.match(
    await add({
      connectorNumber: 2,
      standard: 'IEC_62196_T2',
      format: 'CABLE',
      powerType: 'AC_3_PHASE',
      maxVoltage: 400,
      maxAmperage: 32,
      maxPower: 22.08,
    }),
    {
      status: 201,
      json: {
        data: {
          chargerId: id,
          connectorNumber: 2,
          standard: 'IEC_62196_T2',
          format: 'CABLE',
          powerType: 'AC_3_PHASE',
          maxVoltage: 400,
          maxAmperage: 32,
          maxPower: 22.08,
          created: true,
        },
      },
    },
  );
  const numbers = (await Promise.all([add(), add(), add()])).map(
    (answer) => answer.json['data']?.['connectorNumber'],
  );
  t.same(new Set(numbers), new Set([3, 4, 5]));
  t.match(await add({ connectorNumber: 2 }), { status: 409, json: { error: { code: 'CONNECTOR_EXISTS' } } });
  t.equal((await add({ maxPower: '22' })).status, 400, 'a number in quotes is invalid');
  t.equal((await add({ connectorNumber: 0 })).status, 400, 'connector 0 is the charger itself');

  const detail = await api.call(key, { url: `${url}/${id}` });
  t.match(detail.json['data']?.['connectors'], [
    { number: 2, standard: 'IEC_62196_T2', maxPowerKw: 22.08, status: 'UNKNOWN' },
    { number: 3, standard: null },
    { number: 4 },
    { number: 5 },
  ]);
});

async function addModel(api: TestApi): Promise<string> {
  const [row] = await api.stores.sql<{ uuid: string }[]>`
    with maker as (insert into manufacturers (name) values ('Acme') returning id)
    insert into charger_models (manufacturer_id, model_name, max_power_w, ocpp_version)
    select id, 'One', 22000, '2.0.1' from maker returning uuid`;
  return row?.uuid ?? '';
}
