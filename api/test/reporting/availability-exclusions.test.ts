import t from 'tap';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { addLocation } from '#api/test/support/records.ts';
import { seedCharger } from '#shared/testing/seed.ts';

const url = '/cpms/v1/availability-exclusions';
const at = (time: string) => `2026-03-${time}:00.000Z`;
const invalid = (field: string) => [400, 'VALIDATION_FAILED', field];
const works = {
  cause: 'maintenance',
  beginsAt: at('02T08:00'),
  endsAt: at('02T18:00'),
  reason: 'Change of the cable',
};

void t.test('enters, changes and deletes an exclusion, with audit entries', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await seedCharger(api.stores.sql, api.network.id, { uid: 'QUAY-1', connectors: 2 });
  const post = (payload: object) => api.call(key, { method: 'POST', url, payload });
  const made = await post({ ...works, chargerId: charger.uuid, evseNumber: 1 });
  t.match(made, {
    status: 201,
    json: { data: { ...works, chargerId: charger.uuid, evseNumber: 1, version: 1 } },
  });
  const id = (made.json['data']?.['id'] ?? '') as string;
  const one = `${url}/${id}`;
  const patch = (payload: object, version: number) =>
    api.call(key, { method: 'PATCH', url: one, payload, headers: { 'if-match': `"${version}"` } });
  t.match(await patch({ cause: 'grid' }, 1), { status: 400 }, 'a change needs a reason');
  const longer = { endsAt: at('02T20:00'), reason: 'The works took longer' };
  t.match(await patch(longer, 1), { status: 200, json: { data: { ...longer, version: 2 } } });
  t.match(await patch(longer, 1), { status: 412, json: { error: { code: 'PRECONDITION_FAILED' } } });
  t.match((await api.call(key, { url: `${url}?from=${at('02T19:00')}&to=${at('03T00:00')}` })).json, {
    data: [{ id }],
  });
  t.same((await api.call(key, { url: `${url}?from=${at('02T20:00')}` })).json['data'], []);
  t.equal((await api.call(key, { method: 'DELETE', url: one })).status, 200);
  t.match(await api.call(key, { url: one }), {
    status: 404,
    json: { error: { code: 'AVAILABILITY_EXCLUSION_NOT_FOUND' } },
  });
  const log = await api.call(key, { url: `/cpms/v1/audit-log?resourceId=${id}` });
  t.same(
    items(log.json['data']).map(({ action }) => action),
    ['delete', 'update', 'create'],
  );
  t.match(JSON.stringify(items(log.json['data'])[1]), /The works took longer.*Change of the cable/);
});

void t.test('refuses wrong periods, targets and overlaps', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const location = await addLocation(sql, api.network.id);
  const charger = await seedCharger(sql, api.network.id, { connectors: 2 });
  await sql`update chargers set location_id = ${location.id} where id = ${charger.id}`;
  const foreign = await seedCharger(sql, api.otherNetwork.id, { connectors: 1 });
  const post = async (payload: object) => {
    const { status, json } = await api.call(key, { method: 'POST', url, payload: { ...works, ...payload } });
    const error = json['error'] as { code?: string; details?: { errors?: { field: string }[] } } | undefined;
    return [status, error?.code, error?.details?.errors?.[0]?.field].filter((part) => part !== undefined);
  };
  const chargerId = charger.uuid;
  t.same(await post({ chargerId, endsAt: works.beginsAt }), invalid('endsAt'));
  t.same(await post({ chargerId, endsAt: '2027-03-04T00:00:00Z' }), invalid('endsAt'));
  t.same(await post({}), invalid('chargerId'));
  t.same(await post({ chargerId, locationId: location.uuid }), invalid('chargerId'));
  t.same(await post({ locationId: location.uuid, evseNumber: 1 }), invalid('evseNumber'));
  t.same(await post({ chargerId, evseNumber: 3 }), invalid('evseNumber'));
  t.same(await post({ chargerId: foreign.uuid }), [404, 'CHARGER_NOT_FOUND']);
  t.same(await post({ locationId: charger.uuid }), [404, 'LOCATION_NOT_FOUND']);
  const overlaps = [409, 'AVAILABILITY_EXCLUSION_OVERLAPS'];
  t.same(await post({ chargerId, evseNumber: 1 }), [201]);
  t.same(await post({ chargerId, evseNumber: 2 }), [201], 'another EVSE');
  t.same(await post({ chargerId, evseNumber: 1, cause: 'grid' }), overlaps);
  t.same(await post({ chargerId }), overlaps, 'all EVSEs of the charger');
  t.same(await post({ locationId: location.uuid }), overlaps, 'all EVSEs of the location');
  t.same(await post({ chargerId, beginsAt: works.endsAt, endsAt: at('03T00:00') }), [201], 'the next period');
  const day = { beginsAt: at('10T00:00'), endsAt: at('11T00:00') };
  const both = await Promise.all([post({ ...day, chargerId }), post({ ...day, locationId: location.uuid })]);
  t.same(
    both.map(([status]) => Number(status)).toSorted((one, other) => one - other),
    [201, 409],
    'one of two at the same time',
  );
});

