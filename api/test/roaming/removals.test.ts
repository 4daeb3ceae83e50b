import t from 'tap';
import { items, type Json, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { findOcpiPlace } from '#shared/postgres/roaming/ocpi-places.ts';
import { removeOldWithdrawals } from '#shared/postgres/roaming/ocpi-withdrawals.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { addPlace, uidOf } from './support/places.ts';

const surfaces = ['/ocpi/cpo/2.2', '/ocpi/cpo/2.2.1'];

const text = (json: Json | undefined) => json as unknown as string;

/** A partner that polls. */
async function start(t: Parameters<typeof startTestApi>[0]) {
  const api = await startTestApi(t);
  const { token } = await registerEmsp(api, await startEmsp(t));
  const key = await mintKey(api);
  const partner = { networkUuid: api.otherNetwork.uuid };
  const party = { countryCode: 'FR', partyId: 'SUD' };
  return {
    api,
    /** Token of a partner of another network. */
    otherToken: (await registerEmsp(api, await startEmsp(t), { party, partner })).token,
    get: (url: string) => ocpi(api, token, { url }),
    change: async (method: 'PATCH' | 'DELETE', path: string, payload?: object) => {
      const answer = await api.call(key, { method, url: `/cpms/v1/${path}`, ...(payload && { payload }) });
      if (answer.status !== 200) throw new Error(answer.text);
    },
  };
}

/** Returns a time after all changes until now, and before all later ones. */
async function nextMoment(): Promise<string> {
  const before = Date.now();
  await until('the next millisecond', async () => Promise.resolve(Date.now() > before));
  return new Date().toISOString();
}

/** Returns the place of a command at a location, or at an EVSE of it. */
const placeOf = (api: TestApi, locationId: string, evseUid: string | null = null) =>
  findOcpiPlace(api.stores.sql, api.network.id, { locationId, evseUid, connectorId: null });

void t.test('shows removed objects for 400 days', async (t) => {
  const { api, get, change } = await start(t);
  const { sql } = api.stores;
  const { location, charger } = await addPlace(api);
  const uid = await uidOf(sql, charger.id);
  await change('PATCH', `chargers/${charger.uuid}`, { isPublic: false });
  const url = '/ocpi/cpo/2.2.1/locations';
  const age = (table: string, days: number) =>
    sql`update ${sql(table)} set withdrawn_at = now() - make_interval(days => ${days})`;
  await sql`update ocpi_partners set first_registered_at = now() - interval '3 years'`;
  await age('ocpi_withdrawn_evses', 399);
  t.equal(await removeOldWithdrawals(sql), 0);
  t.match((await get(`${url}/${location.uuid}/${uid}`)).json['data'], { status: 'REMOVED' });
  await age('ocpi_withdrawn_evses', 401);
  t.equal(await removeOldWithdrawals(sql), 1);
  t.equal((await get(`${url}/${location.uuid}/${uid}`)).status, 404);

  await change('PATCH', `locations/${location.uuid}`, { isPublished: false });
  await age('ocpi_withdrawn_locations', 401);
  t.equal(await removeOldWithdrawals(sql), 1);
  t.equal((await get(`${url}/${location.uuid}`)).status, 404);
  t.same((await get(url)).json['data'], []);
  await change('PATCH', `locations/${location.uuid}`, { isPublished: true });
  t.match((await get(url)).json['data'], [{ id: location.uuid, publish: true }]);
});

void t.test('lists an unpublished location with publish false until it is published again', async (t) => {
  const { api, otherToken, get, change } = await start(t);
  const { location, charger } = await addPlace(api);
  const uid = await uidOf(api.stores.sql, charger.id);
  const before = await nextMoment();
  await change('PATCH', `locations/${location.uuid}`, { isPublished: false });

  for (const surface of surfaces) {
    const list = await get(`${surface}/locations?date_from=${before}`);
    const evse = { uid, status: 'REMOVED', connectors: [{ tariff_ids: [] }] };
    t.match(list, {
      headers: { 'x-total-count': '1' },
      json: { data: [{ id: location.uuid, publish: false, evses: [evse] }] },
    });
    const one = await get(`${surface}/locations/${location.uuid}`);
    t.same(one.json['data'], items(list.json['data'])[0]);
    t.match((await get(`${surface}/locations/${location.uuid}/${uid}`)).json['data'], { status: 'REMOVED' });
    t.same((await ocpi(api, otherToken, { url: `${surface}/locations` })).json['data'], []);
    for (const path of [location.uuid, `${location.uuid}/${uid}`]) {
      t.equal((await ocpi(api, otherToken, { url: `${surface}/locations/${path}` })).status, 404);
      t.equal((await ocpi(api, null, { url: `${surface}/locations/${path}` })).status, 401);
    }
  }
  t.equal(await placeOf(api, location.uuid, uid), null, 'no command reaches it');

  const hiddenAt = await nextMoment();
  await api.stores.sql`update connectors set status = 'Charging' where charger_id = ${charger.id}`;
  for (const surface of surfaces) {
    const later = await get(`${surface}/locations?date_from=${hiddenAt}`);
    t.same(later.json['data'], [], 'what happens there now is not visible');
  }

  await change('PATCH', `locations/${location.uuid}`, { isPublished: true });
  for (const surface of surfaces) {
    t.match((await get(`${surface}/locations?date_from=${hiddenAt}`)).json['data'], [
      { id: location.uuid, publish: true, evses: [{ uid, status: 'CHARGING' }] },
    ]);
  }
  t.not(await placeOf(api, location.uuid, uid), null);
});

void t.test('lists a removed location with publish false', async (t) => {
  const { api, get, change } = await start(t);
  const { location, charger } = await addPlace(api);
  await change('PATCH', `chargers/${charger.uuid}`, { locationUuid: null });
  const before = await nextMoment();
  await change('DELETE', `locations/${location.uuid}`);
  for (const surface of surfaces) {
    t.match((await get(`${surface}/locations?date_from=${before}`)).json['data'], [
      { id: location.uuid, publish: false, evses: [{ status: 'REMOVED' }] },
    ]);
  }
  t.equal(await placeOf(api, location.uuid), null);
});

void t.test('lists no location that was hidden before the network had partners', async (t) => {
  const api = await startTestApi(t);
  const { location } = await addPlace(api);
  await api.stores.sql`update locations set is_published = false where id = ${location.id}`;
  const { token } = await registerEmsp(api, await startEmsp(t));
  for (const surface of surfaces) {
    t.same((await ocpi(api, token, { url: `${surface}/locations` })).json['data'], []);
    t.equal((await ocpi(api, token, { url: `${surface}/locations/${location.uuid}` })).status, 404);
  }
});

void t.test('lists the EVSEs of a charger that became private as removed until it is public', async (t) => {
  const { api, get, change } = await start(t);
  const { sql } = api.stores;
  const { location, charger } = await addPlace(api, { evses: 2 });
  await seedTariff(sql, api.network.id);
  await sql`update chargers set last_heartbeat_at = now() where id = ${charger.id}`;
  const uid = await uidOf(sql, charger.id);
  const before = await nextMoment();
  await change('PATCH', `chargers/${charger.uuid}`, { isPublic: false });

  for (const surface of surfaces) {
    const list = await get(`${surface}/locations?date_from=${before}`);
    const removed = { status: 'REMOVED', connectors: [{ tariff_ids: [] }] };
    t.match(list.json['data'], [{ id: location.uuid, publish: true, evses: [removed, removed] }]);
    const [evse] = items(items(list.json['data'])[0]?.['evses']);
    t.equal(evse?.['last_heartbeat'], undefined);
    const one = await get(`${surface}/locations/${location.uuid}/${uid}`);
    t.match(one.json['data'], { uid, status: 'REMOVED', last_updated: text(evse?.['last_updated']) });
    t.match((await get(`${surface}/locations/${location.uuid}/${uid}/1`)).json['data'], { id: '1' });
  }
  t.match((await get(`/ocpi/cpo/2.2/locations/evse/${uid}`)).json['data'], { status: 'REMOVED' });
  t.equal(await placeOf(api, location.uuid), null);
  t.equal(await placeOf(api, location.uuid, uid), null);

  await change('PATCH', `chargers/${charger.uuid}`, { isPublic: true });
  for (const surface of surfaces) {
    const { json } = await get(`${surface}/locations/${location.uuid}`);
    t.match(json['data'], { evses: [{ uid, status: 'UNKNOWN' }, { status: 'UNKNOWN' }] });
    t.equal(items(json['data']?.['evses'] as Json).length, 2);
  }
});

void t.test('lists the EVSE of a moved charger at both locations, removed from the former', async (t) => {
  const { api, get, change } = await start(t);
  const { sql } = api.stores;
  const { location: from, charger } = await addPlace(api, { name: 'From' });
  const { location: to } = await addPlace(api, { name: 'To' });
  const uid = await uidOf(sql, charger.id);
  await change('PATCH', `chargers/${charger.uuid}`, { locationUuid: to.uuid });
  const statusAt = async (surface: string, { uuid }: { uuid: string }) =>
    (await get(`${surface}/locations/${uuid}/${uid}`)).json['data']?.['status'];
  for (const surface of surfaces) {
    t.equal(await statusAt(surface, from), 'REMOVED');
    t.equal(await statusAt(surface, to), 'UNKNOWN');
  }
  t.match((await get(`/ocpi/cpo/2.2/locations/evse/${uid}`)).json['data'], { location_ocpi_id: to.uuid });
  t.equal(await placeOf(api, from.uuid, uid), null);
  t.match(await placeOf(api, to.uuid, uid), { chargerUuid: charger.uuid });

  await change('PATCH', `chargers/${charger.uuid}`, { locationUuid: from.uuid });
  for (const surface of surfaces) {
    t.equal(await statusAt(surface, from), 'UNKNOWN');
    t.equal(await statusAt(surface, to), 'REMOVED');
  }
});

void t.test('counts withdrawn locations in the pages of a list', async (t) => {
  const { api, get } = await start(t);
  const places = [];
  for (const name of ['A', 'B', 'C']) places.push(await addPlace(api, { name }));
  await api.stores.sql`update locations set is_published = false where id = ${places[1]?.location.id ?? 0}`;
  for (const surface of surfaces) {
    const first = await get(`${surface}/locations?limit=2`);
    t.match(first, {
      headers: { 'x-total-count': '3', link: /offset=2/ },
      json: { data: [{ name: 'A' }, { name: 'B', publish: false }] },
    });
    t.match((await get(`${surface}/locations?limit=2&offset=2`)).json['data'], [{ name: 'C' }]);
  }
});

const ends = {
  withdrawn: { is_active: false },
  expired: { valid_until: new Date(Date.now() - 60_000) },
};

for (const [end, row] of Object.entries(ends)) {
  void t.test(`lists a tariff whose assignment is ${end} as ended`, async (t) => {
    const { api, get } = await start(t);
    const { sql } = api.stores;
    const tariff = await seedTariff(sql, api.network.id);
    await sql`update tariffs set updated_at = now() - interval '1 hour', starts_at = null, ends_at = null`;
    const before = await nextMoment();
    await sql`update tariff_assignments set ${sql(row)}`;
    for (const path of ['/ocpi/2.2/tariffs', ...surfaces.map((surface) => `${surface}/tariffs`)]) {
      const list = await get(`${path}?date_from=${before}`);
      const [found] = items(list.json['data']);
      t.match(list, { headers: { 'x-total-count': '1' }, json: { data: [{ id: tariff.uuid }] } });
      t.ok(Date.parse(text(found?.['end_date_time'])) < Date.now());
    }
    const one = await get(`/ocpi/2.2/tariffs/${tariff.uuid}`);
    t.ok(Date.parse(text(one.json['data']?.['end_date_time'])) < Date.now());
  });
}

void t.test('lists a tariff as ended when its assignment expires by itself', async (t) => {
  const { api, get } = await start(t);
  const { sql } = api.stores;
  const tariff = await seedTariff(sql, api.network.id);
  const before = await nextMoment();
  await sql.begin(async (transaction) => {
    // The time passes, without a change of the row.
    await transaction`set local session_replication_role = replica`;
    await transaction`update tariff_assignments set valid_until = now()`;
  });
  const after = await nextMoment();
  for (const surface of surfaces) {
    const since = async (time: string) => (await get(`${surface}/tariffs?date_from=${time}`)).json['data'];
    t.match(await since(before), [{ id: tariff.uuid, end_date_time: String }]);
    t.same(await since(after), []);
  }
});

void t.test(
  'lists a deleted tariff as ended when its assignment did, and no tariff that had none',
  async (t) => {
    const { api, get, change } = await start(t);
    const { sql } = api.stores;
    const tariff = await seedTariff(sql, api.network.id);
    await sql`insert into tariffs (network_id, name, currency, elements) values (${api.network.id}, 'B', 'EUR', '[]')`;
    const until = new Date(Date.now() - 60_000);
    const before = await nextMoment();
    await sql`update tariff_assignments set valid_until = ${until}`;
    await change('DELETE', `tariffs/${tariff.uuid}`);
    for (const surface of surfaces) {
      const list = await get(`${surface}/tariffs?date_from=${before}`);
      t.match(list.json['data'], [{ id: tariff.uuid, end_date_time: until.toISOString() }]);
      t.equal(items(list.json['data']).length, 1);
    }
  },
);
