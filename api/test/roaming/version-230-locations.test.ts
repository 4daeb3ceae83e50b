import t, { type Test } from 'tap';
import { addLocation } from '#api/test/support/records.ts';
import { items, type Json, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { addPlace, uidOf } from './support/places.ts';
import { inNetwork, settled, startPusher } from './support/pushing.ts';
import { misfits } from './support/standard/shape.ts';
import { Location } from './support/versions/shapes-230.ts';

const shared = await startTestApi(t);

const place = {
  id: 'P1',
  physicalReference: 'Bay 1',
  vehicleTypes: ['DISABLED', 'PERSONAL_VEHICLE'],
  maxVehicleWeight: 3500,
  maxVehicleHeight: 210,
  maxVehicleLength: 550,
  maxVehicleWidth: 220,
  parkingSpaceLength: 600,
  parkingSpaceWidth: 350,
  dangerousGoodsAllowed: false,
  direction: 'PERPENDICULAR',
  driveThrough: false,
  restrictedToType: true,
  reservationRequired: false,
  timeLimit: 120,
  roofed: true,
  images: [{ url: 'https://north.example/p1.jpg', category: 'LOCATION', type: 'jpeg' }],
  lighting: true,
  refrigerationOutlet: false,
  standards: ['PAS 1899'],
  apdsReference: 'apds:place:1',
};
const plain = {
  id: 'P2',
  vehicleTypes: ['BUS'],
  restrictedToType: false,
  reservationRequired: true,
};

const evse = (location: Json | undefined) => items(location?.['evses'])[0];

/** A charger at a location, a key of its operator, and a partner of 2.3.0. */
async function startPlace(t: Test) {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const emsp = await startEmsp(t);
  emsp.versions = ['2.2.1', '2.3.0'];
  const { id, token } = await registerEmsp(api, emsp, { version: '2.3.0' });
  const { location, charger } = await addPlace(api);
  const patch = (path: string, payload: object) =>
    api.call(key, { method: 'PATCH', url: `/cpms/v1/${path}`, payload });
  const shown = async (version: string): Promise<Json | undefined> =>
    (await ocpi(api, token, { url: `/ocpi/cpo/${version}/locations/${location.uuid}` })).json['data'];
  return { api, key, emsp, id, location, charger, patch, shown };
}

void t.test('shows parking places to partners of 2.3.0 only', async (t) => {
  const { location, charger, patch, shown } = await startPlace(t);
  const stored = await patch(`locations/${location.uuid}`, { parkingPlaces: [place, plain] });
  t.match(stored, { status: 200, json: { data: { parkingPlaces: [place, plain] } } });
  const evsePath = `chargers/${charger.uuid}/evses/1`;
  const parking = [{ parkingId: 'GONE' }, { parkingId: 'P1', evsePosition: 'LEFT' }, { parkingId: 'p2' }];
  const restrictions = ['EV_ONLY', 'EMPLOYEES'];
  t.match(await patch(evsePath, { parking, parkingRestrictions: restrictions }), {
    status: 200,
    json: { data: { parking, parkingRestrictions: restrictions } },
  });
  const sent = await shown('2.3.0');
  t.strictSame(misfits(sent, Location), []);
  t.strictSame(sent?.['parking_places'], [
    {
      id: 'P1',
      vehicle_types: place.vehicleTypes,
      restricted_to_type: true,
      reservation_required: false,
      physical_reference: 'Bay 1',
      max_vehicle_weight: 3500,
      max_vehicle_height: 210,
      max_vehicle_length: 550,
      max_vehicle_width: 220,
      parking_space_length: 600,
      parking_space_width: 350,
      dangerous_goods_allowed: false,
      direction: 'PERPENDICULAR',
      drive_through: false,
      time_limit: 120,
      roofed: true,
      images: place.images,
      lighting: true,
      refrigeration_outlet: false,
      standards: ['PAS 1899'],
      apds_reference: 'apds:place:1',
    },
    { id: 'P2', vehicle_types: ['BUS'], restricted_to_type: false, reservation_required: true },
  ] as never);
  t.strictSame(evse(sent)?.['parking'], [
    { parking_id: 'P1', evse_position: 'LEFT' },
    { parking_id: 'p2' },
  ] as never);
  t.strictSame(evse(sent)?.['parking_restrictions'], restrictions as never);
  const former = await shown('2.2.1');
  t.equal(former?.['parking_places'], undefined);
  t.equal(evse(former)?.['parking'], undefined);
  t.strictSame(evse(former)?.['parking_restrictions'], ['EV_ONLY'] as never);
  t.strictSame(evse(await shown('2.2'))?.['parking_restrictions'], [{ value: 'EV_ONLY' }] as never);
});

void t.test('forgets the parking places of a charger that moves to another location', async (t) => {
  const { api, location, charger, patch, shown } = await startPlace(t);
  const other = await addLocation(api.stores.sql, api.network.id, { name: 'Station', isPublished: true });
  for (const { uuid } of [location, other]) await patch(`locations/${uuid}`, { parkingPlaces: [plain] });
  await patch(`chargers/${charger.uuid}/evses/1`, { parking: [{ parkingId: 'P2' }] });
  t.strictSame(evse(await shown('2.3.0'))?.['parking'], [{ parking_id: 'P2' }] as never);
  for (const { id } of [other, location])
    await api.stores.sql`update chargers set location_id = ${id} where id = ${charger.id}`;
  t.strictSame(evse(await shown('2.3.0'))?.['parking'], [] as never);
});

void t.test('refuses parking places that OCPI cannot express', async (t) => {
  const { location, charger, patch } = await startPlace(t);
  for (const wrong of [
    [plain, { ...plain, id: 'p2' }],
    [{ ...plain, id: '' }],
    [{ ...plain, vehicleTypes: [] }],
    [{ ...plain, vehicleTypes: ['TRAM'] }],
    [{ ...plain, direction: 'UP' }],
    [{ ...plain, physicalReference: 'longer than twelve' }],
    [{ ...plain, colour: 'red' }],
    [{ id: 'P2', vehicleTypes: ['BUS'] }],
  ]) {
    const answer = await patch(`locations/${location.uuid}`, { parkingPlaces: wrong });
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
  }
  const parking = [{ parkingId: 'P2', evsePosition: 'ABOVE' }];
  t.equal((await patch(`chargers/${charger.uuid}/evses/1`, { parking })).status, 400);
});

void t.test('shows what drivers can use at a connector', async (t) => {
  const { api, key, emsp, location, charger, patch, shown } = await startPlace(t);
  const list = await api.call(key, { url: `/cpms/v1/connectors?chargerUuid=${charger.uuid}` });
  const { id, capabilities } = items(list.json['data'])[0] ?? {};
  t.strictSame(capabilities, [] as never);
  startPusher(t, api);
  const payload = { capabilities: ['ISO_15118_20_PLUG_AND_CHARGE'] };
  t.match(await patch(`connectors/${id as unknown as string}`, payload), {
    status: 200,
    json: { data: payload },
  });
  const uid = await uidOf(api.stores.sql, charger.id);
  const { body } = await emsp.next('PUT', `/ocpi/emsp/2.3.0/locations/NL/CWY/${location.uuid}/${uid}`);
  t.match(body, { connectors: [payload] }, 'the whole EVSE');
  t.match(evse(await shown('2.3.0')), { connectors: [payload] });
  const [former] = items(evse(await shown('2.2.1'))?.['connectors']);
  t.equal(former?.['capabilities'], undefined);
  const wrong = { capabilities: ['ISO_15118_3'] };
  t.equal((await patch(`connectors/${id as unknown as string}`, wrong)).status, 400);
});

void t.test('pushes the eMSPs of the network to marked national access points only', async (t) => {
  const { api, emsp, id, location, charger, patch } = await startPlace(t);
  const { sql } = api.stores;
  const party = { countryCode: 'FR', partyId: 'SUD' };
  const otherEmsp = await startEmsp(t, party);
  otherEmsp.versions = ['2.3.0'];
  const { id: other } = await registerEmsp(api, otherEmsp, { party, version: '2.3.0' });
  await sql`update ocpi_partners set roles = jsonb_set(roles, '{0,role}', '"NAP"') where uuid = ${id}`;
  await sql`
    update ocpi_partners set roles = roles || jsonb_set(roles -> 0, '{role}', '"NAP"') where uuid = ${other}`;
  t.match(await patch(`ocpi-partners/${id}`, { isNationalAccessPoint: true }), { status: 200 });
  const uid = await uidOf(sql, charger.id);
  startPusher(t, api);
  await settled(api);
  for (const { received } of [emsp, otherEmsp]) received.length = 0;
  const path = `/ocpi/emsp/2.3.0/locations/NL/CWY/${location.uuid}`;
  const isNamed = { accepted_service_providers: ['Example eMSP'] };
  const pushed = async (to: string, expected: object) => {
    t.match((await emsp.next('PUT', to)).body, expected);
    t.notMatch(JSON.stringify((await otherEmsp.next('PUT', to)).body), 'accepted_service_providers');
  };
  await sql`update locations set name = 'Quay' where id = ${location.id}`;
  await pushed(path, { evses: [isNamed] });
  await settled(api);
  await sql`update evses set floor_level = '2' where uid = ${uid}`;
  await pushed(`${path}/${uid}`, isNamed);
});
