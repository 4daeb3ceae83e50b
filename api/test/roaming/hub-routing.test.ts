import t from 'tap';
import { makeDueCdrs } from '#api/jobs/cdrs.job.ts';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';
import {
  accepted,
  holdCharger,
  items,
  type Json,
  mintKey,
  startTestApi,
} from '#api/test/support/fixtures.ts';
import type { CommandRequest } from '#shared/domain/commands/commands.ts';
import { keepsReservations, inAnHour } from './support/command-rig.ts';
import {
  cardOf,
  french,
  from,
  italian,
  putCard,
  registerHub,
  reportClient,
  sessionOf,
  to,
} from './support/hub.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { startEmsp } from './support/emsp.ts';
import {
  inNetwork,
  locations,
  owed,
  pushed,
  pushState,
  seedCdr,
  seedPlace,
  settled,
  startPusher,
} from './support/pushing.ts';
import { addLocation, endSession } from '#api/test/support/records.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { addRoamingCharger, cdrToken, startRoamingSession } from './support/roaming-session.ts';

const shared = await startTestApi(t);
const text = (json: Json | undefined) => json as unknown as string;
const commandUrl = '/ocpi/cpo/2.2/commands/c1';
const hubItself = { country_code: 'NL', party_id: 'HUB' };
const sessions = '/ocpi/emsp/2.2.1/sessions/NL/CWY';
const cdrs = '/ocpi/emsp/2.2.1/cdrs';

/** Token of an app of a party. */
const app = (party: typeof french, uid = 'APP-1') => ({
  ...party,
  uid,
  type: 'APP_USER',
  contract_id: 'C1',
});

void t.test('addresses sessions and CDRs to the party of the token, and the rest to the hub', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const { id, hub } = await registerHub(t, api);
  const { charger } = await seedPlace(api);
  const session = await sessionOf(api, id, charger.id, french);
  await seedCdr(api, session.id);
  const [tariff] = await sql<{ id: number; uuid: string }[]>`
    insert into tariffs (network_id, name, currency, elements) values (${api.network.id}, 'T', 'EUR', '[]') returning id, uuid`;
  const assignment = { tariff_id: tariff?.id ?? 0, network_id: api.network.id };
  await sql`insert into tariff_assignments ${sql(assignment)}`;
  startPusher(t, api);
  t.match(await hub.next('PUT', `${sessions}/${session.uuid}`), to(french));
  t.match(await hub.next('POST', cdrs), to(french));
  t.match(await hub.next('PUT', locations), to(hubItself), 'a broadcast push');
  t.match(await hub.next('PUT', '/ocpi/emsp/2.2.1/tariffs/NL/CWY'), to(hubItself));

  await sql`update tariff_assignments set withdrawn_at = now(), is_active = false where tariff_id = ${tariff?.id ?? 0}`;
  const removal = await hub.next('DELETE', '/ocpi/emsp/2.2.1/tariffs/NL/CWY');
  t.match(removal.headers, { 'ocpi-from-party-id': 'CWY', 'ocpi-to-party-id': undefined }, 'openly routed');
});

void t.test('shows a party behind a hub its own sessions and CDRs only', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const { id, token } = await registerHub(t, api);
  const charger = await addRoamingCharger(api, api.network.id, (await addLocation(sql, api.network.id)).id);
  await seedTariff(sql, api.network.id);
  const charge = async (party: typeof french) => {
    const session = await startRoamingSession(api, charger.uuid, id, { token: { ...cdrToken, ...party } });
    await endSession(sql, session, 5000);
    return session.uuid;
  };
  const [own, other] = [await charge(french), await charge(italian)];
  await makeDueCdrs({ ...api.deps, log: createLogger('test', 'silent') });
  const get = (path: string, headers: Record<string, string> = from(french)) =>
    ocpi(api, token, { url: `/ocpi/cpo/2.2.1/${path}`, headers });
  const list = async (path: string, headers?: Record<string, string>) => {
    const { json, headers: answered } = await get(path, headers);
    const data = items(json['data']);
    t.equal(answered['x-total-count'], String(data.length));
    return data.map((object) => text(object[path === 'cdrs' ? 'session_id' : 'id']));
  };
  for (const path of ['sessions', 'cdrs']) {
    t.strictSame(await list(path), [own]);
    t.strictSame(await list(path, from(hubItself)), [own, other]);
    t.strictSame(await list(path, {}), [own, other]);
  }
  t.equal((await get(`sessions/${own}`)).status, 200);
  t.equal((await get(`sessions/${other}`)).status, 404);
  const [ownCdr, otherCdr] = items((await get('cdrs', {})).json['data']).map((cdr) => text(cdr['id']));
  t.equal((await get(`cdrs/${ownCdr}`)).status, 200);
  t.equal((await get(`cdrs/${otherCdr}`)).status, 404);
  const payload = { authorizationReference: 'MINE' };
  const url = `/ocpi/cpo/2.2/sessions/NL/CWY/${other}`;
  t.equal((await ocpi(api, token, { method: 'PATCH', url, payload, headers: from(french) })).status, 404);
});

