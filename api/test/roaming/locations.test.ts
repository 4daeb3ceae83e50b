import t from 'tap';
import { testSettings } from '#api/test/support/deps.ts';
import {
  items,
  type Json,
  mintKey,
  register,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';
import { connectorTypeOf } from '#shared/domain/fleet/ocpi-evse.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { type Emsp, startEmsp } from './support/emsp.ts';
import { invalidAt, ocpi, registerEmsp } from './support/partner.ts';
import { addPlace, uidOf } from './support/places.ts';
import { Location } from './support/standard/locations.ts';
import { misfits } from './support/standard/shape.ts';

const documented = '/ocpi/cpo/2.2/locations';
const standard = '/ocpi/cpo/2.2.1/locations';

const text = (json: Json | undefined) => json as unknown as string;
const get = (api: TestApi, token: string | null, url: string) => ocpi(api, token, { url });
const dataOf = async (api: TestApi, token: string, url: string) => (await get(api, token, url)).json['data'];

async function start(
  t: Parameters<typeof startTestApi>[0],
): Promise<{ api: TestApi; emsp: Emsp; token: string }> {
  const api = await startTestApi(t);
  const emsp = await startEmsp(t);
  return { api, emsp, token: (await registerEmsp(api, emsp)).token };
}

void t.test('returns all fields of a location in each interface, in its own names', async (t) => {
  const { api, token } = await start(t);
  const key = await mintKey(api);
  const image = {
    url: 'https://north.example/a.png',
    category: 'LOCATION',
    type: 'png',
    width: 800,
    height: 600,
  };
  const made = await api.call(key, {
    method: 'POST',
    url: '/cpms/v1/locations',
    payload: {
      name: 'Gent Zuid',
      address: 'F.Rooseveltlaan 3A',
      city: 'Gent',
      postalCode: '9000',
      country: 'BEL',
      coordinates: { latitude: 51.047599, longitude: 3.729944 },
      timeZone: 'Europe/Brussels',
      parkingType: 'ON_STREET',
      directions: [{ language: 'en', text: 'Left of the gate' }],
      operator: { name: 'BeCharged', website: 'https://becharged.example' },
      facilities: ['CAFE', 'WIFI'],
      openingTimes: {
        twentyFourSeven: false,
        regularHours: [{ weekday: 1, periodBegin: '08:00', periodEnd: '20:00' }],
        exceptionalClosings: [{ periodBegin: '2027-01-01T00:00:00Z', periodEnd: '2027-01-02T00:00:00Z' }],
      },
      images: [image],
      energyMix: {
        isGreenEnergy: false,
        energySources: [{ source: 'GAS', percentage: 100 }],
        environmentalImpacts: [{ category: 'CARBON_DIOXIDE', amount: 372 }],
        supplierName: 'E.ON',
      },
    },
  });
  const id = text(made.json['data']?.['id']);
  const charger = await register(api, key, { serial: 'CP-1', ocppVersion: '1.6', locationUuid: id });
  const change = { physicalReference: '1', floorLevel: '-1' };
  await api.call(key, { method: 'PATCH', url: `/cpms/v1/chargers/${charger.id}`, payload: change });
  const connector = {
    connectorNumber: 1,
    standard: 'IEC_62196_T2',
    format: 'CABLE',
    powerType: 'AC_3_PHASE',
    maxVoltage: 230,
    maxAmperage: 16,
    maxPower: 11,
  };
  await api.call(key, {
    method: 'POST',
    url: `/cpms/v1/chargers/${charger.id}/connectors`,
    payload: connector,
  });

  const expectedConnector = {
    id: '1',
    standard: 'IEC_62196_T2',
    format: 'CABLE',
    power_type: 'AC_3_PHASE',
    max_voltage: 230,
    max_amperage: 16,
    max_electric_power: 11_000,
    tariff_ids: [],
  };
  const coordinates = { latitude: '51.047599', longitude: '3.729944' };
  const operator = { name: 'BeCharged', website: 'https://becharged.example' };
  const strict = await dataOf(api, token, `${standard}/${id}`);
  t.match(strict, {
    country_code: 'NL',
    party_id: 'CWY',
    id,
    publish: true,
    name: 'Gent Zuid',
    address: 'F.Rooseveltlaan 3A',
    city: 'Gent',
    postal_code: '9000',
    country: 'BEL',
    coordinates,
    parking_type: 'ON_STREET',
    directions: [{ language: 'en', text: 'Left of the gate' }],
    operator,
    facilities: ['CAFE', 'WIFI'],
    time_zone: 'Europe/Brussels',
    opening_times: {
      twentyfourseven: false,
      regular_hours: [{ weekday: 1, period_begin: '08:00', period_end: '20:00' }],
      exceptional_closings: [{ period_begin: '2027-01-01T00:00:00Z', period_end: '2027-01-02T00:00:00Z' }],
    },
    charging_when_closed: true,
    images: [image],
    energy_mix: {
      is_green_energy: false,
      energy_sources: [{ source: 'GAS', percentage: 100 }],
      environ_impact: [{ category: 'CARBON_DIOXIDE', amount: 372 }],
      supplier_name: 'E.ON',
    },
    evses: [
      {
        uid: String,
        evse_id: /^NL\*CWY\*E[0-9A-F]{16}\*1$/,
        status: 'UNKNOWN',
        capabilities: ['REMOTE_START_STOP_CAPABLE'],
        connectors: [expectedConnector],
        physical_reference: '1',
        floor_level: '-1',
        last_updated: String,
      },
    ],
    last_updated: String,
  });
  t.strictSame(misfits(strict, Location), [], 'and the standard knows no other fields');

  const own = await dataOf(api, token, `${documented}/${id.toUpperCase()}`);
  t.match(own, {
    countryCode: 'NL',
    partyId: 'CWY',
    id,
    publish: true,
    postalCode: '9000',
    coordinates,
    parkingType: { value: 'ON_STREET' },
    facilities: [{ value: 'CAFE' }, { value: 'WIFI' }],
    timeZone: 'Europe/Brussels',
    openingTimes: {
      twentyFourSeven: false,
      regularHours: [{ weekday: 1, periodBegin: '08:00', periodEnd: '20:00' }],
    },
    energyMix: {
      isGreenEnergy: false,
      environmentalImpacts: [{ category: 'CARBON_DIOXIDE', amount: 372 }],
    },
    operator,
    lastUpdated: String,
    evses: [
      {
        location_ocpi_id: id,
        status: 'UNKNOWN',
        connectors: [{ ...expectedConnector, status: 'UNKNOWN', last_updated: String }],
      },
    ],
  });
  t.strictSame(await dataOf(api, token, documented), [own]);
  t.strictSame(await dataOf(api, token, standard), [strict]);

  const uid = text(items(own?.['evses'])[0]?.['uid']);
  for (const [surface, location] of [
    [documented, own],
    [standard, strict],
  ] as const) {
    const [evse] = items(location?.['evses']);
    t.strictSame(await dataOf(api, token, `${surface}/${id}/${uid}`), evse);
    t.strictSame(await dataOf(api, token, `${surface}/${id}/${uid}/1`), items(evse?.['connectors'])[0]);
  }
  t.strictSame(await dataOf(api, token, `${documented}/evse/${uid}`), items(own?.['evses'])[0]);
});

void t.test('leaves incomplete locations out of the standard interface', async (t) => {
  const { api, token } = await start(t);
  const { sql } = api.stores;
  const { location, charger } = await addPlace(api, { evses: 2 });
  await sql`update connectors set standard = 'something else' where charger_id = ${charger.id} and evse_number = 2`;
  const [first, second] = [await uidOf(sql, charger.id, 1), await uidOf(sql, charger.id, 2)];
  const strict = await dataOf(api, token, `${standard}/${location.uuid}`);
  t.match(strict, { evses: [{ uid: first }] });
  t.equal(items(strict?.['evses']).length, 1);
  t.match(await get(api, token, `${standard}/${location.uuid}/${second}`), {
    status: 404,
    json: { status_code: 2003, status_message: /EVSE_NOT_FOUND/ },
  });
  t.match(await get(api, token, `${standard}/${location.uuid}/${second}/1`), { status: 404 });
  t.match(await dataOf(api, token, `${documented}/${location.uuid}/${second}`), {
    connectors: [{ standard: 'something else' }],
  });
  t.equal(connectorTypeOf('type 2'), 'IEC_62196_T2');
  t.equal(connectorTypeOf('cCCS2'), 'IEC_62196_T2_COMBO');
  t.equal(connectorTypeOf('iec_60309_2_single_16'), 'IEC_60309_2_single_16');
});

void t.test('shows partners the published locations of their network, with totals', async (t) => {
  const { api, emsp, token } = await start(t);
  const { sql } = api.stores;
  const party = { countryCode: 'FR', partyId: 'SUD' };
  const partner = { networkUuid: api.otherNetwork.uuid };
  const { token: otherToken } = await registerEmsp(api, emsp, { party, partner });
  const places = [];
  for (const name of ['A', 'B', 'C', 'D', 'E'])
    places.push(await addPlace(api, { name, isPublished: name !== 'A', isPublic: name !== 'B' }));
  const [hidden, secret] = places;
  const hiddenUid = await uidOf(sql, hidden?.charger.id ?? 0);
  const secretUid = await uidOf(sql, secret?.charger.id ?? 0);

  for (const surface of [documented, standard]) {
    const first = await get(api, token, `${surface}?limit=3`);
    t.match(first.headers, {
      'x-total-count': '4',
      'x-limit': '3',
      link: `<http://chargeway.test${surface}?limit=3&offset=3>; rel="next"`,
    });
    t.strictSame(
      items(first.json['data']).map(({ name }) => text(name)),
      ['B', 'C', 'D'],
    );
    const none = await get(api, token, `${surface}?limit=0`);
    t.match(none, {
      status: 200,
      headers: { 'x-total-count': '4', 'x-limit': '0' },
      json: { status_code: 1000 },
    });
    t.strictSame(none.json['data'], [] as never);
    t.equal(none.headers['link'], undefined, 'a next page would be the same one');
    const last = await get(api, token, `${surface}?limit=3&offset=3`);
    t.equal(last.headers['link'], undefined);
    t.strictSame(
      items(last.json['data']).map(({ name }) => text(name)),
      ['E'],
    );
    t.match(await get(api, token, `${surface}/${hidden?.location.uuid}`), {
      status: 404,
      json: { status_code: 2003, status_message: /LOCATION_NOT_FOUND/ },
    });
    t.equal((await get(api, token, `${surface}/${hidden?.location.uuid}/${hiddenUid}`)).status, 404);
    t.strictSame((await dataOf(api, token, `${surface}/${secret?.location.uuid}`))?.['evses'], [] as never);
    t.equal((await get(api, token, `${surface}/${secret?.location.uuid}/${secretUid}`)).status, 404);

    const { location, charger } = places[4] ?? {};
    const uid = await uidOf(sql, charger?.id ?? 0);
    t.equal(
      (await get(api, token, `${surface}/${places[3]?.location.uuid}/${uid}`)).status,
      404,
      'it is elsewhere',
    );
    t.match(await get(api, token, `${surface}/${location?.uuid}/${uid}/9`), {
      status: 404,
      json: { status_message: /CONNECTOR_NOT_FOUND/ },
    });
    const theirs = await get(api, otherToken, surface);
    t.match(theirs.headers, { 'x-total-count': '0' });
    t.strictSame(theirs.json['data'], [] as never);
    for (const path of ['', `/${uid}`, `/${uid}/1`]) {
      t.equal((await get(api, otherToken, `${surface}/${location?.uuid}${path}`)).status, 404, path);
    }
    t.equal((await get(api, null, surface)).status, 401);
    for (const query of ['offset=-1', 'limit=-1', 'limit=x', 'date_from=yesterday']) {
      t.match(await get(api, token, `${surface}?${query}`), invalidAt(surface), query);
    }
    t.match(await get(api, token, `${surface}/${'x'.repeat(37)}`), invalidAt(surface));
  }
  t.equal((await get(api, otherToken, `${documented}/evse/${secretUid}`)).status, 404);
  t.equal((await get(api, token, `${documented}/evse/nothing`)).status, 404);
  const nowhere = await seedCharger(sql, api.network.id, { connectors: 1 });
  const nowhereUid = await uidOf(sql, nowhere.id);
  t.equal((await get(api, token, `${documented}/evse/${nowhereUid}`)).status, 404, 'at no location');
  // The standard's Sender interface is for reading.
  const put = { method: 'PUT', url: `${standard}/${hidden?.location.uuid}`, payload: {} } as const;
  t.match(await ocpi(api, token, put), { status: 405, headers: { allow: /^GET/ } });
});

void t.test('serves no standard paths when they are switched off', async (t) => {
  const api = await startTestApi(t, { settings: { ...testSettings, ocpiStrict: false } });
  const { token } = await registerEmsp(api, await startEmsp(t), { version: '2.2' });
  t.equal((await get(api, token, standard)).status, 404);
  t.equal((await get(api, token, '/ocpi/cpo/2.2.1/tariffs')).status, 404);
  t.equal((await get(api, token, documented)).status, 200);
});
