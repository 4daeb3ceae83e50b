import t from 'tap';
import { listChargerCredentials } from '#shared/postgres/fleet/charger-records.ts';
import { seedConnection } from '#shared/testing/seed.ts';
import { addLocation, addTariff, endSession, startSession } from '#api/test/support/records.ts';
import { items, mintKey, register, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

const url = '/cpms/v1/chargers';
const connectors = '/cpms/v1/connectors';
const unknown = '00000000-0000-4000-8000-000000000000';

async function addModel(api: TestApi): Promise<string> {
  const [row] = await api.stores.sql<{ uuid: string }[]>`
    with maker as (insert into manufacturers (name) values ('Acme') returning id)
    insert into charger_models (manufacturer_id, model_name, ocpp_version) select id, 'One', '1.6' from maker
    returning uuid`;
  return row?.uuid ?? '';
}

async function addConnector(
  api: TestApi,
  key: string,
  charger: string,
  payload: object = {},
): Promise<string> {
  const answer = await api.call(key, { method: 'POST', url: `${url}/${charger}/connectors`, payload });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json['data']?.['id'] as unknown as string;
}

void t.test('changes location, model and visibility of a charger', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const location = await addLocation(api.stores.sql, api.network.id);
  const foreign = await addLocation(api.stores.sql, api.otherNetwork.id);
  const modelUuid = await addModel(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const patch = (payload: object, etag = '*') =>
    api.call(key, { method: 'PATCH', url: `${url}/${id}`, payload, headers: { 'if-match': etag } });
  const detail = async () => (await api.call(key, { url: `${url}/${id}` })).json['data'];

  t.equal((await api.call(key, { url: `${url}/${id}` })).headers['etag'], '"1"');
  const change = {
    status: 'Unavailable',
    physicalReference: 'B12',
    floorLevel: '-1',
    locationUuid: location.uuid,
    modelUuid,
    isPublic: false,
    certificateCommonName: 'SN-1',
  };
  const changed = await patch(change, '"1"');
  t.match(changed, { status: 200, headers: { etag: '"2"' } });
  t.strictSame(changed.json['data'], { id, updated: true });
  t.match(await detail(), { ...change, locationId: location.id, securityProfile: 1 });
  t.match(await patch({ status: 'Available' }, '"1"'), {
    status: 412,
    json: { error: { details: { version: 2 } } },
  });
  t.equal((await patch({ locationUuid: null, physicalReference: null, modelUuid: null })).status, 200);
  t.match(await detail(), { locationUuid: null, physicalReference: null, modelUuid: null, floorLevel: '-1' });

  await register(api, key, { serial: 'CP-2' });
  for (const [payload, status, code] of [
    [{ locationUuid: foreign.uuid }, 404, 'LOCATION_NOT_FOUND'],
    [{ locationUuid: unknown }, 404, 'LOCATION_NOT_FOUND'],
    [{ modelUuid: unknown }, 404, 'MODEL_NOT_FOUND'],
    [{ certificateCommonName: 'CP-2' }, 409, 'CHARGER_EXISTS'],
    [{ securityProfile: 0 }, 400, 'VALIDATION_FAILED'],
    [{ floorLevel: 'above' }, 400, 'VALIDATION_FAILED'],
    [{ physicalReference: 'x'.repeat(17) }, 400, 'VALIDATION_FAILED'],
    [{ status: null }, 400, 'VALIDATION_FAILED'],
    [{ serial: 'other' }, 400, 'VALIDATION_FAILED'],
    [{}, 400, 'VALIDATION_FAILED'],
  ] as const) {
    t.match(await patch(payload), { status, json: { error: { code } } }, JSON.stringify(payload));
  }
  t.equal(
    (await api.call(key, { url: `${url}/${id}` })).headers['etag'],
    '"3"',
    'what was refused changed nothing',
  );
  const entries = await api.stores.sql`
    select action, details from audit_log where category = 'charger' and resource_id = ${id} order by id`;
  t.match(entries, [
    { action: 'create', details: { before: null, after: { uid: 'CP-1' } } },
    {
      action: 'update',
      details: { before: { isPublic: true }, after: { isPublic: false, floorLevel: '-1' } },
    },
    {
      action: 'update',
      details: { before: { physicalReference: 'B12' }, after: { physicalReference: null } },
    },
  ]);
  t.equal(entries.length, 3);
});

void t.test('accepts one of two concurrent changes of a charger', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const answers = await Promise.all(
    ['A', 'B', 'C'].map((floorLevel) =>
      api.call(key, {
        method: 'PATCH',
        url: `${url}/${id}`,
        payload: { floorLevel },
        headers: { 'if-match': '"1"' },
      }),
    ),
  );
  t.strictSame(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 412, 412],
  );
});

