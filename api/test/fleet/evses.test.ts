import t from 'tap';
import { seedCharger, seedConnection } from '#shared/testing/seed.ts';
import { items, type Json, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { startEmsp } from '#api/test/roaming/support/emsp.ts';
import { ocpi, registerEmsp } from '#api/test/roaming/support/partner.ts';
import { addPlace, report } from '#api/test/roaming/support/places.ts';

/** All that an operator may say of an EVSE. */
const whole = {
  evseId: 'NL*NRT*E12345*1',
  statedStatus: 'BLOCKED',
  statusSchedule: [
    { periodBegin: '2026-12-24T08:00:00Z', periodEnd: '2026-12-24T12:00:00Z', status: 'INOPERATIVE' },
    { periodBegin: '2027-01-01T00:00:00Z', status: 'PLANNED' },
  ],
  capabilities: ['RFID_READER', 'RESERVABLE'],
  physicalReference: 'Bay 12',
  floorLevel: '-2',
  coordinates: { latitude: 51.905, longitude: 4.466 },
  directions: [{ language: 'en', text: 'Second ramp on the left' }],
  parkingRestrictions: ['EV_ONLY'],
  images: [
    { url: 'https://north.example/1.jpg', category: 'CHARGER', type: 'jpeg', width: 640, height: 480 },
  ],
};
const cleared = {
  evseId: null,
  statedStatus: null,
  statusSchedule: [],
  capabilities: null,
  physicalReference: null,
  floorLevel: null,
  coordinates: null,
  directions: [],
  parkingRestrictions: [],
  images: [],
};

void t.test(
  'an operator sets the EVSE fields that partners see, and its charger still reports',
  async (t) => {
    const api = await startTestApi(t);
    const { sql } = api.stores;
    const { token } = await registerEmsp(api, await startEmsp(t));
    const key = await mintKey(api);
    const { location, charger } = await addPlace(api, { evses: 2 });
    await sql`update chargers set physical_reference = 'Pole 1' where id = ${charger.id}`;
    await report(sql, charger.id, 1, 'Available');
    const url = `/cpms/v1/chargers/${charger.uuid}/evses`;
    const patch = (payload: object, etag = '*') =>
      api.call(key, { method: 'PATCH', url: `${url}/1`, payload, headers: { 'if-match': etag } });
    const shown = async (): Promise<Json | undefined> => {
      const { json } = await ocpi(api, token, { url: `/ocpi/cpo/2.2.1/locations/${location.uuid}` });
      return items(json['data']?.['evses'])[0];
    };

    const before = await api.call(key, { url });
    t.match(before.json['data'], [
      { chargerId: charger.uuid, number: 1, status: 'AVAILABLE', version: 1, ...cleared, evseId: /\*1$/ },
      { number: 2 },
    ]);
    const read = await api.call(key, { url: `${url}/1` });
    t.match(read, { status: 200, headers: { etag: '"1"' } });
    t.strictSame(read.json['data'], items(before.json['data'])[0]);

    const changed = await patch(whole, '"1"');
    t.match(changed, { status: 200, headers: { etag: '"2"' } });
    t.match(changed.json['data'], { ...whole, status: 'BLOCKED', version: 2 });
    t.match(await shown(), {
      uid: read.json['data']?.['uid'],
      evse_id: whole.evseId,
      status: 'BLOCKED',
      capabilities: whole.capabilities,
      physical_reference: 'Bay 12',
      floor_level: '-2',
      coordinates: { latitude: '51.905000', longitude: '4.466000' },
      directions: whole.directions,
      parking_restrictions: ['EV_ONLY'],
      images: whole.images,
    });

    await report(sql, charger.id, 1, 'Charging');
    t.match(await patch({ statedStatus: null }, '"2"'), {
      status: 200,
      headers: { etag: '"3"' },
      json: { data: { status: 'CHARGING', physicalReference: 'Bay 12' } },
    });
    t.match(await patch({ floorLevel: '1' }, '"2"'), {
      status: 412,
      json: { error: { code: 'PRECONDITION_FAILED', details: { version: 3 } } },
    });
    const emptied = (await patch(cleared)).json['data'];
    t.match(emptied, { ...cleared, version: 4 });
    for (const [name, none] of Object.entries(cleared)) t.strictSame(emptied?.[name], none as never, name);
    t.match(await shown(), {
      capabilities: ['REMOTE_START_STOP_CAPABLE', 'UNLOCK_CAPABLE'],
      physical_reference: 'Pole 1',
      images: [],
    });
    t.match(
      await sql`select action, resource_name, network_id, details from audit_log where category = 'evse' order by id`,
      [
        { action: 'update', resource_name: /\/1$/, network_id: api.network.id },
        { details: { before: { statedStatus: 'BLOCKED' }, after: { statedStatus: null } } },
        { details: { after: cleared } },
      ],
    );
  },
);

void t.test('rejects EVSE fields that OCPI forbids, and EVSEs of other networks', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await seedCharger(api.stores.sql, api.network.id, { connectors: 1 });
  await seedConnection(api.stores.sql, charger.uuid);
  const url = `/cpms/v1/chargers/${charger.uuid}/evses`;
  const [period] = whole.statusSchedule;
  for (const [payload, field] of [
    [{ evseId: 'nonsense' }, 'evseId'],
    [{ statedStatus: 'AVAILABLE' }, 'statedStatus'],
    [{ statusSchedule: [{ ...period, status: 'SLEEPING' }] }, 'statusSchedule.0.status'],
    [{ statusSchedule: [{ ...period, periodEnd: '2026-12-24T08:00:00Z' }] }, 'statusSchedule.0.periodEnd'],
    [{ capabilities: ['FLYING'] }, 'capabilities.0'],
    [{ capabilities: ['RESERVABLE', 'RESERVABLE'] }, 'capabilities'],
    [{ physicalReference: 'x'.repeat(17) }, 'physicalReference'],
    [{ floorLevel: 1 }, 'floorLevel'],
    [{ coordinates: { latitude: 91, longitude: 0 } }, 'coordinates.latitude'],
    [{ coordinates: { latitude: 51 } }, 'coordinates.longitude'],
    [{ directions: [{ language: 'eng', text: 'left' }] }, 'directions.0.language'],
    [{ parkingRestrictions: ['SHORT_CARS'] }, 'parkingRestrictions.0'],
    [{ images: [{ url: 'ftp://x/y', category: 'OTHER', type: 'png' }] }, 'images.0.url'],
    [{ uid: 'mine' }, 'uid'],
    [{}, ''],
  ] as [object, string][]) {
    const { status, json } = await api.call(key, { method: 'PATCH', url: `${url}/1`, payload });
    t.match({ status, json }, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
    const fields = items(json['error']?.['details']?.['errors']).map((error) => error['field'] as unknown);
    t.ok(fields.includes(field), `${field} in ${fields.join(' ')}`);
  }
  t.same(await api.stores.sql`select 1 from audit_log where category = 'evse'`, []);

  const requests = [{ url: `${url}/1` }, { method: 'PATCH', url: `${url}/1`, payload: whole }] as const;
  const otherKey = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const scopeless = await mintKey(api, { scopes: ['cpms:read:locations'] });
  for (const request of [{ url }, ...requests]) {
    t.match(await api.call(otherKey, request), {
      status: 404,
      json: { error: { code: 'CHARGER_NOT_FOUND' } },
    });
    t.match(await api.call(scopeless, request), {
      status: 403,
      json: { error: { code: 'SCOPE_MISSING' } },
    });
    t.equal((await api.call(null, request)).status, 401);
  }
  for (const request of requests) {
    const missing = { ...request, url: `${url}/2` };
    t.match(await api.call(key, missing), { status: 404, json: { error: { code: 'EVSE_NOT_FOUND' } } });
  }
});
