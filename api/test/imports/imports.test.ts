import { pino } from 'pino';
import t from 'tap';
import { ImportWorker } from '#api/jobs/imports.jobs.ts';
import { items, type Json, mintKey, type TestApi } from '#api/test/support/fixtures.ts';
import { expireImports } from '#shared/postgres/imports/import-work.ts';
import { auditOf, begin, data, ended, startImports, url } from './support.ts';

const locations = `name,address,city,country,latitude,longitude,postalCode
Quay,Quay 1,Rotterdam,NLD,51.905,4.466,3011 AA
Depot,"Road 2, gate B",Utrecht,NLD,52.09,5.12,
`;

async function listed(api: TestApi, key: string, path: string): Promise<Json[]> {
  return items((await api.call(key, { url: `/cpms/v1/${path}` })).json['data']);
}

void t.test('imports locations, and changes nothing when the file is repeated', async (t) => {
  const { api, key, run } = await startImports(t);
  const first = await run('locations', locations);
  t.match(first, { state: 'COMPLETED', total: 2, outcomes: { created: 2, failed: 0, pending: 0 } });
  const stored = await listed(api, key, 'locations');
  t.match(stored, [
    { name: 'Quay', address: 'Quay 1', postalCode: '3011 AA', timeZone: 'Europe/Amsterdam', version: 1 },
    { name: 'Depot', address: 'Road 2, gate B', postalCode: null, version: 1 },
  ]);
  t.match(await run('locations', locations), { outcomes: { created: 0, changed: 0, unchanged: 2 } });
  t.same(await listed(api, key, 'locations'), stored, 'versions included');
  const moved = locations.replace('Quay 1', 'Quay 3');
  t.match(await run('locations', moved), { outcomes: { changed: 1, unchanged: 1 } });
  t.match(await listed(api, key, 'locations'), [{ address: 'Quay 3', version: 2 }, { version: 1 }]);
});

void t.test('attributes each change to the import in the audit log', async (t) => {
  const { api, run } = await startImports(t);
  const { id } = await run('locations', locations);
  t.match(await auditOf(api, 'location'), [
    { action: 'create', details: { importId: id } },
    { action: 'create', details: { importId: id } },
  ]);
  t.match(await auditOf(api, 'import'), [
    { action: 'upload', details: { fileName: 'locations.csv', rows: 2 } },
    { action: 'apply' },
    { action: 'complete', details: { rows: { created: 2 } } },
  ]);
});

void t.test('a dry run finds the results of the import and stores nothing', async (t) => {
  const { api, key, run, rows, worker } = await startImports(t);
  await run('locations', locations);
  const before = await auditOf(api, 'location');
  const file = `${locations.replace('Quay 1', 'Quay 3')}Yard,Way 9,Delft,NLD,52,4.36,\nMoon,Crater 1,Luna,XX,95,far,\n`;
  const checked = await run('locations', file, 'check');
  t.match(checked, {
    state: 'CHECKED',
    outcomes: { created: 1, changed: 1, unchanged: 1, failed: 1 },
    isApplicable: true,
  });
  t.match(await rows(checked.id), [
    { line: 2, outcome: 'changed' },
    { line: 3, outcome: 'unchanged' },
    { line: 4, outcome: 'created', recordId: null },
    {
      line: 5,
      outcome: 'failed',
      errors: [
        { column: 'country', fileColumn: 'country', code: 'VALIDATION_FAILED', message: /three upper-case/ },
        { column: 'latitude', message: 'must be <= 90' },
        { column: 'longitude', message: /must be a number/ },
      ],
    },
  ]);
  t.equal((await listed(api, key, 'locations')).length, 2);
  t.same(await auditOf(api, 'location'), before, 'the audit log has no entry of a dry run');
  await begin(api, key, checked.id, 'apply');
  t.match(await ended(api, key, worker, checked.id), {
    state: 'COMPLETED',
    outcomes: { created: 1, changed: 1, unchanged: 1, failed: 1 },
  });
});