void t.test('filters the list of chargers', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const { uuid: locationUuid } = await addLocation(sql, api.network.id, { name: 'Old Port' });
  const modelUuid = await addModel(api);
  const { id: alpha } = await register(api, key, { serial: 'ALPHA-1', locationUuid, ocppVersion: '1.6' });
  const { id: beta } = await register(api, key, {
    serial: 'BETA_1',
    modelUuid,
    ocppVersion: '2.0.1',
    status: 'Available',
  });
  const { id: gamma } = await register(api, key, { serial: 'GAMMA-1', status: 'Available' });
  await seedConnection(sql, alpha);
  await seedConnection(sql, beta);
  await seedConnection(sql, gamma);
  await sql`update chargers set last_heartbeat_at = now() - interval '4 minutes' where uid = 'ALPHA-1'`;
  await sql`update chargers set last_heartbeat_at = now() - interval '6 minutes' where uid = 'BETA_1'`;
  const uids = async (query: string) => {
    const { json } = await api.call(key, { url: `${url}?${query}` });
    t.equal(json['pagination']?.['total'], items(json['data']).length, query);
    return items(json['data']).map(({ uid }) => uid as unknown);
  };
  t.strictSame(await uids('search=alpha'), ['ALPHA-1']);
  t.strictSame(await uids('search=old'), ['ALPHA-1'], 'by the location');
  t.strictSame(await uids('search=_'), ['BETA_1'], 'a sign of LIKE is text');
  t.strictSame(await uids('status=available'), ['GAMMA-1']);
  t.strictSame(await uids('status=Unavailable'), ['BETA_1'], 'offline, whatever it reported last');
  t.strictSame(await uids('status=UNKNOWN'), ['ALPHA-1']);
  t.strictSame(await uids(`locationUuid=${locationUuid}`), ['ALPHA-1']);
  t.strictSame(await uids(`modelUuid=${modelUuid}`), ['BETA_1']);
  t.strictSame(await uids('ocppVersion=2.0.1'), ['BETA_1']);
  t.strictSame(await uids('isOnline=true'), ['ALPHA-1', 'GAMMA-1'], 'heard within five minutes');
  t.strictSame(await uids('isOnline=false'), ['BETA_1']);
  t.strictSame(await uids('isOnline=false&ocppVersion=2.0.1'), ['BETA_1']);
  for (const query of ['isOnline=x', 'ocppVersion=1.5', 'locationUuid=x', 'search=']) {
    t.equal((await api.call(key, { url: `${url}?${query}` })).status, 400, query);
  }
});

void t.test('removes a charger with its connectors and tariffs, except while it charges', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const other = await register(api, key, { serial: 'CP-2' });
  const first = await addConnector(api, key, id);
  const second = await addConnector(api, key, id);
  const elsewhere = await addConnector(api, key, other.id);
  await addTariff(sql, api.network.id);
  await sql`insert into tariff_assignments (tariff_id, charger_id)
    select (select id from tariffs limit 1), id from chargers where uuid = any(${[id, other.id]}::uuid[])`;
  await sql`insert into tariff_assignments (tariff_id, connector_id, is_active)
    select (select id from tariffs limit 1), id, uuid <> ${second}
    from connectors where uuid = any(${[first, second, elsewhere]}::uuid[])`;
  const session = await startSession(sql, { chargerUuid: id });
  const remove = (headers = {}) => api.call(key, { method: 'DELETE', url: `${url}/${id}`, headers });
  t.match(await remove(), { status: 409, json: { error: { code: 'CHARGER_IN_USE' } } });
  await endSession(sql, session, 1000);
  t.match(await remove({ 'if-match': '"9"' }), { status: 412 });
  const removed = await remove();
  t.strictSame(removed.json['data'], {
    id,
    deleted: true,
    deactivatedConnectors: 2,
    deactivatedAssignments: 2,
  });
  t.equal((await remove()).status, 404);
  t.equal((await api.call(key, { url: `${url}/${id}` })).status, 404);
  t.equal((await api.call(key, { url: `${connectors}/${first}` })).status, 404);
  t.match(items((await api.call(key, { url })).json['data']), [{ uid: 'CP-2' }]);
  t.match(
    await sql`select count(*)::integer as left from tariff_assignments where is_active and network_id is null`,
    [{ left: 2 }],
    'those of the other charger stay',
  );
  t.same(await listChargerCredentials(sql, ['CP-1']), [], 'it may not connect again');
  t.match(await sql`select details from audit_log where category = 'charger' and action = 'delete'`, [
    { details: { before: { uid: 'CP-1' }, after: null } },
  ]);
  const again = await register(api, key, { serial: 'CP-1' });
  t.not(again.id, id, 'its serial is free for another');
});

