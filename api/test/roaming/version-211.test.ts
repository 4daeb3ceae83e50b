import t from 'tap';
import { makeDueCdrs } from '#api/jobs/cdrs.job.ts';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';
import { pullTokens } from '#api/services/roaming/pulled-lists.ts';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { endSession } from '#api/test/support/records.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { enveloped, startEmsp } from './support/emsp.ts';
import { flatCredentialsOf, makePartner, ocpi, registerEmsp } from './support/partner.ts';
import { addPlace, uidOf } from './support/places.ts';
import { inNetwork, settled, startPusher } from './support/pushing.ts';
import { startRoamingSession } from './support/roaming-session.ts';
import { misfits } from './support/standard/shape.ts';
import { exampleOf } from './support/versions/examples.ts';
import { Cdr, Location } from './support/versions/shapes-211.ts';

const shared = await startTestApi(t);
startQueuedJobs(t, shared.deps);

async function startPartner(t: Parameters<typeof startEmsp>[0]) {
  const api = await inNetwork(shared);
  const emsp = await startEmsp(t);
  emsp.versions = ['2.1.1'];
  const { id, token } = await registerEmsp(api, emsp, { version: '2.1.1' });
  const get = (path: string) => ocpi(api, token, { url: `/ocpi/cpo/2.1.1/${path}` });
  const data = async (path: string) => (await get(path)).json['data'];
  return { api, sql: api.stores.sql, emsp, id, token, get, data };
}

void t.test('stores and returns the token of the example of the standard', async (t) => {
  const { api, token, data } = await startPartner(t);
  const card = exampleOf('211', 'token');
  const url = `/ocpi/cpo/2.1.1/tokens/DE/EMS/${String(card['uid'])}`;
  t.match(await ocpi(api, token, { method: 'PUT', url, payload: card }), { json: { status_code: 1000 } });
  t.strictSame(await data('tokens/DE/EMS/012345678'), { ...card, last_updated: '2015-06-29T22:39:09.000Z' });
});

void t.test('registers, renews and unregisters with the credentials of one party', async (t) => {
  const api = await inNetwork(shared);
  const emsp = await startEmsp(t);
  emsp.versions = ['2.1.1'];
  const { registrationToken } = await makePartner(api);
  const exchange = (token: string, method: 'POST' | 'PUT' | 'DELETE', payload?: object, end = '') =>
    ocpi(api, token, { method, url: `/ocpi/2.1.1/credentials${end}`, ...(payload && { payload }) });
  const good = flatCredentialsOf(emsp);
  const { party_id: _party, ...nameless } = good;
  t.match(await exchange(registrationToken, 'POST', nameless), {
    status: 400,
    json: { status_code: 2001, status_message: /party_id/ },
  });
  t.match((await exchange(registrationToken, 'POST', { ...good, party_id: 'XYZ' })).json, {
    status_code: 2001,
    status_message: /OCPI_PARTY_NOT_GRANTED/,
  });
  const registered = await exchange(registrationToken, 'POST', good);
  t.match(registered.json, {
    status_code: 1000,
    data: { party_id: 'CWY', country_code: 'NL', token: String },
  });
  t.match(emsp.received.at(-1)?.headers, { authorization: `Token ${emsp.token}` });
  const token = registered.json['data']?.['token'] as unknown as string;
  t.equal((await exchange(token, 'POST', good)).status, 405);
  const renewed = (await exchange(token, 'PUT', { token: emsp.token })).json['data'];
  const next = renewed?.['token'] as unknown as string;
  t.equal((await ocpi(api, token, { url: '/ocpi/versions' })).status, 401);
  t.equal((await exchange(next, 'DELETE', undefined, '/DE/XYZ')).status, 404, 'another party');
  t.match(await exchange(next, 'DELETE'), { status: 200, json: { status_code: 1000 } });
  t.equal((await ocpi(api, next, { url: '/ocpi/versions' })).status, 401);
});

void t.test('sends the token as it is and no routing headers', async (t) => {
  const { api, emsp } = await startPartner(t);
  startPusher(t, api);
  const { location } = await addPlace(api);
  const { headers } = await emsp.next('PUT', `/ocpi/emsp/2.1.1/locations/NL/CWY/${location.uuid}`);
  t.equal(headers.authorization, `Token ${emsp.token}`);
  t.notOk('ocpi-from-party-id' in headers);
});

void t.test('stores the tokens of a list as those of the partner', async (t) => {
  const { emsp, api, data } = await startPartner(t);
  const card = {
    uid: 'CARD',
    type: 'RFID',
    auth_id: 'DE-EMS-1',
    issuer: 'eMSP',
    valid: true,
    whitelist: 'ALLOWED',
    last_updated: '2026-01-01T00:00:00.000Z',
  };
  emsp.react('/ocpi/emsp/2.1.1/tokens', {
    body: enveloped([card, { ...card, uid: 'BAD', auth_id: undefined }]),
  });
  await pullTokens(api.deps);
  t.strictSame(await data('tokens/DE/EMS/CARD'), card);
  t.match(await data('tokens/DE/EMS/BAD'), undefined);
});