void t.test('imports a fleet in the order of its references', async (t) => {
  const { api, key, run, rows } = await startImports(t);
  await run('locations', locations);
  const chargers = 'serial,location,securityProfile,floorLevel\nQUAY-1,Quay,1,-1\nQUAY-2,Nowhere,1,\n';
  const imported = await run('chargers', chargers);
  t.match(imported, { outcomes: { created: 1, failed: 1 } });
  t.match(await rows(imported.id, '&outcome=failed'), [
    { line: 3, errors: [{ column: 'location', code: 'LOCATION_NOT_FOUND' }] },
  ]);
  t.match(await run('chargers', chargers), { outcomes: { unchanged: 1, failed: 1 } });
  const connectors =
    'charger;connectorNumber;standard;powerType;maxPower\nQUAY-1;1;IEC_62196_T2;AC_3_PHASE;7,4\nQUAY-9;1;;;\n';
  t.match(await run('connectors', connectors), { outcomes: { created: 1, failed: 1 } });
  t.match(await run('connectors', connectors), { outcomes: { unchanged: 1, failed: 1 } });
  t.match(await listed(api, key, 'connectors'), [{ number: 1, maxPowerKw: 7.4 }]);
  const drivers = 'email,name,phone\nada@example.org,Ada,+31 10 123 4567\n';
  t.match(await run('drivers', drivers), { outcomes: { created: 1 } });
  t.match(await run('drivers', drivers.replace('ada@', 'ADA@')), { outcomes: { unchanged: 1 } });
  const tokens =
    'uid,tokenType,driver,expiresAt,blocked\n04A1,RFID,ada@example.org,2030-01-31T12:00:00+01:00,ja\n04A2,RFID,,,\n';
  t.match(await run('tokens', tokens), { outcomes: { created: 2 } });
  t.match(await run('tokens', tokens), { outcomes: { unchanged: 2 } });
  t.match(await listed(api, key, 'id-tokens'), [
    { uid: '04A1', driverName: 'Ada', expiresAt: '2030-01-31T11:00:00.000Z', blocked: true },
    { uid: '04A2', driverName: null, blocked: false },
  ]);
});

void t.test('imports tariffs with one price for each dimension', async (t) => {
  const { api, key, run, rows } = await startImports(t);
  const tariffs =
    'name,energyPrice,sessionPrice,vat,idlePricePerMinute,minPrice\nDay,0.4,0.5,21,0.1,1\nFree,,,,,\n';
  const imported = await run('tariffs', tariffs);
  t.match(imported, { outcomes: { created: 1, failed: 1 } });
  t.match(await rows(imported.id, '&outcome=failed'), [{ errors: [{ column: 'energyPrice' }] }]);
  t.match(await listed(api, key, 'tariffs'), [
    {
      name: 'Day',
      elements: [
        {
          price_components: [
            { type: 'ENERGY', price: 0.4, vat: 21 },
            { type: 'FLAT', price: 0.5, vat: 21 },
          ],
        },
      ],
      idle: { price_per_minute: 0.1, grace_minutes: 0, vat: 21 },
      min_price: { excl_vat: 1 },
    },
  ]);
  t.match(await run('tariffs', tariffs), { outcomes: { unchanged: 1, failed: 1 } });
  await run('tariffs', 'name,energyPrice\nDay,0.45\n');
  t.match(await listed(api, key, 'tariffs'), [
    { version: 2, elements: [{ price_components: [{ price: 0.45, vat: 21 }, { price: 0.5 }] }] },
  ]);
  const conditional = {
    name: 'Night',
    elements: [
      {
        price_components: [{ type: 'ENERGY', price: 0.2, step_size: 1 }],
        restrictions: { start_time: '22:00', end_time: '06:00' },
      },
    ],
  };
  await api.call(key, { method: 'POST', url: '/cpms/v1/tariffs', payload: conditional });
  const { id } = await run('tariffs', 'name,energyPrice\nNight,0.3\n');
  t.match(await rows(id), [{ errors: [{ column: 'name', code: 'IMPORT_TARIFF_COMPLEX' }] }]);
});

void t.test('maps columns of other names, and suggests a mapping for similar ones', async (t) => {
  const { api, key, upload, worker } = await startImports(t);
  const file = '\ufeffSite;Address;CITY;Country;lat;Longitude\nQuay;Quay 1;Rotterdam;NLD;51,9;4,4\n';
  const uploaded = data(await upload('locations', file));
  t.match(uploaded, {
    header: ['Site', 'Address', 'CITY', 'Country', 'lat', 'Longitude'],
    mapping: { address: 'Address', city: 'CITY', country: 'Country', longitude: 'Longitude' },
  });
  const path = `${url}/${uploaded.id}/check`;
  const refused = await api.call(key, { method: 'POST', url: path, payload: {} });
  t.match(refused, { status: 400, json: { error: { details: { errors: [{ field: 'mapping.name' }] } } } });
  const mapping = {
    ...uploaded.mapping,
    name: 'Site',
    latitude: 'lat',
  };
  await begin(api, key, uploaded.id, 'apply', mapping);
  t.match(await ended(api, key, worker, uploaded.id), { outcomes: { created: 1 }, mapping });
  t.match(await listed(api, key, 'locations'), [{ name: 'Quay', coordinates: { latitude: 51.9 } }]);
  const unknown = { mapping: { ...mapping, colour: 'lat' } };
  const again = data(await upload('locations', file));
  const answer = await api.call(key, {
    method: 'POST',
    url: `${url}/${again.id}/check`,
    payload: unknown,
  });
  t.match(answer, { status: 400, json: { error: { details: { errors: [{ field: 'mapping.colour' }] } } } });
});

