import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { makeDueCdrs } from '#api/jobs/cdrs.job.ts';
import { authorizeAtPartner } from '#api/services/roaming/real-time-authorization.ts';
import type { CdrToken } from '#shared/domain/roaming/roaming.ts';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';
import { accepted, holdCharger, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { endSession } from '#api/test/support/records.ts';
import { ocpiVersions } from '#shared/domain/roaming/ocpi.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { type Emsp, enveloped, startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { addPlace, uidOf } from './support/places.ts';
import { inNetwork, setStatus, settled, startPusher } from './support/pushing.ts';
import { startRoamingSession } from './support/roaming-session.ts';
import { misfits, type Shape } from './support/standard/shape.ts';
import { type Dialect, dialects } from './support/versions/dialects.ts';
import { until } from '#shared/testing/until.ts';

const shared = await startTestApi(t);
const log = createLogger('test', 'silent');
startQueuedJobs(t, shared.deps);
const taken = await holdCharger(shared, 'version-test', () => accepted);

/** A network with a charger at a published location, and a partner that speaks a version. */
async function startNetwork(t: Test, { version }: Dialect) {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  await sql`update networks set support_phone = '+31 10 123 4567' where id = ${api.network.id}`;
  const emsp = await startEmsp(t);
  emsp.versions = [version];
  const { location, charger } = await addPlace(api);
  const { id, token } = await registerEmsp(api, emsp, { version });
  const get = async (path: string, as: string | null = token) =>
    ocpi(api, as, { url: `/ocpi/cpo/${version}/${path}` });
  return { api, sql, emsp, location, charger, id, token, get };
}

/** Verifies that each object of a list has the shape of its class. */
function fits(t: Test, objects: unknown, shape: Shape, name: string): void {
  const list = Array.isArray(objects) ? objects : [objects];
  t.not(list.length, 0, `there is a ${name}`);
  for (const object of list) t.strictSame(misfits(object, shape), [], name);
}

for (const dialect of dialects) {
  const { version, shapes } = dialect;
  const at = (module: string) => `/ocpi/emsp/${version}/${module}`;

  void t.test(`OCPI ${version}: registers and lists its modules`, async (t) => {
    const { api, emsp, token } = await startNetwork(t, dialect);
    const listed = (await ocpi(api, token, { url: '/ocpi/versions' })).json['data'];
    const urls = ocpiVersions.map((name) => ({ version: name, url: `http://chargeway.test/ocpi/${name}` }));
    t.strictSame(listed, urls as never);
    const details = (await ocpi(api, token, { url: `/ocpi/${version}` })).json['data'];
    fits(t, details, shapes.VersionDetails, 'version');
    const ours = (await ocpi(api, token, { url: `/ocpi/${version}/credentials` })).json['data'];
    fits(t, ours, shapes.Credentials, 'credentials');
    t.match(
      emsp.received.map(({ path }) => path),
      ['/ocpi/versions', `/ocpi/${version}`],
    );
  });

  void t.test(`OCPI ${version}: serves objects in the form of its standard`, async (t) => {
    const { api, sql, location, charger, id, get } = await startNetwork(t, dialect);
    const tariff = await seedTariff(sql, api.network.id);
    const limit = sql.json({ excl_vat: '1.00', incl_vat: '1.21' });
    await sql`update tariffs set min_price = ${limit}, max_price = ${limit} where uuid = ${tariff.uuid}`;
    const session = await startRoamingSession(api, charger.uuid, id);
    const uid = await uidOf(sql, charger.id);
    const data = async (path: string) => (await get(path)).json['data'];
    fits(t, await data('locations'), shapes.Location, 'location');
    fits(t, await data(`locations/${location.uuid}`), shapes.Location, 'location');
    fits(t, await data(`locations/${location.uuid}/${uid}`), shapes.Evse, 'EVSE');
    fits(t, await data(`locations/${location.uuid}/${uid}/1`), shapes.Connector, 'connector');
    fits(t, await data('tariffs'), shapes.Tariff, 'tariff');
    t.match(await data('tariffs'), [{ id: tariff.uuid }]);
    fits(t, await data('sessions'), shapes.Session, 'session');
    t.match(await data('sessions'), [{ id: session.uuid, status: 'ACTIVE' }]);
    await endSession(sql, session, 10_000);
    await makeDueCdrs({ ...api.deps, log });
    fits(t, await data('sessions'), shapes.Session, 'ended session');
    fits(t, await data('cdrs'), shapes.Cdr, 'CDR');
  });

  void t.test(`OCPI ${version}: sends objects in the form of its standard`, async (t) => {
    const { api, sql, emsp, location, charger, id } = await startNetwork(t, dialect);
    startPusher(t, api);
    const uid = await uidOf(sql, charger.id);
    const next = async (method: string, path: string) => (await emsp.next(method, path)).body;
    await sql`update locations set name = 'Quay' where id = ${location.id}`;
    fits(t, await next('PUT', at(`locations/NL/CWY/${location.uuid}`)), shapes.Location, 'location');
    await sql`update evses set floor_level = '2' where uid = ${uid}`;
    fits(t, await next('PUT', at(`locations/NL/CWY/${location.uuid}/${uid}`)), shapes.Evse, 'EVSE');
    await settled(api);
    await setStatus(api, charger.id, 'Charging');
    t.match(await next('PATCH', at(`locations/NL/CWY/${location.uuid}/${uid}`)), {
      status: 'CHARGING',
      last_updated: String,
    });
    const tariff = await seedTariff(sql, api.network.id);
    fits(t, await next('PUT', at(`tariffs/NL/CWY/${tariff.uuid}`)), shapes.Tariff, 'tariff');
    const session = await startRoamingSession(api, charger.uuid, id);
    fits(t, await next('PUT', at(`sessions/NL/CWY/${session.uuid}`)), shapes.Session, 'session');
    await endSession(sql, session, 10_000);
    // A look finds nothing while another process gives the event its position.
    await until('the CDR', async () => {
      await makeDueCdrs({ ...api.deps, log });
      return (await sql`select from cdrs`).length > 0;
    });
    fits(t, await next('POST', at('cdrs')), shapes.Cdr, 'CDR');
  });

  void t.test(`OCPI ${version}: stores tokens and carries out commands`, async (t) => {
    const { api, emsp, location, charger, id, token, get } = await startNetwork(t, dialect);
    const { uid, type } = dialect.token as { uid: string; type: string };
    const path = `tokens/DE/EMS/${uid}?type=${type}`;
    const send = (method: 'PUT' | 'PATCH' | 'POST', to: string, payload: object) =>
      ocpi(api, token, { method, url: `/ocpi/cpo/${version}/${to}`, payload });
    t.match(await send('PUT', path, dialect.token), { status: 201, json: { status_code: 1000 } });
    const stored = (await get(path)).json['data'];
    t.strictSame(stored, dialect.token);
    fits(t, stored, shapes.Token, 'token');
    const patch = { valid: false, last_updated: '2026-01-02T00:00:00.000Z' };
    t.match(await send('PATCH', path, patch), { status: 200, json: { status_code: 1000 } });
    t.strictSame((await get(path)).json['data'], { ...dialect.token, ...patch });

    emsp.react(`/ocpi/emsp/${version}/tokens/${uid}/authorize`, { body: enveloped({ allowed: 'ALLOWED' }) });
    t.match(await authorize(api, charger.id, id), { status: 'Accepted' });
    const asked = await emsp.next('POST', `/ocpi/emsp/${version}/tokens/${uid}/authorize?type=${type}`);
    t.match(asked.body, { location_id: location.uuid });

    await api.shard.presence.claim(charger.uid, randomUUID());
    const { json } = await send('POST', 'commands/START_SESSION', {
      response_url: `${emsp.url}/results/1`,
      token: dialect.token,
      location_id: location.uuid,
    });
    t.match(json, { status_code: 1000, data: { result: 'ACCEPTED' } });
    fits(t, json['data'], shapes.CommandResponse, 'command response');
    const { body } = await emsp.next('POST', '/results/1');
    t.match(body, { result: 'ACCEPTED' });
    fits(t, body, shapes.CommandResult, 'command result');
    t.match(taken.at(-1), { command: { type: 'remote-start', idToken: uid } });
  });

  void t.test(`OCPI ${version}: keeps objects from strangers and other partners`, async (t) => {
    const { api, charger, id, get, location } = await startNetwork(t, dialect);
    await startRoamingSession(api, charger.uuid, id);
    const party = { countryCode: 'FR', partyId: 'OTH' };
    const otherEmsp = await registerEmsp(api, await emspOf(t, version, party), { version, party });
    const away = await inNetwork(shared);
    const foreign = await registerEmsp(away, await emspOf(t, version), { version });
    for (const path of ['locations', 'tariffs', 'sessions', 'cdrs', `locations/${location.uuid}`]) {
      t.equal((await get(path, null)).status, 401, `${path} without a token`);
    }
    t.strictSame((await get('sessions', otherEmsp.token)).json['data'], [], 'of another partner');
    for (const path of ['locations', 'tariffs', 'sessions']) {
      t.strictSame((await get(path, foreign.token)).json['data'], [], `${path} of another network`);
    }
    t.equal((await get(`locations/${location.uuid}`, foreign.token)).status, 404);
  });
}

/** Requests the authorization of the partner's stored token at a charger, as the gateway does. */
async function authorize(api: TestApi, chargerId: number, partnerUuid: string) {
  const [stored] = await api.stores.sql<{ partnerId: number; token: CdrToken }[]>`
    select k.partner_id as "partnerId", jsonb_build_object('country_code', k.country_code, 'party_id', k.party_id,
      'uid', k.uid, 'type', k.type, 'contract_id', k.contract_id) as token
    from ocpi_tokens k join ocpi_partners p on p.id = k.partner_id where p.uuid = ${partnerUuid}`;
  if (stored === undefined) throw new Error('no token');
  return authorizeAtPartner(api.deps, { ...stored, groupId: null, chargerId, evse: null });
}

async function emspOf(t: Test, version: string, party?: Parameters<typeof startEmsp>[1]): Promise<Emsp> {
  const emsp = await startEmsp(t, party);
  emsp.versions = [version];
  return emsp;
}