void t.test('lets a hub write locations by its scope, and no party behind it', async (t) => {
  const api = await inNetwork(shared);
  const { token } = await registerHub(t, api, { writeScopes: ['locations'] });
  const { location } = await seedPlace(api);
  const write = (headers: Record<string, string>) =>
    ocpi(api, token, {
      method: 'PATCH',
      url: `/ocpi/cpo/2.2/locations/${location.uuid}`,
      payload: { name: 'Quay', lastUpdated: new Date().toISOString() },
      headers,
    });
  t.match(await write(from(french)), { status: 403, json: { status_message: /OCPI_WRITE_NOT_GRANTED/ } });
  t.match(await write({}), { status: 200 });
});

void t.test('the commands of parties behind a hub', async (t) => {
  const api = await startTestApi(t);
  const { id, token, hub } = await registerHub(t, api);
  const { location, charger, evses } = await seedPlace(api);
  const taken: CommandRequest[] = await holdCharger(api, charger.uid, (request) =>
    request.command.type === 'reserve-now' || request.command.type === 'cancel-reservation'
      ? keepsReservations(api.stores.sql, charger.id)(request)
      : accepted,
  );
  startQueuedJobs(t, api.deps);
  const place = { location_id: location.uuid, evse_uid: evses[0]?.uid };
  const send = (name: string, body: object, headers: Record<string, string> = {}) =>
    ocpi(api, token, {
      method: 'POST',
      url: `/ocpi/cpo/2.2.1/commands/${name}`,
      headers,
      payload: { response_url: `${hub.url}/results/${name}/${taken.length}`, ...body },
    });
  const yes = { json: { data: { result: 'ACCEPTED' } } };
  const session = await sessionOf(api, id, charger.id, french);

  await t.test('reach the sessions of the party only', async (t) => {
    const body = { session_id: session.uuid };
    t.match(await send('STOP_SESSION', body, from(italian)), {
      json: { data: { result: 'UNKNOWN_SESSION' } },
    });
    t.equal(taken.length, 0);
    t.match(await send('STOP_SESSION', body, from(french)), yes);
    t.match(await hub.next('POST', '/results/STOP_SESSION'), to(french));
    const profile = { response_url: `${hub.url}/results/profile`, duration: '60' };
    const url = `/ocpi/cpo/2.2.1/chargingprofiles/${session.uuid}?${new URLSearchParams(profile).toString()}`;
    t.match(await ocpi(api, token, { url, headers: from(italian) }), {
      json: { data: { result: 'UNKNOWN_SESSION' } },
    });
  });

  await t.test('start sessions of tokens of the party only', async (t) => {
    const body = { ...place, token: app(italian) };
    t.match(await send('START_SESSION', body, from(french)), {
      json: { status_code: 2001, status_message: /you are not IT-EMP/ },
    });
    t.match(await send('START_SESSION', body, from(italian)), yes);
    t.match(await hub.next('POST', '/results/START_SESSION'), to(italian));
    const { party_id: _party, country_code: _country, ...unnamed } = app(french, 'APP-2');
    t.match(await send('START_SESSION', { ...place, token: unnamed }, from(french)), yes);
    t.match(await hub.next('POST', '/results/START_SESSION'), to(french));
    const [word] = await api.stores.sql`select token from ocpi_authorizations where token_uid = 'APP-2'`;
    t.match(word, { token: french }, 'a token without a party is of the requesting one');
  });

  await t.test('are answered at the party of the token when the hub does not name one', async (t) => {
    t.match(await send('START_SESSION', { ...place, token: app(french, 'APP-3') }), yes);
    t.match(await hub.next('POST', '/results/START_SESSION'), to(french));
  });

  await t.test(
    'show the charger another token where the uid is of another party behind the hub',
    async (t) => {
      await putCard(api, token, cardOf(french, 'SHARED'));
      t.match(await send('START_SESSION', { ...place, token: app(italian, 'SHARED') }, from(italian)), yes);
      await until('the start', () => Promise.resolve(taken.length === 5));
      t.match(taken.at(-1)?.command, { type: 'remote-start', idToken: /^[0-9A-F]{20}$/ });
    },
  );

  await t.test('cancel the reservations of the party only', async (t) => {
    const body = { ...place, token: app(french), reservation_id: 'R1', expiry_date: inAnHour() };
    t.match(await send('RESERVE_NOW', body, from(french)), yes);
    await hub.next('POST', '/results/RESERVE_NOW');
    const rejected = { json: { data: { result: 'REJECTED' } } };
    t.match(await send('CANCEL_RESERVATION', { reservation_id: 'R1' }, from(italian)), rejected);
    t.match(await send('CANCEL_RESERVATION', { reservation_id: 'R1' }, from(french)), yes);
  });

  await t.test('have identifiers that another party behind the hub cannot read or repeat', async (t) => {
    const url = '/ocpi/cpo/2.2/commands/UNLOCK_CONNECTOR/c1';
    const payload = { ...place, connector_id: '1', response_url: `${hub.url}/results/unlock` };
    const unlock = (headers: Record<string, string>) =>
      ocpi(api, token, { method: 'POST', url, payload, headers });
    t.match(await unlock(from(french)), yes);
    t.match(await unlock(from(italian)), { json: { status_code: 2001 } });
    t.equal((await ocpi(api, token, { url: commandUrl, headers: from(italian) })).status, 404);
    t.equal((await ocpi(api, token, { url: commandUrl, headers: from(french) })).status, 200);
  });

  await t.test('are refused for tokens of a suspended party', async (t) => {
    await reportClient(api, token, italian, 'SUSPENDED');
    t.match(await send('START_SESSION', { ...place, token: app(italian) }, from(italian)), {
      json: { status_code: 2001, status_message: /IT-EMP is, by your hubclientinfo/ },
    });
  });
});