void t.test('refuses a second row with the natural key of an earlier one', async (t) => {
  const { run, rows } = await startImports(t);
  const { id } = await run('drivers', 'email,name\nada@example.org,Ada\nADA@example.org,Eve\n');
  t.match(await rows(id), [
    { line: 2, outcome: 'created' },
    { line: 3, errors: [{ column: 'email', code: 'IMPORT_KEY_REPEATED', message: /line 2/ }] },
  ]);
});

void t.test('a dry run refuses a second row with a value that must be unique', async (t) => {
  const { run, rows } = await startImports(t);
  const file =
    'serial,certificateCommonName\nQUAY-1,quay.example\nQUAY-2,QUAY.example\nQUAY-3,other.example\n' +
    'QUAY-4,QUAY-1\nOTHER.example,QUAY-5\nQUAY-6,QUAY-6\n';
  for (const pass of ['check', 'apply'] as const) {
    const { id, outcomes } = await run(
      'chargers',
      file.replaceAll('QUAY-', `${pass}-`).replaceAll('example', pass),
      pass,
    );
    t.match(outcomes, { created: 3, failed: 3 }, pass);
    const code = 'IMPORT_VALUE_REPEATED';
    t.match(await rows(id, '&outcome=failed'), [
      { line: 3, errors: [{ column: 'certificateCommonName', code, message: /line 2/ }] },
      { line: 5, errors: [{ column: 'certificateCommonName', code, message: /line 2/ }] },
      { line: 6, errors: [{ column: 'serial', code, message: /line 4/ }] },
    ]);
  }
});

void t.test('refuses files that are no CSV in UTF-8, and stores nothing of them', async (t) => {
  const { api, upload } = await startImports(t);
  for (const [file, message] of [
    ['', /no header/],
    ['name,city\n', /no rows/],
    ['name,name\na,b\n', /two columns named name/],
    ['na\0me,city\na,b\n', /control character/],
    [Buffer.from('name,city\nK\xf6ln,K\n', 'latin1'), /not in UTF-8/],
    ['name,city\n"open,Delft\n', /not valid CSV/],
    [`name,city\n${'a,b\n'.repeat(20_001)}`, /20,000 rows/],
  ] as const) {
    const answer = await upload('locations', file);
    t.match(
      answer,
      { status: 400, json: { error: { code: 'IMPORT_FILE_INVALID', message } } },
      String(message),
    );
  }
  const large = `name,city\n${'a'.repeat(1000)},b\n`.repeat(11_000);
  t.match(await upload('locations', large), { status: 413, json: { error: { code: 'BODY_TOO_LARGE' } } });
  t.same(await api.stores.sql`select from imports`, []);
});

void t.test('stores each row of a file of several batches', async (t) => {
  const { upload } = await startImports(t);
  for (const rows of [499, 1000, 1001]) {
    t.match(data(await upload('locations', `name\n${'a\n'.repeat(rows)}`)), {
      total: rows,
      outcomes: { pending: rows },
    });
  }
});

void t.test('processes several imports with the connections of one process', async (t) => {
  const { api, key, upload, worker } = await startImports(t);
  const ids = [];
  for (const index of [1, 2, 3, 4, 5]) {
    const { id } = data(await upload('drivers', `email,name\nd${index}@example.org,D\n`));
    await begin(api, key, id, 'apply');
    ids.push(id);
  }
  for (const id of ids) t.match(await ended(api, key, worker, id), { outcomes: { created: 1 } });
});

