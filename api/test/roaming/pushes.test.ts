import t from 'tap';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { pushPolicy } from '#shared/domain/roaming/ocpi-push.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { claimPushes } from '#shared/postgres/roaming/ocpi-pushes.ts';
import { pushChannel, queueChanges } from '#shared/postgres/roaming/ocpi-changes.ts';
import { seedNetwork, seedTariff } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { enveloped, startEmsp } from './support/emsp.ts';
import { registerEmsp } from './support/partner.ts';
import {
  inNetwork,
  locations,
  marked,
  owed,
  pushed,
  seedCdr,
  seedPlace,
  seedSession,
  setStatus,
  settled,
  startPusher,
} from './support/pushing.ts';

const shared = await startTestApi(t);

void t.test('locations, EVSEs, connectors and tariffs are sent as they change', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const emsp = await startEmsp(t);
  await registerEmsp(api, emsp);
  startPusher(t, api);
  const { location, charger, evses } = await seedPlace(api);
  const uid = evses[0]?.uid ?? '';
  const put = await emsp.next('PUT', `${locations}/${location.uuid}`);
  t.match(put.headers, {
    authorization: `Token ${Buffer.from(emsp.token).toString('base64')}`,
    'ocpi-from-party-id': 'CWY',
    'ocpi-to-party-id': 'EMS',
    'x-request-id': String,
  });
  await settled(api);
  const whole = pushed(emsp, 'locations').findLast(({ path }) => path === `${locations}/${location.uuid}`);
  t.match(whole, {
    method: 'PUT',
    body: {
      country_code: 'NL',
      party_id: 'CWY',
      id: location.uuid,
      publish: true,
      coordinates: { latitude: /^51\.9/, longitude: /^4\.5/ },
      evses: [{ connectors: [{ id: '1', standard: 'IEC_62196_T2' }] }, {}],
      last_updated: String,
    },
  });

  emsp.received.length = 0;
  await setStatus(api, charger.id, 'Charging');
  const patch = await emsp.next('PATCH', `${locations}/${location.uuid}/${uid}`);
  t.match(patch.body, { status: 'CHARGING', last_updated: String });
  t.strictSame(Object.keys(patch.body), ['status', 'last_updated']);
  await setStatus(api, charger.id, 'Charging');
  await settled(api);
  t.equal(emsp.received.length, 1, 'the same status again is no news');

  await sql`update connectors set max_amperage = 16 where charger_id = ${charger.id} and number = 1`;
  const evse = await emsp.next('PUT', `${locations}/${location.uuid}/${uid}`);
  t.match(evse.body, { uid, status: 'CHARGING', connectors: [{ max_amperage: 16 }] });
  // What changes while the whole of it is on its way is sent whole too.
  await settled(api);

  await sql`update chargers set disconnected_at = now() where id = ${charger.id}`;
  await emsp.next('PATCH', `${locations}/${location.uuid}/${uid}`);
  await settled(api);
  emsp.received.length = 0;
  await sql`update connectors set deleted_at = now() where charger_id = ${charger.id} and number = 2`;
  const removed = await emsp.next('PUT', `${locations}/${location.uuid}/${evses[1]?.uid}`);
  t.match(removed.body, { status: 'REMOVED' });

  emsp.received.length = 0;
  const tariff = await seedTariff(sql, api.network.id);
  const tariffPath = `/ocpi/emsp/2.2.1/tariffs/NL/CWY/${tariff.uuid}`;
  t.match((await emsp.next('PUT', tariffPath)).body, { id: tariff.uuid, currency: 'EUR', elements: [{}] });
  t.match(
    (await emsp.next('PUT', `${locations}/${location.uuid}`)).body,
    { evses: [{ connectors: [{ tariff_ids: [tariff.uuid] }] }, {}] },
    'the connectors there name it',
  );
  emsp.react(tariffPath, { status: 404, body: enveloped(undefined, 2000) }, 1);
  await sql`
    update tariff_assignments set is_active = false
    where tariff_id = (select id from tariffs where uuid = ${tariff.uuid})`;
  await emsp.next('DELETE', tariffPath);
  await settled(api);

  emsp.received.length = 0;
  await sql`
    insert into tariff_assignments (tariff_id, location_id, valid_from)
    select id, ${location.id}, now() + interval '600 ms' from tariffs where uuid = ${tariff.uuid}`;
  await until('it begins by itself', () =>
    Promise.resolve(
      pushed(emsp, 'locations').some(({ body }) =>
        JSON.stringify(body).includes(`"tariff_ids":["${tariff.uuid}"]`),
      ),
    ),
  );
  await settled(api);

  emsp.received.length = 0;
  await sql`insert into tariffs (network_id, name, currency, elements) values (${api.network.id}, 'Draft', 'EUR', '[]')`;
  await sql`update tariffs set name = 'Draft 2' where name = 'Draft'`;
  await sql`update locations set is_published = false where id = ${location.id}`;
  const hidden = await emsp.next('PATCH', `${locations}/${location.uuid}`);
  t.strictSame(Object.keys(hidden.body), ['publish', 'last_updated']);
  await setStatus(api, charger.id, 'Available');
  await settled(api);
  t.strictSame(pushed(emsp, 'tariffs'), [], 'a draft is not sent');
  t.equal(pushed(emsp, 'locations').length, 1, 'nor what happens at a hidden place');
});