void t.test('credits a CDR with a negative total and a remark', async (t) => {
  const { api, sql, id, data } = await startPartner(t);
  const { charger } = await addPlace(api);
  await seedTariff(sql, api.network.id, [
    { price_components: [{ type: 'ENERGY', price: '0.3000', vat: '21', step_size: 1 }] },
  ]);
  const session = await startRoamingSession(api, charger.uuid, id, { authMethod: 'COMMAND' });
  const location = { evses: [{ connectors: [{ voltage: 230, amperage: 32 }] }] };
  t.match(await data('sessions'), [{ auth_id: 'DE8ACC12E46L89', auth_method: 'AUTH_REQUEST', location }]);
  await endSession(sql, session, 10_000);
  const make = () => makeDueCdrs({ ...api.deps, log: createLogger('test', 'silent') });
  await make();
  const payload = { cost: { exclVat: 2, inclVat: 2.42 }, reason: 'The meter was wrong.' };
  const key = await mintKey(api);
  await api.call(key, { method: 'POST', url: `/cpms/v1/sessions/${session.uuid}/amend`, payload });
  await make();
  const cdrs = (await data('cdrs')) as unknown as { id: string }[];
  t.match(cdrs, [
    { total_cost: 3, tariffs: [{ elements: [{ price_components: [{ price: 0.3 }] }] }] },
    { total_cost: -3, remark: `Credit of CDR ${cdrs[0]?.id}` },
    { total_cost: 2 },
  ]);
  for (const cdr of cdrs) t.strictSame(misfits(cdr, Cdr), []);
  t.equal(new Set(cdrs.map(({ id: cdrId }) => cdrId)).size, 3);
});

void t.test('leaves out what it cannot express', async (t) => {
  const { api, sql, data, get } = await startPartner(t);
  const { location, charger } = await addPlace(api, { evses: 2 });
  await sql`update connectors set standard = 'GBT_DC' where charger_id = ${charger.id} and number = 2`;
  const mix = { isGreenEnergy: false, environmentalImpacts: [{ category: 'CARBON_DIOXIDE', amount: 372 }] };
  await sql`
    update locations set facilities = '{CAFE,BIKE_SHARING}', parking_type = 'ON_DRIVEWAY', postal_code = null,
      energy_mix = ${sql.json(mix)} where id = ${location.id}`;
  const served = (await data(`locations/${location.uuid}`)) as unknown as { evses: object[] };
  t.strictSame(misfits(served, Location), []);
  t.match(served, {
    type: 'OTHER',
    facilities: ['CAFE'],
    postal_code: 'Unknown',
    energy_mix: { environ_impact: [{ source: 'CARBON_DIOXIDE', amount: 372 }] },
    evses: [{ uid: await uidOf(sql, charger.id), connectors: [{ voltage: 230, amperage: 32 }] }],
  });
  t.equal(served.evses.length, 1, '2.1.1 has no GB/T connectors');
  await seedTariff(sql, api.network.id, [
    {
      price_components: [{ type: 'TIME', price: '1.0000', step_size: 60 }],
      restrictions: { max_current: 16 },
    },
  ]);
  t.strictSame(await data('tariffs'), [], 'a tariff by current');
  for (const path of ['sessions/x', 'cdrs/x', 'chargingprofiles/x'])
    t.equal((await get(path)).status, 404, path);
});

void t.test('sends the EVSEs of an unpublished location as removed', async (t) => {
  const { api, sql, emsp } = await startPartner(t);
  startPusher(t, api);
  const { location } = await addPlace(api);
  const path = `/ocpi/emsp/2.1.1/locations/NL/CWY/${location.uuid}`;
  await emsp.next('PUT', path);
  await settled(api);
  emsp.received.length = 0;
  await sql`update locations set is_published = false where id = ${location.id}`;
  const { body } = await emsp.next('PUT', path);
  t.strictSame(misfits(body, Location), []);
  t.match(body, { evses: [{ status: 'REMOVED' }] });
});

void t.test('takes a reservation by number, and answers with one field', async (t) => {
  const { api, emsp, token } = await startPartner(t);
  const { location } = await addPlace(api);
  const send = (command: string, payload: object) =>
    ocpi(api, token, {
      method: 'POST',
      url: `/ocpi/cpo/2.1.1/commands/${command}`,
      payload: { response_url: `${emsp.url}/results`, ...payload },
    });
  const expiry = new Date(Date.now() + 3_600_000).toISOString();
  const card = { uid: 'CARD', type: 'RFID', auth_id: 'DE-EMS-1' };
  const place = { token: card, location_id: location.uuid, expiry_date: expiry };
  const rejected = await send('RESERVE_NOW', { ...place, reservation_id: 17 });
  t.strictSame(rejected.json['data'], { result: 'REJECTED' } as never, 'its charger is not connected');
  t.match(await send('RESERVE_NOW', { ...place, reservation_id: 'a' }), {
    status: 200,
    json: { status_code: 2001, status_message: /reservation_id/ },
  });
  t.strictSame((await send('TURN', {})).json['data'], { result: 'NOT_SUPPORTED' } as never);
});