void t.test('continues after a process that died, and applies no row twice', async (t) => {
  const { api, key, upload, worker } = await startImports(t);
  const file = `email,name\n${Array.from({ length: 30 }, (_, index) => `d${index}@example.org,D\n`).join('')}`;
  const { id } = data(await upload('drivers', file));
  await begin(api, key, id, 'apply');
  await worker.look();
  await worker.stop();
  const { pending = 0 } = data(await api.call(key, { url: `${url}/${id}` })).outcomes;
  t.ok(pending > 0, 'some rows are left');
  const next = new ImportWorker({ ...api.deps, log: pino({ level: 'silent' }), longJobs: api.deps });
  t.teardown(() => next.stop());
  t.match(await ended(api, key, next, id), { outcomes: { created: 30, changed: 0, unchanged: 0 } });
  const created = await auditOf(api, 'user');
  t.equal(created.length, 30);
});

void t.test('stops when the key of its creator is revoked', async (t) => {
  const { api, upload, worker, key } = await startImports(t);
  const creator = await mintKey(api, { name: 'creator' });
  const { id } = data(await upload('locations', locations, creator));
  await begin(api, creator, id, 'apply');
  await api.stores.sql`update api_keys set revoked_at = now() where name = 'creator'`;
  t.match(await ended(api, key, worker, id), { state: 'STOPPED', outcomes: { pending: 2 } });
  t.same(await listed(api, key, 'locations'), []);
});

void t.test('cancels an import, and refuses what its state does not accept', async (t) => {
  const { api, key, upload } = await startImports(t);
  const { id } = data(await upload('locations', locations));
  const post = (action: string) =>
    api.call(key, { method: 'POST', url: `${url}/${id}/${action}`, payload: {} });
  t.match(await post('check'), { status: 200, json: { data: { state: 'CHECKING' } } });
  t.match(await post('apply'), { status: 409, json: { error: { code: 'IMPORT_STATE_CONFLICT' } } });
  t.match(await post('cancel'), { status: 200, json: { data: { state: 'CANCELLED' } } });
  t.match(await post('cancel'), { status: 409 });
});

void t.test('shows an import to callers of its network with its write scope, and to no other', async (t) => {
  const { api, key, upload } = await startImports(t);
  const { id } = data(await upload('locations', locations));
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const other = await mintKey(api, { scopes: ['cpms:write:tariffs', 'cpms:read'] });
  const driver = await mintKey(api, { apiFamily: 'emsp' });
  t.match(await upload('locations', locations, other), {
    status: 403,
    json: { error: { code: 'SCOPE_MISSING' } },
  });
  for (const path of ['', '/rows', '/failed-rows', '/passwords']) {
    const at = { url: `${url}/${id}${path}` };
    t.equal((await api.call(key, at)).status, 200, path);
    for (const caller of [foreign, other]) {
      t.match(await api.call(caller, at), { status: 404, json: { error: { code: 'IMPORT_NOT_FOUND' } } });
    }
    t.equal((await api.call(driver, at)).status, 403);
    t.equal((await api.call(null, at)).status, 401);
  }
  for (const action of ['check', 'apply', 'cancel']) {
    const at = { method: 'POST', url: `${url}/${id}/${action}`, payload: {} } as const;
    t.equal((await api.call(foreign, at)).status, 404);
    t.equal((await api.call(other, at)).status, 404);
    t.equal((await api.call(null, at)).status, 401);
  }
  t.same(await listed(api, foreign, 'imports'), []);
  t.same(await listed(api, other, 'imports'), []);
  t.equal((await listed(api, key, 'imports?kind=locations')).length, 1);
});

void t.test('offers templates that can be imported', async (t) => {
  const { api, key, upload } = await startImports(t);
  const kinds = await listed(api, key, 'import-kinds');
  t.equal(kinds.length, 6);
  for (const kind of kinds) {
    const name = kind['kind'] as unknown as string;
    const { text } = await api.call(key, { url: `/cpms/v1/import-kinds/${name}/template` });
    const uploaded = data(await upload(name, text));
    const columns = items(kind['columns']).map((column) => column['name'] as unknown as string);
    t.match(uploaded, { header: columns }, name);
    t.same(Object.keys(uploaded.mapping).toSorted(), columns.toSorted());
  }
});

void t.test('keeps rows for seven days', async (t) => {
  const { api, key, run } = await startImports(t);
  const { id } = await run('locations', locations);
  t.equal(await expireImports(api.stores.sql), 0);
  await api.stores.sql`update imports set state_at = now() - interval '8 days'`;
  t.equal(await expireImports(api.stores.sql), 1);
  t.match(data(await api.call(key, { url: `${url}/${id}` })), { state: 'EXPIRED', total: 2 });
  t.same(await api.stores.sql`select from import_rows`, []);
});