void t.test('proposes the outages of alerts until they are excluded', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const location = await addLocation(sql, api.network.id);
  const charger = await seedCharger(sql, api.network.id, { uid: 'QUAY-1', connectors: 1 });
  const foreign = await seedCharger(sql, api.otherNetwork.id);
  const alert = async (networkId: number, kind: string, on: { charger?: number; location?: string }) => {
    const [row] = await sql<{ uuid: string }[]>`
      insert into alerts (network_id, kind, severity, resource_type, resource_id, resource_name, charger_id, message, details,
        occurred_at, last_occurred_at, resolved_at, status)
      values (${networkId}, ${kind}, 'critical', ${on.location === undefined ? 'charger' : 'location'},
        ${on.location ?? String(on.charger)}, 'x', ${on.charger ?? null}, 'Offline', '{}', ${at('05T00:00')}, ${at('05T00:00')},
        ${at('05T06:00')}, 'resolved') returning uuid`;
    return row?.uuid;
  };
  const outage = await alert(api.network.id, 'charger-offline', { charger: charger.id });
  const grid = await alert(api.network.id, 'location-offline', { location: location.uuid });
  await alert(api.network.id, 'session-in-review', { charger: charger.id });
  await alert(api.otherNetwork.id, 'charger-offline', { charger: foreign.id });
  const read = async () =>
    items(
      (await api.call(key, { url: `${url}/proposals?from=${at('01T00:00')}&to=${at('31T00:00')}` })).json[
        'data'
      ],
    );
  const times = { beginsAt: at('05T00:00'), endsAt: at('05T06:00') };
  t.match(await read(), [
    { alertId: grid, cause: 'grid', locationId: location.uuid, chargerId: null, ...times },
    { alertId: outage, cause: null, chargerUid: 'QUAY-1', chargerId: charger.uuid, ...times },
  ]);
  const part = { cause: 'grid', reason: 'Flood', ...times, chargerId: charger.uuid };
  const enter = (payload: object) => api.call(key, { method: 'POST', url, payload: { ...part, ...payload } });
  t.match(await enter({ endsAt: at('05T02:00') }), { status: 201 });
  t.match(await enter({ beginsAt: at('05T02:00'), evseNumber: 1 }), { status: 201 });
  t.match(await read(), [{ alertId: grid }, { alertId: outage }], 'one EVSE for a part of the outage');
  await sql`delete from availability_exclusions where evse_number = 1`;
  const payload = {
    cause: 'weather',
    reason: 'Flood',
    ...times,
    beginsAt: at('05T02:00'),
    chargerId: charger.uuid,
    alertId: outage,
  };
  t.match(await api.call(key, { method: 'POST', url, payload }), { status: 201 });
  t.match(await read(), [{ alertId: grid }]);
});

void t.test('hides exclusions from other networks, drivers and keys without the scope', async (t) => {
  const api = await startTestApi(t);
  const charger = await seedCharger(api.stores.sql, api.network.id, { connectors: 1 });
  const payload = { ...works, chargerId: charger.uuid };
  const made = await api.call(await mintKey(api), { method: 'POST', url, payload });
  const id = (made.json['data']?.['id'] ?? '') as string;
  const one = `${url}/${id}`;
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.same((await api.call(foreign, { url })).json['data'], []);
  t.equal((await api.call(foreign, { url: one })).status, 404);
  t.equal((await api.call(foreign, { method: 'DELETE', url: one })).status, 404);
  t.equal((await api.call(foreign, { method: 'PATCH', url: one, payload: { reason: 'x' } })).status, 404);
  t.equal((await api.call(foreign, { method: 'POST', url, payload })).status, 404);
  const reader = await mintKey(api, { scopes: ['cpms:read'] });
  t.equal((await api.call(reader, { method: 'POST', url, payload })).status, 403);
  t.equal((await api.call(reader, { url: one })).status, 200);
  t.equal((await api.call(await mintKey(api, { apiFamily: 'emsp' }), { url })).status, 403);
  t.equal((await api.call(null, { url })).status, 401);
});
