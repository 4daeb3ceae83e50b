import t from 'tap';
import { items, type Json, startTestApi } from '#api/test/support/fixtures.ts';
import { startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';

const done = { status: 200, json: { status_code: 1000 } };
const wrong = (message: RegExp) => ({ status: 400, json: { status_code: 2001, status_message: message } });
const now = () => new Date().toISOString();
const withoutTimes = (object: unknown) =>
  JSON.parse(JSON.stringify(object), (name, value: unknown) =>
    name === 'lastUpdated' || name === 'last_updated' ? undefined : value,
  ) as Json;
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

void t.test('removes with a patch the optional values that are null', async (t) => {
  const api = await startTestApi(t);
  const { token } = await registerEmsp(api, await startEmsp(t), { partner: { writeScopes: ['locations'] } });
  const ask = (method: 'GET' | 'PUT' | 'PATCH', path: string, payload?: object) =>
    ocpi(api, token, { method, url: `/ocpi/cpo/2.2/locations/${path}`, ...(payload && { payload }) });
  const put = (path: string, payload: object) => ask('PUT', path, payload);
  const patch = (path: string, payload: object) => ask('PATCH', path, payload);
  const read = async (path: string) => (await ask('GET', path)).json['data'];
  const geo = place.coordinates;
  const directions = [{ language: 'nl', text: 'Links' }];
  const images = [{ url: 'https://north.example/i.png', category: 'OTHER', type: 'png' }];
  const optional = {
    connector: { terms_and_conditions: 'https://north.example/t', max_electric_power: 11_000 },
    evse: {
      evse_id: 'BE*BEC*E041503001',
      status_schedule: [{ periodBegin: '2039-01-01T00:00:00Z', status: 'AVAILABLE' }],
      capabilities: ['RESERVABLE'],
      floor_level: '-1',
      physical_reference: '1',
      coordinates: geo,
      directions,
      parking_restrictions: [{ value: 'EV_ONLY' }],
      images,
    },
    location: {
      publishAllowedTo: [{ uid: 'T1', type: 'APP_USER' }],
      postalCode: '9000',
      state: 'Oost',
      relatedLocations: [{ coordinates: geo }],
      parkingType: { value: 'ON_STREET' },
      directions,
      operator: { name: 'Operator' },
      suboperator: { name: 'Suboperator' },
      owner: { name: 'Owner' },
      facilities: [{ value: 'CAFE' }],
      openingTimes: { twentyFourSeven: true },
      chargingWhenClosed: false,
      images,
      energyMix: { isGreenEnergy: true },
    },
  };
  const emptied = {
    status_schedule: [],
    capabilities: [],
    directions: [],
    parking_restrictions: [],
    images: [],
  };
  const connectors = [{ ...connector, ...optional.connector }];
  const evses = [{ ...optional.evse, uid: 'E1', status: 'PLANNED', connectors }];
  const whole = { ...place, ...optional.location, name: 'Gent Zuid', publish: true, evses };
  t.match(await put('LOC1', whole), done);
  const empty: Record<string, unknown> = {
    ...emptied,
    publishAllowedTo: [],
    relatedLocations: [],
    facilities: [],
    chargingWhenClosed: true,
  };
  for (const [at, fields, required, updated] of [
    [
      'LOC1',
      optional.location,
      'id countryCode partyId publish name address city country coordinates timeZone evses lastUpdated',
      'lastUpdated',
    ],
    ['LOC1/E1', optional.evse, 'uid status connectors last_updated', 'last_updated'],
    [
      'LOC1/E1/1',
      optional.connector,
      'id standard format power_type max_voltage max_amperage last_updated',
      'last_updated',
    ],
  ] as const) {
    for (const field of Object.keys(fields)) {
      const { [field]: before, ...others } = withoutTimes(await read(at));
      t.ok(before !== undefined, `${at} has ${field}`);
      t.match(await patch(at, { [field]: null, [updated]: now() }), done, `${at} ${field}`);
      const { [field]: after, ...left } = withoutTimes(await read(at));
      t.strictSame(after, empty[field], `${at} ${field}`);
      t.strictSame(left, others, `${at} ${field}`);
    }
    const before = withoutTimes(await read(at));
    for (const field of required.split(' ')) {
      const refused = await patch(at, { [updated]: now(), [field]: null });
      t.match(refused, wrong(new RegExp(`\\b${field} must be`)), `${at} ${field}`);
    }
    t.strictSame(withoutTimes(await read(at)), before, `${at} stays`);
  }

  t.match(await put('LOC1', whole), done);
  const nested = {
    lastUpdated: now(),
    evses: [{ uid: 'E1', floor_level: null, connectors: [{ id: '1', terms_and_conditions: null }] }],
  };
  t.match(await patch('LOC1', nested), done);
  const [evse] = items((await read('LOC1'))?.['evses']);
  t.match(evse, { floor_level: undefined, physical_reference: '1' });
  t.match(items(evse?.['connectors'])[0], { terms_and_conditions: undefined, max_electric_power: 11_000 });
  const wrongly = [{ uid: 'E1', connectors: [{ id: '1', standard: null }] }];
  t.match(
    await patch('LOC1', { lastUpdated: now(), evses: wrongly }),
    wrong(/evses.0.connectors.0.standard must be/),
  );
});

void t.test(
  'a location that a partner writes without a time zone has the zone of its position or country',
  async (t) => {
    const api = await startTestApi(t);
    const { token } = await registerEmsp(api, await startEmsp(t), {
      partner: { writeScopes: ['locations'] },
    });
    const put = (id: string, payload: object) =>
      ocpi(api, token, { method: 'PUT', url: `/ocpi/cpo/2.2/locations/${id}`, payload });
    const zones = () =>
      api.stores.sql`select ocpi_id as id, time_zone as zone from locations order by ocpi_id`;
    t.match(await put('LOC1', { country: 'ESP', publish: false }), done);
    t.match(await zones(), [{ id: 'LOC1', zone: 'UTC' }], 'of the network: Spain has two zones');
    const canary = { latitude: '28.12', longitude: '-15.43' };
    t.match(await put('LOC1', { country: 'ESP', publish: false, coordinates: canary }), done);
    t.match(await put('LOC2', { country: 'BEL', publish: false }), done);
    t.match(await zones(), [
      { id: 'LOC1', zone: 'Atlantic/Canary' },
      { id: 'LOC2', zone: 'Europe/Brussels' },
    ]);
  },
);