void t.test('sends the whole object to a partner that does not know it', async (t) => {
  const api = await inNetwork(shared);
  const { location, charger, evses } = await seedPlace(api);
  const emsp = await startEmsp(t);
  const { id } = await registerEmsp(api, emsp);
  startPusher(t, api);
  await settled(api);
  emsp.react(`${locations}/${location.uuid}/${evses[0]?.uid}`, {
    status: 404,
    body: enveloped(undefined, 2003),
  });
  await setStatus(api, charger.id, 'Charging');
  await emsp.next('PATCH', `${locations}/${location.uuid}/`);
  t.match(await emsp.next('PUT', `${locations}/${location.uuid}`), { path: `${locations}/${location.uuid}` });

  const session = await seedSession(api, id, charger.id);
  await emsp.next('PUT', `/ocpi/emsp/2.2.1/sessions/NL/CWY/${session.uuid}`);
  await settled(api);
  emsp.react('/ocpi/emsp/2.2.1/sessions', { body: enveloped(undefined, 2003) }, 1);
  await api.stores.sql`update sessions set live_at = now(), energy_wh = 6000 where id = ${session.id}`;
  await emsp.next('PATCH', '/ocpi/emsp/2.2.1/sessions');
  t.match((await emsp.next('PUT', '/ocpi/emsp/2.2.1/sessions')).body, { id: session.uuid, kwh: 6 });
  await settled(api);
});

void t.test('sessions and CDRs go to the partner that they belong to, CDRs once and in order', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const { charger } = await seedPlace(api);
  const [emsp, other, south] = [await startEmsp(t), await startEmsp(t), await startEmsp(t)];
  const { id, token } = await registerEmsp(api, emsp);
  await registerEmsp(api, other, { party: { countryCode: 'FR', partyId: 'OTH' } });
  await registerEmsp(api, south, { partner: { networkUuid: api.otherNetwork.uuid } });
  startPusher(t, api);
  const sessions = '/ocpi/emsp/2.2.1/sessions/NL/CWY';
  const session = await seedSession(api, id, charger.id);
  t.match((await emsp.next('PUT', `${sessions}/${session.uuid}`)).body, {
    id: session.uuid,
    status: 'ACTIVE',
    kwh: 5,
    cdr_token: { uid: 'TAG1' },
  });
  await settled(api);
  await sql`update sessions set live_at = now(), energy_wh = 7000 where id = ${session.id}`;
  const live = await emsp.next('PATCH', `${sessions}/${session.uuid}`);
  t.match(live.body, { kwh: 7, status: 'ACTIVE', last_updated: String });
  t.notOk('charging_periods' in live.body, 'those of a PATCH would be added to the ones there');
  await sql`update sessions set live_at = live_at, energy_wh = 7100, updated_at = now() where id = ${session.id}`;
  await settled(api);
  t.equal(pushed(emsp, 'sessions').length, 2, 'live values are sent twice a minute');
  await sql`
    update sessions set status = 'COMPLETED', ended_at = now(), stop_received_at = now(), energy_wh = 9000
    where id = ${session.id}`;
  t.match((await emsp.next('PUT', `${sessions}/${session.uuid}`)).body, { status: 'COMPLETED', kwh: 9 });

  // The answer to the first is lost on its way: it is sent again, and the partner has it.
  emsp.react('/ocpi/emsp/2.2.1/cdrs', { hangUp: true }, 1);
  emsp.react('/ocpi/emsp/2.2.1/cdrs', { status: 409, body: enveloped(undefined, 2001) }, 1);
  const first = await seedCdr(api, session.id);
  const credit = await seedCdr(api, session.id, first);
  const second = await seedCdr(api, session.id);
  await settled(api);
  t.strictSame(
    pushed(emsp, 'cdrs').map(({ method, path, body }) => [method, path, body['id'] as unknown]),
    [first, first, credit, second].map((cdr) => ['POST', '/ocpi/emsp/2.2.1/cdrs', cdr]),
  );

  emsp.react(
    '/ocpi/emsp/2.2.1/cdrs',
    { body: { ...(enveloped(undefined, 2001) as object), status_message: 'CDR already exists' } },
    1,
  );
  await seedCdr(api, session.id);
  await settled(api);
  const key = await mintKey(api);
  const resync = await api.call(key, {
    method: 'POST',
    url: `/cpms/v1/ocpi-partners/${id}/resync`,
    payload: {},
  });
  t.match(resync, { status: 202, json: { data: { queued: 2 } } }, 'the location and the session');
  await settled(api);
  await api.app.inject({
    method: 'PUT',
    url: '/ocpi/2.2.1/credentials',
    headers: { authorization: `Token ${token}` },
    payload: { token: emsp.token },
  });
  await settled(api);
  t.equal(pushed(emsp, 'cdrs').length, 5, 'what it has is not sent again, whatever is asked');
  for (const stranger of [other, south]) {
    t.strictSame([...pushed(stranger, 'sessions'), ...pushed(stranger, 'cdrs')], []);
  }
  t.strictSame(pushed(south, 'locations'), [], 'nor what is another network’s');
});

