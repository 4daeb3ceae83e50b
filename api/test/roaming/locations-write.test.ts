import t from 'tap';
import { items, type Json, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { addLocation } from '#api/test/support/records.ts';
import { type Emsp, startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { addPlace, report, uidOf } from './support/places.ts';

const locations = '/ocpi/cpo/2.2/locations';
const standard = '/ocpi/cpo/2.2.1/locations';
const text = (json: Json | undefined) => json as unknown as string;
/** From the beginning of the file: what is a second older stays so on a busy machine. */
const begin = Date.now();
const ago = (seconds: number) => new Date(begin - seconds * 1000).toISOString();

interface Partner {
  api: TestApi;
  emsp: Emsp;
  put: (path: string, payload: unknown) => Promise<Answered>;
  patch: (path: string, payload: unknown) => Promise<Answered>;
  read: (path: string, surface?: string) => Promise<Json | undefined>;
}
interface Answered {
  status: number;
  json: Json;
}

async function start(t: Parameters<typeof startTestApi>[0]): Promise<Partner> {
  const api = await startTestApi(t);
  const emsp = await startEmsp(t);
  const { token } = await registerEmsp(api, emsp, { partner: { writeScopes: ['locations'] } });
  const send = (method: 'PUT' | 'PATCH') => (path: string, payload: unknown) =>
    ocpi(api, token, { method, url: `${locations}/${path}`, payload: payload as object });
  return {
    api,
    emsp,
    put: send('PUT'),
    patch: send('PATCH'),
    read: async (path, surface = locations) =>
      (await ocpi(api, token, { url: `${surface}/${path}` })).json['data'],
  };
}

const done = { status: 200, json: { status_code: 1000, data: undefined } };
const wrong = (message: RegExp) => ({ status: 400, json: { status_code: 2001, status_message: message } });
const missing = (code: RegExp) => ({ status: 404, json: { status_code: 2003, status_message: code } });
const place = {
  address: 'F.Rooseveltlaan 3A',
  city: 'Gent',
  country: 'BEL',
  coordinates: { latitude: '51.047599', longitude: '3.729944' },
};
const connector = {
  id: '1',
  standard: 'IEC_62196_T2',
  format: 'CABLE',
  power_type: 'AC_3_PHASE',
  max_voltage: 220,
  max_amperage: 16,
};

void t.test('creates and replaces a location for a partner with the right to', async (t) => {
  const { api, put, read } = await start(t);
  const whole = {
    ...place,
    countryCode: 'NL',
    partyId: 'CWY',
    id: 'LOC1',
    publish: true,
    name: 'Gent Zuid',
    postalCode: '9000',
    parkingType: { value: 'ON_STREET' },
    relatedLocations: [
      { coordinates: { latitude: '51.047', longitude: '3.729' }, name: { language: 'nl', text: 'Inrit' } },
    ],
    facilities: [{ value: 'CAFE' }],
    timeZone: 'Europe/Brussels',
    openingTimes: { twentyFourSeven: true },
    operator: { name: 'BeCharged' },
    evses: [
      {
        uid: '3256',
        evse_id: 'BE*BEC*E041503001',
        status: 'PLANNED',
        capabilities: ['RESERVABLE'],
        parking_restrictions: [{ value: 'EV_ONLY' }],
        status_schedule: [{ periodBegin: '2039-01-01T00:00:00Z', status: 'AVAILABLE' }],
        physical_reference: '1',
        floor_level: '-1',
        coordinates: place.coordinates,
        connectors: [connector, { ...connector, id: 'B', format: 'SOCKET' }],
      },
    ],
  };
  t.match(await put('LOC1', whole), done);
  const { id: _id, evses: _evses, ...plain } = whole;
  t.match(await read('loc1'), {
    ...plain,
    relatedLocations: [{ name: { text: 'Inrit' } }],
    evses: [{ ...whole.evses[0], location_ocpi_id: 'LOC1' }],
  });
  t.match(await read('LOC1', standard), {
    id: 'LOC1',
    related_locations: [{ latitude: '51.047', name: { text: 'Inrit' } }],
    evses: [
      {
        uid: '3256',
        evse_id: 'BE*BEC*E041503001',
        status: 'PLANNED',
        capabilities: ['RESERVABLE'],
        status_schedule: [{ period_begin: '2039-01-01T00:00:00Z', status: 'AVAILABLE' }],
        parking_restrictions: ['EV_ONLY'],
        connectors: [
          { id: '1', format: 'CABLE' },
          { id: 'B', format: 'SOCKET' },
        ],
      },
    ],
  });

  // Replaced: what is optional and left out is empty, what is required stays, EVSEs are never gone.
  t.match(await put('LOC1', { name: 'Gent', publish: true }), done);
  const replaced = await read('LOC1');
  t.match(replaced, {
    ...place,
    name: 'Gent',
    timeZone: 'Europe/Brussels',
    evses: [{ uid: '3256' }],
  });
  t.strictSame(replaced?.['facilities'], [] as never);
  for (const name of ['postalCode', 'parkingType', 'operator', 'openingTimes'])
    t.equal(replaced?.[name], undefined, name);

  const restrictions = async () => {
    const [row] = await api.stores.sql`select parking_restrictions from evses where uid = '3256'`;
    return row?.['parking_restrictions'];
  };
  await api.stores
    .sql`update evses set parking_restrictions = parking_restrictions || '{EMPLOYEES}' where uid = '3256'`;
  t.match(await put('LOC1/3256', { parking_restrictions: [{ value: 'PLUGGED' }] }), done);
  t.same(await restrictions(), ['PLUGGED', 'EMPLOYEES'], 'the path cannot name EMPLOYEES');
  t.match(await put('LOC1/3256', { physical_reference: '7' }), done);
  t.same(await restrictions(), ['EMPLOYEES']);
  const evse = await read('LOC1/3256');
  t.match(evse, {
    evse_id: 'BE*BEC*E041503001',
    status: 'UNKNOWN',
    physical_reference: '7',
    connectors: [{ id: '1' }, { id: 'B' }],
  });
  for (const name of ['capabilities', 'parking_restrictions']) t.strictSame(evse?.[name], [] as never, name);
  t.equal(evse?.['floor_level'], undefined);
  t.match(
    await put('LOC1/3256/B', { standard: 'CHADEMO', terms_and_conditions: 'https://north.example/t' }),
    done,
  );
  const changed = await read('LOC1/3256/B');
  t.match(changed, { standard: 'CHADEMO', terms_and_conditions: 'https://north.example/t' });
  t.equal(changed?.['format'], undefined);
  t.match(
    await put('LOC1/3256/2', { ...connector, id: '2' }),
    { status: 409, json: { status_message: /CONNECTOR_EXISTS/ } },
    'B is there',
  );

  // An EVSE that a charger reports keeps its uid and what it says of itself.
  const { location, charger } = await addPlace(api);
  await report(api.stores.sql, charger.id, 1, 'Charging');
  const uid = await uidOf(api.stores.sql, charger.id);
  t.match(await put(`${location.uuid}/${uid}`, { status: 'AVAILABLE', floor_level: '3' }), done);
  t.match(await read(`${location.uuid}/${uid}`), { status: 'CHARGING', floor_level: '3' });
  t.match(await put(`${location.uuid}/${uid}`, { status: 'BLOCKED' }), done);
  t.match(await read(`${location.uuid}/${uid}`), { status: 'BLOCKED' });
  t.match(await put(`${location.uuid}/${uid}`, { status: 'REMOVED' }), done);
  t.match(await read(location.uuid), { evses: [{ uid, status: 'REMOVED' }] });
  t.match(await put(`LOC1/${uid}`, {}), { status: 404, json: { status_code: 2003 } }, 'it stands elsewhere');

  const key = await mintKey(api);
  const log = await api.call(key, { url: '/cpms/v1/audit-log?pageSize=50' });
  const entries = items(log.json['data']).filter(({ userName }) => text(userName) === 'OCPI partner eMSP');
  t.strictSame(
    new Set(entries.map(({ category, action }) => `${text(category)} ${text(action)}`)),
    new Set([
      'location create',
      'location update',
      'evse create',
      'evse update',
      'connector create',
      'connector update',
    ]),
  );
  t.equal(entries.length, 11);
});

void t.test('patches the named fields, requires a time, and ignores a late patch', async (t) => {
  const { api, put, patch, read } = await start(t);
  const { sql } = api.stores;
  const { location, charger } = await addPlace(api);
  const uid = await uidOf(sql, charger.id);
  const at = location.uuid;
  await sql`update locations set stated_at = now() - interval '1 day', postal_code = '3011' where id = ${location.id}`;
  await sql`update evses set stated_at = now() - interval '1 day', physical_reference = '1'`;
  await sql`update connectors set stated_at = now() - interval '1 day'`;
  // The status of the charger changes all the time: it makes nothing late.
  await report(sql, charger.id, 1, 'Charging');

  t.match(await patch(at, { name: 'New' }), wrong(/lastUpdated is required/));
  t.match(await patch(`${at}/${uid}`, { floor_level: '2' }), wrong(/last_updated is required/));
  t.match(await patch(`${at}/${uid}/1`, { max_voltage: 400 }), wrong(/last_updated is required/));

  const lastUpdated = ago(60);
  t.match(await patch(at, { name: 'New', lastUpdated }), done);
  t.match(await patch(`${at}/${uid}`, { floor_level: '2', last_updated: lastUpdated }), done);
  t.match(await patch(`${at}/${uid}/1`, { max_voltage: 400, last_updated: lastUpdated }), done);
  const now = {
    name: 'New',
    address: 'Quay 1',
    postalCode: '3011',
    evses: [
      {
        physical_reference: '1',
        floor_level: '2',
        status: 'CHARGING',
        connectors: [{ standard: 'IEC_62196_T2', max_voltage: 400, max_amperage: 32 }],
      },
    ],
  };
  t.match(await read(at), now);

  for (const late of [ago(61), ago(3600)]) {
    t.match(await patch(at, { name: 'Old', lastUpdated: late }), done, 'ignored');
    t.match(await put(at, { name: 'Old', lastUpdated: late }), done);
    t.match(await patch(`${at}/${uid}`, { floor_level: '0', last_updated: late }), done);
    t.match(await put(`${at}/${uid}/1`, { max_voltage: 1, last_updated: late }), done);
  }
  t.match(await read(at), now);
  t.match(await patch(at, { name: 'Newer', lastUpdated: ago(59) }), done, 'in order');
  t.match(await read(at), { name: 'Newer' });

  // An operator's change is of now.
  const key = await mintKey(api);
  await api.call(key, { method: 'PATCH', url: `/cpms/v1/locations/${at}`, payload: { name: 'Ours' } });
  t.match(await patch(at, { name: 'Theirs', lastUpdated: ago(30) }), done);
  t.match(await read(at), { name: 'Ours' });

  const nested = {
    lastUpdated: new Date().toISOString(),
    evses: [{ uid, connectors: [{ id: '1', max_amperage: 63 }] }],
  };
  t.match(await patch(at, nested), done);
  t.match(await read(at), {
    name: 'Ours',
    evses: [
      { physical_reference: '1', floor_level: '2', connectors: [{ max_voltage: 400, max_amperage: 63 }] },
    ],
  });
});

void t.test('rejects an invalid body by field and stores nothing', async (t) => {
  const { api, put, patch, read } = await start(t);
  const location = await addLocation(api.stores.sql, api.network.id);
  const at = location.uuid;
  const lastUpdated = new Date().toISOString();
  for (const [body, message] of [
    [{ id: 'OTHER' }, /id must be equal to the value in the path/],
    [{ countryCode: 'DE' }, /countryCode must be NL/],
    [{ partyId: 'XXX' }, /partyId must be CWY/],
    [{ name: 7 }, /name must be string/],
    [{ name: 'x'.repeat(256) }, /name/],
    [{ name: 'x\u0000' }, /name/],
    [{ country: 'Belgium' }, /country/],
    [{ coordinates: { latitude: '91.0', longitude: '3' } }, /coordinates.latitude/],
    [{ coordinates: { latitude: 51, longitude: 3 } }, /coordinates.latitude/],
    [{ timeZone: 'Mars/Olympus' }, /timeZone/],
    [{ openingTimes: { twentyFourSeven: false } }, /regularHours/],
    [{ facilities: ['CAFE'] }, /facilities/],
    [{ lastUpdated: 'yesterday' }, /lastUpdated/],
    [{ evses: [{ status: 'PLANNED' }] }, /evses.uid is required/],
    [{ evses: [{ uid: 'X', connectors: [{}] }] }, /connectors.id is required/],
    [{ evses: Array.from({ length: 101 }, (_, index) => ({ uid: `${index}` })) }, /evses/],
    [[], /must be object/],
  ] as const) {
    t.match(await put(at, body), wrong(message), String(message));
  }
  t.strictSame((await read(at))?.['evses'], [] as never, 'nothing of the EVSE whose connector was wrong');
  t.match(await put('LOC9', { publish: true }), wrong(/address is required of a published location/));
  t.match(await put('evse', place), wrong(/must be another one/));
  t.match(await put('x'.repeat(37), place), { status: 400 });
  for (const [body, message] of [
    [{ status: 'BROKEN' }, /status must be one of/],
    [{ evse_id: 'none' }, /evse_id/],
    [{ capabilities: ['FLYING'] }, /capabilities/],
    [{ floor_level: '12345' }, /floor_level/],
    [{ uid: 'OTHER' }, /uid must be equal to the value in the path/],
  ] as const) {
    t.match(await put(`${at}/E1`, body), wrong(message), String(message));
  }
  t.match(await put(`${at}/E1`, {}), done);
  for (const [body, message] of [
    [{ standard: 'PLUG' }, /standard must be one of/],
    [{ max_voltage: '230' }, /max_voltage must be integer/],
    [{ max_amperage: 0 }, /max_amperage/],
    [{ terms_and_conditions: 'javascript:x' }, /terms_and_conditions/],
  ] as const) {
    t.match(await put(`${at}/E1/1`, body), wrong(message), String(message));
  }
  t.match(await patch('NONE', { lastUpdated }), missing(/LOCATION_NOT_FOUND/));
  t.match(await put('NONE/E2', {}), missing(/LOCATION_NOT_FOUND/));
  t.match(await patch(`${at}/E2`, { last_updated: lastUpdated }), missing(/EVSE_NOT_FOUND/));
  t.match(await put(`${at}/E2/1`, {}), missing(/EVSE_NOT_FOUND/));
  t.match(await patch(`${at}/E1/1`, { last_updated: lastUpdated }), missing(/CONNECTOR_NOT_FOUND/));

  // A removed object is not created again under its id.
  const key = await mintKey(api);
  const chargers = items((await api.call(key, { url: '/cpms/v1/chargers' })).json['data']);
  await api.call(key, { method: 'DELETE', url: `/cpms/v1/chargers/${text(chargers[0]?.['id'])}` });
  t.match(await put(`${at}/E1`, {}), missing(/EVSE_NOT_FOUND/));
  t.match(await read(`${at}/E1`), { status: 'REMOVED' });
  await api.call(key, { method: 'DELETE', url: `/cpms/v1/locations/${at}` });
  t.match(await put(at, place), missing(/LOCATION_NOT_FOUND/));
});

void t.test('creates one location from concurrent requests', async (t) => {
  const { put, read } = await start(t);
  const evses = [{ uid: 'E1', connectors: [connector] }];
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => put('LOC1', { ...place, name: `${index}`, evses })),
  );
  for (const answer of answers) t.match(answer, done);
  const found = await read('LOC1');
  t.equal(items(found?.['evses']).length, 1);
  t.equal(items(items(found?.['evses'])[0]?.['connectors']).length, 1);
});

