import t from 'tap';
import { addTariff } from '#api/test/support/records.ts';
import { items, mintKey, register, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

const url = '/cpms/v1/locations';
const unknown = '00000000-0000-4000-8000-000000000000';

const harbour = {
  name: 'Harbour',
  address: 'Quay 1',
  city: 'Rotterdam',
  country: 'NLD',
  coordinates: { latitude: 51.905, longitude: 4.466 },
};

/** All that OCPI tells of a location. */
const whole = {
  ...harbour,
  postalCode: '3011 AA',
  state: 'Zuid-Holland',
  timeZone: 'Europe/Amsterdam',
  isPublished: false,
  parkingType: 'PARKING_GARAGE',
  directions: [{ language: 'en', text: 'Second ramp on the left' }],
  operator: {
    name: 'North',
    website: 'https://north.example',
    logo: { url: 'https://north.example/logo.png', category: 'OPERATOR', type: 'png', width: 10, height: 20 },
  },
  suboperator: { name: 'Quay Services' },
  owner: { name: 'City' },
  parkingPlaces: [
    { id: 'P1', vehicleTypes: ['BUS'], restrictedToType: true, reservationRequired: false, timeLimit: 60 },
  ],
  facilities: ['WIFI', 'CAFE'],
  openingTimes: {
    twentyFourSeven: false,
    regularHours: [{ weekday: 1, periodBegin: '08:00', periodEnd: '20:00' }],
    exceptionalOpenings: [{ periodBegin: '2026-12-24T08:00:00Z', periodEnd: '2026-12-24T12:00:00Z' }],
    exceptionalClosings: [{ periodBegin: '2026-12-25T00:00:00Z', periodEnd: '2026-12-26T00:00:00Z' }],
  },
  chargingWhenClosed: false,
  images: [{ url: 'https://north.example/1.jpg', category: 'ENTRANCE', type: 'jpeg' }],
  energyMix: {
    isGreenEnergy: true,
    energySources: [{ source: 'WIND', percentage: 100 }],
    environmentalImpacts: [{ category: 'CARBON_DIOXIDE', amount: 0 }],
    supplierName: 'Sea Wind',
  },
};

const open = (openingTimes: object) => ({ openingTimes });
const hours = (periodBegin: string, periodEnd: string) =>
  open({ twentyFourSeven: false, regularHours: [{ weekday: 1, periodBegin, periodEnd }] });
const closed = (periodBegin: string, periodEnd: string) =>
  open({ twentyFourSeven: true, exceptionalClosings: [{ periodBegin, periodEnd }] });

async function make(api: TestApi, key: string, payload: object): Promise<string> {
  const answer = await api.call(key, { method: 'POST', url, payload });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json['data']?.['id'] as unknown as string;
}

void t.test('creates, reads, changes and removes a location with all OCPI fields', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const made = await api.call(key, { method: 'POST', url, payload: whole });
  t.equal(made.status, 201, made.text);
  const id = made.json['data']?.['id'] as unknown as string;
  const read = await api.call(key, { url: `${url}/${id}` });
  t.equal(read.headers['etag'], '"1"');
  const { locationId, createdAt, updatedAt, ...fields } = read.json['data'] as unknown as Record<
    string,
    unknown
  >;
  t.strictSame(fields, { id, networkId: api.network.id, ...whole, version: 1 });
  t.ok(Number.isInteger(locationId) && createdAt === updatedAt);

  const patch = (payload: object, etag = '*') =>
    api.call(key, { method: 'PATCH', url: `${url}/${id}`, payload, headers: { 'if-match': etag } });
  const change = {
    openingTimes: { twentyFourSeven: true },
    owner: null,
    coordinates: { latitude: 1, longitude: 2 },
  };
  t.match(await patch(change, '"1"'), {
    status: 200,
    headers: { etag: '"2"' },
    json: { data: { ...change, name: 'Harbour', operator: whole.operator, version: 2 } },
  });
  t.match(await patch({ name: 'Late' }, '"1"'), {
    status: 412,
    json: { error: { details: { version: 2 } } },
  });

  const charger = await register(api, key, { serial: 'CP-1', locationUuid: id });
  const remove = () => api.call(key, { method: 'DELETE', url: `${url}/${id}` });
  t.match(await remove(), { status: 409, json: { error: { code: 'LOCATION_IN_USE' } } });
  const moved = await api.call(key, {
    method: 'PATCH',
    url: `/cpms/v1/chargers/${charger.id}`,
    payload: { locationUuid: null },
  });
  t.equal(moved.status, 200);
  await addTariff(sql, api.network.id);
  await sql`
    insert into tariff_assignments (tariff_id, location_id)
    select (select id from tariffs limit 1), id from locations where uuid = ${id}`;
  t.match(await remove(), { status: 200, json: { data: { id, deleted: true, deactivatedAssignments: 1 } } });
  t.same(await sql`select 1 from tariff_assignments where is_active and location_id is not null`, []);
  t.match(await remove(), { status: 404, json: { error: { code: 'LOCATION_NOT_FOUND' } } });
  t.match(
    await api.call(key, {
      method: 'POST',
      url: '/cpms/v1/chargers',
      payload: { serial: 'CP-2', locationUuid: id },
    }),
    { status: 404, json: { error: { code: 'LOCATION_NOT_FOUND' } } },
    'a removed location does not count',
  );
  t.match(
    await sql`select action, network_id, details from audit_log where category = 'location' order by id`,
    [
      { action: 'create', network_id: api.network.id, details: { after: { name: 'Harbour' } } },
      { action: 'update', details: { before: { owner: { name: 'City' } }, after: { owner: null } } },
      { action: 'delete', details: { after: null } },
    ],
  );
});

