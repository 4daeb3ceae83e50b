import t from 'tap';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';
import { accepted, holdCharger, startTestApi } from '#api/test/support/fixtures.ts';
import { french, from, registerHub, sessionOf } from './support/hub.ts';
import { ocpi } from './support/partner.ts';
import { inNetwork, locations, seedCdr, seedPlace, startPusher } from './support/pushing.ts';

const shared = await startTestApi(t);
const hubItself = { country_code: 'NL', party_id: 'HUB' };

/** A header of a request that has no addressee. */
const open = {
  headers: { 'ocpi-from-party-id': 'CWY', 'ocpi-to-country-code': undefined, 'ocpi-to-party-id': undefined },
};

void t.test('broadcasts only locations, and nothing of a token of the hub or without a party', async (t) => {
  const api = await inNetwork(shared);
  const { id, hub } = await registerHub(t, api);
  const { charger } = await seedPlace(api);
  const own = await sessionOf(api, id, charger.id, hubItself);
  await seedCdr(api, own.id);
  startPusher(t, api);
  t.match(await hub.next('PUT', '/ocpi/emsp/2.2.1/sessions'), open);
  t.match(await hub.next('POST', '/ocpi/emsp/2.2.1/cdrs'), open);
  t.match(await hub.next('PUT', locations), {
    headers: { 'ocpi-to-country-code': 'NL', 'ocpi-to-party-id': 'HUB' },
  });
});

void t.test('the commands of a hub itself', async (t) => {
  const api = await startTestApi(t);
  const { token, hub } = await registerHub(t, api);
  const { charger, location, evses } = await seedPlace(api);
  await holdCharger(api, charger.uid, () => accepted);
  startQueuedJobs(t, api.deps);
  const place = { location_id: location.uuid, evse_uid: evses[0]?.uid };
  const send = (name: string, body: object, headers: Record<string, string> = {}) =>
    ocpi(api, token, {
      method: 'POST',
      url: `/ocpi/cpo/2.2.1/commands/${name}`,
      payload: { ...place, response_url: `${hub.url}/results/${name}`, ...body },
      headers,
    });

  await t.test('are answered without an addressee when they name no party', async (t) => {
    const body = { connector_id: '1' };
    t.match(await send('UNLOCK_CONNECTOR', body), { json: { data: { result: 'ACCEPTED' } } });
    t.match(await hub.next('POST', '/results/UNLOCK_CONNECTOR'), open);
  });

  await t.test('start sessions of tokens with a party only', async (t) => {
    const card = { uid: 'APP-1', type: 'APP_USER', contract_id: 'C1' };
    const wrong = { json: { status_code: 2001, status_message: /token\.party_id/ } };
    for (const headers of [{}, from(hubItself)]) {
      t.match(await send('START_SESSION', { token: card }, headers), wrong);
      t.match(await send('START_SESSION', { token: { ...card, party_id: 'EMP' } }, headers), wrong);
    }
    const named = { ...card, ...french };
    t.match(await send('START_SESSION', { token: named }), { json: { data: { result: 'ACCEPTED' } } });
  });
});