void t.test('merges several changes into one push of the latest state', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const { charger } = await seedPlace(api);
  const emsp = await startEmsp(t);
  await registerEmsp(api, emsp);
  for (const status of ['Preparing', 'Charging', 'SuspendedEV', 'Finishing'])
    await setStatus(api, charger.id, status);
  const [events] = await sql<
    { count: number }[]
  >`select count(*)::integer from outbox where type = 'evse.updated' and network_id = ${api.network.id}
      and not (internal -> 'isWhole')::boolean`;
  t.equal(events?.count, 4, 'a change writes one event');
  startPusher(t, api);
  await emsp.next('PATCH', locations);
  await settled(api);
  t.equal(pushed(emsp, 'locations').length, 1);

  // One that changes while it is on its way is sent again, after its answer and not alongside it.
  const answers: unknown[] = [];
  emsp.react(locations, ({ body }) => {
    answers.push(body['status']);
    return { body: enveloped(), delayMs: 150 };
  });
  await setStatus(api, charger.id, 'Charging');
  await until('it is on its way', () => Promise.resolve(answers.length === 1));
  // Both at once: between them a slow machine might send the first.
  await sql.begin(async (transaction) => {
    for (const status of ['Faulted', 'Available']) {
      await transaction`
        update connectors set status = ${status}, updated_at = now() where charger_id = ${charger.id} and number = 1`;
    }
  });
  await settled(api);
  t.strictSame(answers, ['CHARGING', 'AVAILABLE']);
});

void t.test('sends queued pushes on a notification without queueing', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const { charger } = await seedPlace(api);
  const emsp = await startEmsp(t);
  await registerEmsp(api, emsp);
  // Else processes that queue would keep each other awake for as long as anything changes.
  startPusher(t, api, { everyMs: 600_000 });
  await queueChanges(sql, 1000);
  await setStatus(api, charger.id, 'Charging', 1);
  await setStatus(api, charger.id, 'Charging', 2);
  t.equal(await queueChanges(sql, 1), true);
  await until('the push', async () => {
    await sql.notify(pushChannel, '');
    return (await owed(api)) === 0;
  });
  t.equal(await marked(api), 1, 'the other one waits for the next look');
  await queueChanges(sql, 1000);
  await settled(api);
  t.equal(pushed(emsp, 'locations').length, 2);
});