void t.test('a new location has the defaults of OCPI and the time zone of its position', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, { unrestricted: true, networkIds: [] });
  await api.stores.sql`update networks set time_zone = 'Europe/Oslo' where id = ${api.otherNetwork.id}`;
  const networkUuid = api.otherNetwork.uuid;
  const made = await api.call(key, { method: 'POST', url, payload: { ...harbour, networkUuid } });
  t.match(made.json['data'], {
    networkId: api.otherNetwork.id,
    timeZone: 'Europe/Amsterdam',
    isPublished: true,
    chargingWhenClosed: true,
    postalCode: null,
    openingTimes: null,
    energyMix: null,
  });
  for (const name of ['facilities', 'images', 'directions'])
    t.strictSame(made.json['data']?.[name], [] as never, name);
  t.match(await api.call(key, { method: 'POST', url, payload: harbour }), {
    status: 400,
    json: { error: { message: /networkUuid is required/ } },
  });
  t.match(await api.call(key, { method: 'POST', url: `${url}?networkId=${unknown}`, payload: harbour }), {
    status: 404,
    json: { error: { code: 'NETWORK_NOT_FOUND' } },
  });
});

void t.test('rejects fields that OCPI forbids', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  for (const [wrong, field] of [
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ address: 'x'.repeat(256) }, 'address'],
    [{ country: 'NL' }, 'country'],
    [{ coordinates: { latitude: 91, longitude: 0 } }, 'coordinates.latitude'],
    [{ coordinates: { latitude: '51', longitude: 0 } }, 'coordinates.latitude'],
    [{ coordinates: { latitude: 51 } }, 'coordinates.longitude'],
    [{ timeZone: 'Mars/Base' }, 'timeZone'],
    [{ facilities: ['POOL'] }, 'facilities.0'],
    [{ parkingType: 'ROOF' }, 'parkingType'],
    [{ directions: [{ language: 'eng', text: 'left' }] }, 'directions.0.language'],
    [{ images: [{ url: 'ftp://x/y', category: 'OTHER', type: 'png' }] }, 'images.0.url'],
    [{ images: Array.from({ length: 51 }, () => whole.images[0]) }, 'images'],
    [open({ twentyFourSeven: false }), 'openingTimes.regularHours'],
    [open({ ...whole.openingTimes, twentyFourSeven: true }), 'openingTimes.regularHours'],
    [hours('20:00', '08:00'), 'openingTimes.regularHours.0.periodEnd'],
    [hours('08:00', '24:00'), 'openingTimes.regularHours.0.periodEnd'],
    [closed('2026-12-26T00:00:00Z', '2026-12-25T00:00:00Z'), 'openingTimes.exceptionalClosings.0.periodEnd'],
    [closed('2026-12-26', '2026-12-27'), 'openingTimes.exceptionalClosings.0.periodBegin'],
    [
      { energyMix: { isGreenEnergy: true, energySources: [{ source: 'WIND', percentage: 101 }] } },
      'energyMix.energySources.0.percentage',
    ],
    [{ colour: 'red' }, 'colour'],
  ] as [object, string][]) {
    const answer = await api.call(key, { method: 'POST', url, payload: { ...harbour, ...wrong } });
    t.match(
      answer,
      { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } },
      JSON.stringify(wrong).slice(0, 80),
    );
    const fields = items(answer.json['error']?.['details']?.['errors']).map(
      (error) => error['field'] as unknown,
    );
    t.ok(fields.includes(field), `${field} in ${fields.join(' ')}`);
  }
  t.same(await api.stores.sql`select 1 from locations`, []);
  const id = await make(api, key, harbour);
  for (const payload of [{}, { name: null }, { openingTimes: { twentyFourSeven: false } }]) {
    t.equal((await api.call(key, { method: 'PATCH', url: `${url}/${id}`, payload })).status, 400);
  }
  t.same(await api.stores.sql`select 1 from audit_log where action = 'update'`, []);
});