void t.test('connectors are listed, read, changed and removed', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const location = await addLocation(sql, api.network.id);
  const charger = await register(api, key, { serial: 'CP-1', locationUuid: location.uuid });
  const { id: otherCharger } = await register(api, key, { serial: 'CP-2' });
  const id = await addConnector(api, key, charger.id, {
    standard: 'CHADEMO',
    maxPower: 50.5,
    maxVoltage: 400,
  });
  const second = await addConnector(api, key, otherCharger);
  await sql`update connectors set status = 'Faulted' where uuid = ${second}`;
  const read = await api.call(key, { url: `${connectors}/${id}` });
  t.equal(read.headers['etag'], '"1"');
  t.match(read.json['data'], {
    id,
    chargerId: charger.id,
    networkId: api.network.id,
    number: 1,
    standard: 'CHADEMO',
    maxPowerKw: 50.5,
    maxVoltage: 400,
    maxAmperage: null,
    status: 'UNKNOWN',
    version: 1,
  });
  const ids = async (query: string) =>
    items((await api.call(key, { url: `${connectors}?${query}` })).json['data']).map(
      (found) => found['id'] as unknown,
    );
  t.strictSame(await ids(''), [id, second]);
  t.strictSame(await ids(`chargerUuid=${otherCharger}`), [second]);
  t.strictSame(await ids(`locationUuid=${location.uuid}`), [id]);
  t.strictSame(await ids('status=faulted'), [second]);
  t.strictSame(await ids('standard=CHADEMO'), [id]);
  const page = await api.call(key, { url: `${connectors}?pageSize=1` });
  t.strictSame(await ids(`cursor=${page.json['nextCursor'] as unknown as string}`), [second]);

  const patch = (payload: object, etag = '*') =>
    api.call(key, { method: 'PATCH', url: `${connectors}/${id}`, payload, headers: { 'if-match': etag } });
  t.match(await patch({ standard: null, maxPower: 22, powerType: 'AC_3_PHASE' }, '"1"'), {
    status: 200,
    headers: { etag: '"2"' },
    json: { data: { standard: null, maxPowerKw: 22, powerType: 'AC_3_PHASE', maxVoltage: 400 } },
  });
  t.match(await patch({ maxPower: 11 }, '"1"'), { status: 412 });
  for (const payload of [
    {},
    { connectorNumber: 2 },
    { format: 'PLUG' },
    { maxAmperage: -1 },
    { maxPower: '22' },
  ]) {
    t.match(await patch(payload), { status: 400 }, JSON.stringify(payload));
  }
  const session = await startSession(sql, { chargerUuid: charger.id });
  const remove = () => api.call(key, { method: 'DELETE', url: `${connectors}/${id}` });
  t.match(await remove(), { status: 409, json: { error: { code: 'CONNECTOR_IN_USE' } } });
  await endSession(sql, session, 1000);
  await addTariff(sql, api.network.id);
  await sql`insert into tariff_assignments (tariff_id, connector_id)
    select (select id from tariffs limit 1), id from connectors where uuid = ${id}`;
  t.match(await remove(), { status: 200, json: { data: { id, deleted: true, deactivatedAssignments: 1 } } });
  t.match(await remove(), { status: 404, json: { error: { code: 'CONNECTOR_NOT_FOUND' } } });
  t.ok(await addConnector(api, key, charger.id, { connectorNumber: 1 }), 'its number is free again');
  t.match(
    await sql`select action, resource_name from audit_log
      where category = 'connector' and resource_id = ${id} order by id`,
    [{ action: 'create', resource_name: 'CP-1/1' }, { action: 'update' }, { action: 'delete' }],
  );
});

void t.test('hides chargers and connectors of other networks from changes', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const otherKey = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const { id } = await register(api, otherKey, { serial: 'THEIRS' });
  const connector = await addConnector(api, otherKey, id);
  const reader = await mintKey(api, { unrestricted: true, networkIds: [], scopes: ['cpms:read'] });
  const writes = [
    [{ method: 'PATCH', url: `${url}/${id}`, payload: { status: 'x' } }, 'CHARGER_NOT_FOUND'],
    [{ method: 'DELETE', url: `${url}/${id}` }, 'CHARGER_NOT_FOUND'],
    [{ method: 'POST', url: `${url}/${id}/connectors` }, 'CHARGER_NOT_FOUND'],
    [
      { method: 'PATCH', url: `${connectors}/${connector}`, payload: { standard: 'x' } },
      'CONNECTOR_NOT_FOUND',
    ],
    [{ method: 'DELETE', url: `${connectors}/${connector}` }, 'CONNECTOR_NOT_FOUND'],
  ] as const;
  for (const [request, code] of writes) {
    t.match(await api.call(key, request), { status: 404, json: { error: { code } } });
    t.match(await api.call(reader, request), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
    t.equal((await api.call(null, request)).status, 401);
  }
  const scopeless = await mintKey(api, { scopes: ['cpms:read:networks'] });
  for (const request of [{ url: connectors }, { url: `${connectors}/${connector}` }]) {
    t.equal((await api.call(scopeless, request)).status, 403);
    t.equal((await api.call(null, request)).status, 401);
  }
  t.same((await api.call(key, { url: connectors })).json['data'], []);
  t.equal((await api.call(key, { url: `${connectors}/${connector}` })).status, 404);
  t.equal((await api.call(key, { url: `${connectors}?networkId=${api.otherNetwork.uuid}` })).status, 404);
  t.match((await api.call(otherKey, { url: `${url}/${id}` })).json['data'], {
    status: 'UNKNOWN',
    connectors: [{}],
  });
});