void t.test('keeps the CDRs of a party that is offline until it is connected', async (t) => {
  const api = await inNetwork(shared);
  const { id, token, hub } = await registerHub(t, api);
  const { charger } = await seedPlace(api);
  t.match(await reportClient(api, token, french, 'OFFLINE'), { status: 200 });
  const session = await sessionOf(api, id, charger.id, french);
  await seedCdr(api, session.id);
  // The pause of a second refusal would hide whether the report wakes the CDR.
  startPusher(t, api, { retry: { firstMs: 3_600_000, longestMs: 3_600_000 } });
  await until(
    'nothing but the CDR waits',
    async () => (await owed(api)) === 1 && pushed(hub, 'locations').length > 0,
  );
  t.strictSame([...pushed(hub, 'sessions'), ...pushed(hub, 'cdrs')], []);
  const key = await mintKey(api);
  t.match(await pushState(api, key, id), { waiting: 1, lagSeconds: 0, failed: 0, breaker: 'CLOSED' });
  await reportClient(api, token, french, 'CONNECTED');
  t.match(await hub.next('POST', cdrs), to(french));
  await settled(api);
});

void t.test('sends only the CDRs of a party when it is connected again', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const { id, token, hub } = await registerHub(t, api);
  const { charger } = await seedPlace(api);
  const ids: string[] = [];
  for (const party of [french, italian]) {
    await reportClient(api, token, party, 'SUSPENDED');
    ids.push(await seedCdr(api, (await sessionOf(api, id, charger.id, party)).id));
  }
  startPusher(t, api);
  const waiting = () => sql<{ id: string; dueAt: string; isLong: boolean }[]>`
    select d.ocpi_id as id, q.due_at::text as "dueAt", q.due_at > now() + interval '50 minutes' as "isLong"
    from ocpi_pushes q join cdrs d on d.id = q.object_id
    where q.object = 'cdr' and d.ocpi_id = any(${ids}) and q.is_deferred and q.claimed_until is null`;
  await until('both CDRs wait', async () => (await waiting()).length === 2);
  const before = await waiting();
  t.ok(
    before.every(({ isLong }) => isLong),
    'longer than by the pause of this pusher',
  );
  await reportClient(api, token, italian, 'CONNECTED');
  t.match(await hub.next('POST', cdrs), { ...to(italian), body: { id: ids[1] } });
  await until('the other CDR waits', async () => (await owed(api)) === 1);
  t.strictSame(
    [...(await waiting())],
    before.filter(({ id }) => id === ids[0]),
    'as before',
  );
});

void t.test('addresses a partner that is no hub as before', async (t) => {
  const api = await inNetwork(shared);
  const emsp = await startEmsp(t);
  const { id } = await registerEmsp(api, emsp);
  const { charger } = await seedPlace(api);
  const session = await sessionOf(api, id, charger.id, french);
  startPusher(t, api);
  t.match(await emsp.next('PUT', `${sessions}/${session.uuid}`), to({ country_code: 'DE', party_id: 'EMS' }));
});