void t.test('filters the list and continues after a page', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  await make(api, key, harbour);
  await make(api, key, { ...harbour, name: 'Airport', city: 'Oslo', country: 'NOR', isPublished: false });
  await make(api, key, { ...harbour, name: '100% solar', postalCode: '0150' });
  const names = async (query: string) =>
    items((await api.call(key, { url: `${url}?${query}` })).json['data']).map(({ name }) => name as unknown);
  t.strictSame(await names(''), ['Harbour', 'Airport', '100% solar']);
  t.strictSame(await names('city=OSLO'), ['Airport']);
  t.strictSame(await names('country=NLD'), ['Harbour', '100% solar']);
  t.strictSame(await names('isPublished=false'), ['Airport']);
  t.strictSame(await names('search=0%25'), ['100% solar']);
  t.strictSame(await names('search=0150'), ['100% solar']);
  const first = await api.call(key, { url: `${url}?pageSize=2` });
  const cursor = first.json['nextCursor'] as unknown as string;
  t.strictSame(await names(`cursor=${cursor}`), ['100% solar']);
  for (const query of ['cursor=x', 'pageSize=0', 'country=nl', 'isPublished=maybe']) {
    t.equal((await api.call(key, { url: `${url}?${query}` })).status, 400, query);
  }
});

void t.test('hides locations of other networks', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const otherKey = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const id = await make(api, otherKey, harbour);
  const requests = [
    { url: `${url}/${id}` },
    { method: 'PATCH', url: `${url}/${id}`, payload: { name: 'Mine' } },
    { method: 'DELETE', url: `${url}/${id}` },
  ] as const;
  t.same((await api.call(key, { url })).json['data'], []);
  for (const request of requests) {
    t.match(await api.call(key, request), { status: 404, json: { error: { code: 'LOCATION_NOT_FOUND' } } });
  }
  const post = { method: 'POST', url, payload: harbour } as const;
  t.match(await api.call(key, { ...post, url: `${url}?networkId=${api.otherNetwork.uuid}` }), {
    status: 404,
    json: { error: { code: 'NETWORK_NOT_FOUND' } },
  });
  t.equal((await api.call(key, { url: `${url}?networkId=${api.otherNetwork.uuid}` })).status, 404);
  const scopeless = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  for (const request of [{ url }, post, ...requests]) {
    t.match(await api.call(scopeless, request), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
    t.equal((await api.call(null, request)).status, 401);
  }
  t.match((await api.call(otherKey, { url: `${url}/${id}` })).json['data'], { name: 'Harbour' });
});