void t.test('queues nothing for networks without partners and partners without a receiver', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const lonely = await seedPlace(api, (await seedNetwork(sql)).id);
  const emsp = await startEmsp(t);
  emsp.endpoints = emsp.endpoints.filter(({ identifier }) => identifier !== 'locations');
  const { id } = await registerEmsp(api, emsp);
  await setStatus(api, lonely.charger.id, 'Charging');
  await queueChanges(sql, 1000);
  t.equal(await owed(api), 0, 'no partner receives pushes');
  const own = await seedPlace(api);
  await setStatus(api, own.charger.id, 'Charging');
  t.ok((await marked(api)) > 0);
  await queueChanges(sql, 1000);
  t.equal(await owed(api), 0);
  const key = await mintKey(api);
  const payload = { modules: ['locations'] };
  const resync = await api.call(key, { method: 'POST', url: `/cpms/v1/ocpi-partners/${id}/resync`, payload });
  t.match(resync, { status: 202, json: { data: { queued: 0 } } });
});

void t.test('a partner is sent no more in a second than its rate, by all processes together', async (t) => {
  const api = await inNetwork(shared);
  const emsp = await startEmsp(t);
  await registerEmsp(api, emsp);
  await Promise.all(Array.from({ length: 15 }, () => seedPlace(api)));
  await queueChanges(api.stores.sql, 1000);
  const begun = performance.now();
  const slow = { perSecond: 40, burst: 10 };
  startPusher(t, api, slow);
  startPusher(t, api, slow);
  await settled(api);
  const sent = pushed(emsp, 'locations').length;
  const seconds = (performance.now() - begun) / 1000;
  t.ok(sent >= 45, String(sent));
  t.ok(sent <= slow.burst + slow.perSecond * seconds, `${sent} in ${seconds} s`);
});

void t.test('claims no more pushes than requested under any query plan', async (t) => {
  const api = await inNetwork(shared);
  await registerEmsp(api, await startEmsp(t));
  await Promise.all(Array.from({ length: 4 }, () => seedPlace(api)));
  await queueChanges(api.stores.sql, 1000);
  const [partner] = await api.stores.sql<{ id: number }[]>`
    select partner_id as id from ocpi_pushes order by id desc limit 1`;
  const slowest = ['enable_hashjoin', 'enable_mergejoin', 'enable_hashagg', 'enable_sort', 'enable_material'];
  const url = new URL(api.stores.databaseUrl);
  for (const way of slowest) url.searchParams.set(way, 'off');
  const sql = openPostgres(url.href, { name: 'test', connections: 1 });
  t.teardown(() => sql.end());
  const claimed = await claimPushes(sql, partner?.id ?? 0, { ...pushPolicy, sideBySide: 2 });
  t.equal(claimed.length, 2);
});

void t.test("sends changed objects again on a resync, to the operator's own partners", async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const { location, charger } = await seedPlace(api);
  const tariff = await seedTariff(sql, api.network.id);
  const emsp = await startEmsp(t);
  const { id } = await registerEmsp(api, emsp);
  const session = await seedSession(api, id, charger.id);
  startPusher(t, api);
  await settled(api);
  emsp.received.length = 0;
  const resync = (payload: object, by: string | null = key) =>
    api.call(by, { method: 'POST', url: `/cpms/v1/ocpi-partners/${id}/resync`, payload });
  t.match(await resync({}), { status: 202, json: { data: { queued: 3 } } });
  await settled(api);
  t.same(
    emsp.received.map(({ method, path }) => `${method} ${path}`).toSorted(),
    [
      `locations/NL/CWY/${location.uuid}`,
      `sessions/NL/CWY/${session.uuid}`,
      `tariffs/NL/CWY/${tariff.uuid}`,
    ].map((path) => `PUT /ocpi/emsp/2.2.1/${path}`),
  );
  const since = new Date(Date.now() + 60_000).toISOString();
  t.match(await resync({ since }), { status: 202, json: { data: { queued: 0 } } });
  t.match(await resync({ modules: ['tariffs'] }), { status: 202, json: { data: { queued: 1 } } });
  for (const wrong of [{ modules: [] }, { modules: ['tokens'] }, { since: 'yesterday' }, { all: true }]) {
    t.equal((await resync(wrong)).status, 400, JSON.stringify(wrong));
  }
  const [entry] = await sql`
    select details from audit_log where action = 'resync' and resource_id = ${id} order by id limit 1`;
  t.match(entry, { details: { after: { queued: 3 } } });

  t.equal((await resync({}, null)).status, 401);
  t.equal((await resync({}, await mintKey(api, { scopes: ['cpms:read:ocpi-partners'] }))).status, 403);
  t.equal((await resync({}, await mintKey(api, { networkIds: [api.otherNetwork.id] }))).status, 404);
});
