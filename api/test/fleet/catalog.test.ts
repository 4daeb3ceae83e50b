import t from 'tap';
import { items, mintKey, register, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

/** A first-party key: not pinned to networks. */
const firstParty = { unrestricted: true, networkIds: [] };
const makers = '/cpms/v1/manufacturers';
const models = '/cpms/v1/charger-models';
const unknown = '00000000-0000-4000-8000-000000000000';

async function make(api: TestApi, key: string, url: string, payload: object): Promise<string> {
  const answer = await api.call(key, { method: 'POST', url, payload });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json['data']?.['id'] as unknown as string;
}

void t.test('creates, reads, changes and removes a manufacturer, with audit entries', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, firstParty);
  const made = await api.call(key, {
    method: 'POST',
    url: makers,
    payload: { name: 'Acme', website: 'https://acme.example' },
  });
  t.match(made, {
    status: 201,
    headers: { etag: '"1"' },
    json: { data: { name: 'Acme', website: 'https://acme.example', supportEmail: null, version: 1 } },
  });
  const id = made.json['data']?.['id'] as unknown as string;
  t.strictSame((await api.call(key, { url: `${makers}/${id}` })).json['data'], made.json['data']);
  const patch = (payload: object, etag: string) =>
    api.call(key, { method: 'PATCH', url: `${makers}/${id}`, payload, headers: { 'if-match': etag } });
  t.match(await patch({ supportEmail: 'help@acme.example', website: null }, '"1"'), {
    status: 200,
    headers: { etag: '"2"' },
    json: { data: { name: 'Acme', website: null, supportEmail: 'help@acme.example' } },
  });
  t.match(await patch({ name: 'Late' }, '"1"'), { status: 412 });
  t.match((await api.call(key, { method: 'POST', url: makers, payload: { name: 'ACME' } })).json['error'], {
    code: 'MANUFACTURER_EXISTS',
  });
  const other = await make(api, key, makers, { name: 'Volt & Co' });
  t.match(await api.call(key, { method: 'PATCH', url: `${makers}/${other}`, payload: { name: 'acme' } }), {
    status: 409,
    json: { error: { code: 'MANUFACTURER_EXISTS' } },
  });
  const first = await api.call(key, { url: `${makers}?pageSize=1` });
  t.match(items(first.json['data']), [{ name: 'Acme' }]);
  const rest = await api.call(key, {
    url: `${makers}?cursor=${first.json['nextCursor'] as unknown as string}`,
  });
  t.match(items(rest.json['data']), [{ name: 'Volt & Co' }]);
  t.match(items((await api.call(key, { url: `${makers}?search=OLT` })).json['data']), [
    { name: 'Volt & Co' },
  ]);
  t.strictSame(
    (await api.call(key, { url: `${makers}?search=%25` })).json['data'],
    [],
    'a sign of LIKE is text',
  );

  const model = await make(api, key, models, { manufacturerId: id, modelName: 'One', ocppVersion: '1.6' });
  t.match(await api.call(key, { method: 'DELETE', url: `${makers}/${id}` }), {
    status: 409,
    json: { error: { code: 'MANUFACTURER_IN_USE' } },
  });
  await api.call(key, { method: 'DELETE', url: `${models}/${model}` });
  t.match(await api.call(key, { method: 'DELETE', url: `${makers}/${id}` }), {
    status: 200,
    json: { data: { id, deleted: true } },
  });
  t.equal((await api.call(key, { url: `${makers}/${id}` })).status, 404);
  t.ok(await make(api, key, makers, { name: 'Acme' }), 'the name is free again');
  t.match(
    await api.stores.sql`select action, network_id, details from audit_log
      where category = 'manufacturer' and resource_id = ${id} order by id`,
    [
      { action: 'create', network_id: null, details: { after: { name: 'Acme' } } },
      { action: 'update', details: { before: { supportEmail: null }, after: { website: null } } },
      { action: 'delete' },
    ],
  );
});

void t.test('returns exactly the documented fields of a model, with its manufacturer', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, firstParty);
  const manufacturerId = await make(api, key, makers, { name: 'Acme' });
  const body = {
    modelName: 'One',
    description: 'Wall box\nfor two',
    maxPower: 22.08,
    numberOfConnectors: 2,
    supportedConnectorTypes: 'IEC_62196_T2,CHADEMO',
    ocppVersion: '2.0.1',
    supportedFeatures: 'SmartCharging',
    imageUrl: 'https://acme.example/one.png',
    datasheetUrl: 'https://acme.example/one.pdf',
  };
  const made = await api.call(key, { method: 'POST', url: models, payload: { ...body, manufacturerId } });
  t.equal(made.status, 201, made.text);
  const id = made.json['data']?.['id'] as unknown as string;
  const read = await api.call(key, { url: `${models}/${id}` });
  t.strictSame(read.json['data'], made.json['data']);
  t.strictSame(read.json['data'], {
    id,
    ...body,
    manufacturer: { id: manufacturerId, name: 'Acme', website: null },
    createdAt: read.json['data']?.['createdAt'],
    updatedAt: read.json['data']?.['updatedAt'],
  });
  t.equal(read.headers['etag'], '"1"');
  const other = await make(api, key, makers, { name: 'Bolt' });
  const patch = (payload: object, etag = '*') =>
    api.call(key, { method: 'PATCH', url: `${models}/${id}`, payload, headers: { 'if-match': etag } });
  t.match(await patch({ maxPower: null, manufacturerId: other }, '"1"'), {
    status: 200,
    headers: { etag: '"2"' },
    json: { data: { maxPower: null, numberOfConnectors: 2, manufacturer: { name: 'Bolt' } } },
  });
  t.match(await patch({ description: 'x' }, '"1"'), { status: 412 });
  t.match(await patch({ manufacturerId: unknown }), {
    status: 404,
    json: { error: { code: 'MANUFACTURER_NOT_FOUND' } },
  });
  await make(api, key, models, { manufacturerId: other, modelName: 'Two', ocppVersion: '1.6' });
  t.match(await patch({ modelName: 'TWO' }), { status: 409, json: { error: { code: 'MODEL_EXISTS' } } });

  const charger = await register(api, key, {
    serial: 'CP-1',
    networkUuid: api.network.uuid,
    modelUuid: id,
  });
  const remove = () => api.call(key, { method: 'DELETE', url: `${models}/${id}` });
  t.match(await remove(), { status: 409, json: { error: { code: 'MODEL_IN_USE' } } });
  await api.call(key, { method: 'DELETE', url: `/cpms/v1/chargers/${charger.id}` });
  t.match(await remove(), { status: 200, json: { data: { id, deleted: true } } });
  t.equal((await remove()).status, 404);
  t.match(
    await api.call(key, {
      method: 'POST',
      url: '/cpms/v1/chargers',
      payload: { serial: 'CP-2', networkUuid: api.network.uuid, modelUuid: id },
    }),
    { status: 404, json: { error: { code: 'MODEL_NOT_FOUND' } } },
    'a removed model does not count',
  );
  t.strictSame(
    (
      await api.stores.sql`select action from audit_log where category = 'charger-model'
      and resource_id = ${id} order by id`
    ).map(({ action }) => action as unknown),
    ['create', 'update', 'delete'],
  );
});