void t.test('refuses writes without the right, into another network and without a token', async (t) => {
  const { api, emsp, put } = await start(t);
  t.match(
    await put('LOC1', { ...place, name: 'Theirs', evses: [{ uid: 'E1', connectors: [connector] }] }),
    done,
  );
  const reader = { countryCode: 'DE', partyId: 'RDR' };
  const { token: readerToken } = await registerEmsp(api, emsp, { party: reader });
  const other = { party: { countryCode: 'FR', partyId: 'SUD' } };
  const { token: otherToken } = await registerEmsp(api, emsp, {
    ...other,
    partner: { networkUuid: api.otherNetwork.uuid, writeScopes: ['locations'] },
  });
  const last_updated = new Date().toISOString();
  const payload = { last_updated, lastUpdated: last_updated };
  for (const path of ['LOC1', 'LOC1/E1', 'LOC1/E1/1']) {
    const url = `${locations}/${path}`;
    for (const method of ['PUT', 'PATCH'] as const) {
      t.match(await ocpi(api, readerToken, { method, url, payload }), {
        status: 403,
        json: { status_code: 2000, status_message: /OCPI_WRITE_NOT_GRANTED/ },
      });
      t.equal((await ocpi(api, null, { method, url, payload })).status, 401);
    }
    t.equal((await ocpi(api, otherToken, { method: 'PATCH', url, payload })).status, 404, path);
  }
  // The same ids in another network are other records.
  const made = {
    method: 'PUT',
    url: `${locations}/LOC1`,
    payload: { ...place, name: 'Ours', evses: [{ uid: 'E1' }] },
  } as const;
  t.match(await ocpi(api, otherToken, made), done);
  t.match((await ocpi(api, otherToken, { url: `${locations}/LOC1` })).json['data'], { name: 'Ours' });
  t.match((await ocpi(api, readerToken, { url: `${locations}/LOC1` })).json['data'], { name: 'Theirs' });
});