void t.test('lists models in pages, by text and by manufacturer', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, firstParty);
  const [acme, bolt] = [
    await make(api, key, makers, { name: 'Acme' }),
    await make(api, key, makers, { name: 'Bolt' }),
  ];
  for (const [manufacturerId, modelName] of [
    [bolt, 'B1'],
    [acme, 'A2'],
    [acme, 'A1'],
  ]) {
    await make(api, key, models, { manufacturerId, modelName, ocppVersion: '1.6' });
  }
  const names = async (query: string) =>
    items((await api.call(key, { url: `${models}?${query}` })).json['data']).map(
      ({ modelName }) => modelName as unknown,
    );
  t.strictSame(await names(''), ['A1', 'A2', 'B1']);
  t.strictSame(await names('search=acme'), ['A1', 'A2'], 'by the maker');
  t.strictSame(await names('search=b1'), ['B1']);
  t.strictSame(await names(`manufacturerId=${bolt}`), ['B1']);
  t.strictSame(await names(`manufacturerId=${unknown}`), []);
  t.match((await api.call(key, { url: `${models}?page=2&pageSize=2` })).json, {
    data: [{ modelName: 'B1' }],
    pagination: { page: 2, pageSize: 2, total: 3, totalPages: 2 },
  });
  for (const query of ['pageSize=101', 'page=0', 'manufacturerId=x', 'search=']) {
    t.equal((await api.call(key, { url: `${models}?${query}` })).status, 400, query);
  }
});

void t.test('shows the catalog to all callers and lets first parties change it', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, firstParty);
  const manufacturerId = await make(api, key, makers, { name: 'Acme' });
  const model = { manufacturerId, modelName: 'One', ocppVersion: '1.6' };
  const id = await make(api, key, models, model);
  for (const [url, payload] of [
    [makers, {}],
    [makers, { name: 'x'.repeat(101) }],
    [makers, { name: 'X', website: 'javascript:alert(1)' }],
    [models, { ...model, ocppVersion: '1.5' }],
    [models, { ...model, maxPower: '22' }],
    [models, { ...model, numberOfConnectors: 0 }],
    [models, { manufacturerId, modelName: 'One' }],
    [models, { ...model, colour: 'red' }],
  ] as const) {
    const answer = await api.call(key, { method: 'POST', url, payload });
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, JSON.stringify(payload));
  }
  t.match(await api.call(key, { method: 'POST', url: models, payload: model }), {
    status: 409,
    json: { error: { code: 'MODEL_EXISTS' } },
  });
  const writes = [
    { method: 'POST', url: makers, payload: { name: 'Mine' } },
    { method: 'PATCH', url: `${makers}/${manufacturerId}`, payload: { name: 'Mine' } },
    { method: 'DELETE', url: `${makers}/${manufacturerId}` },
    { method: 'POST', url: models, payload: { ...model, modelName: 'Mine' } },
    { method: 'PATCH', url: `${models}/${id}`, payload: { modelName: 'Mine' } },
    { method: 'DELETE', url: `${models}/${id}` },
  ] as const;
  const reads = [
    { url: makers },
    { url: `${makers}/${manufacturerId}` },
    { url: models },
    { url: `${models}/${id}` },
  ];
  const pinned = await mintKey(api);
  const scopeless = await mintKey(api, { ...firstParty, scopes: ['cpms:read:chargers'] });
  const reader = await mintKey(api, { ...firstParty, scopes: ['cpms:read:catalog'] });
  for (const request of reads) {
    t.equal((await api.call(pinned, request)).status, 200);
    t.equal((await api.call(scopeless, request)).status, 403);
    t.equal((await api.call(null, request)).status, 401);
  }
  for (const request of writes) {
    t.match(await api.call(pinned, request), {
      status: 403,
      json: { error: { code: 'CATALOG_NOT_ALLOWED' } },
    });
    t.match(await api.call(reader, request), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
    t.equal((await api.call(null, request)).status, 401);
  }
  for (const url of [makers, models]) {
    t.equal((await api.call(key, { url: `${url}/${unknown}` })).status, 404);
    t.equal((await api.call(key, { method: 'DELETE', url: `${url}/${unknown}` })).status, 404);
  }
});
