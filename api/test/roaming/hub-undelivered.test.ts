import t from 'tap';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';
import { accepted, holdCharger, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { until } from '#shared/testing/until.ts';
import { startEmsp } from './support/emsp.ts';
import { french, from, italian, registerHub, sessionOf, to } from './support/hub.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { inNetwork, pushState, seedCdr, seedPlace, startPusher } from './support/pushing.ts';

const shared = await startTestApi(t);
const sessions = '/ocpi/emsp/2.2.1/sessions/NL/CWY';
const cdrs = '/ocpi/emsp/2.2.1/cdrs';

void t.test('sends to other parties while a hub cannot reach one', async (t) => {
  const api = await inNetwork(shared);
  const { id, hub } = await registerHub(t, api);
  // 4003: connection problem of the receiving party (OCPI 2.2.1 §5.1.4).
  hub.react('/ocpi/emsp/2.2.1/', ({ headers }) => ({
    body: {
      status_code: headers['ocpi-to-country-code'] === 'FR' ? 4003 : 1000,
      timestamp: new Date().toISOString(),
    },
  }));
  const { charger } = await seedPlace(api);
  for (let count = 0; count < 4; count += 1) {
    const session = await sessionOf(api, id, charger.id, french);
    await api.stores.sql`update sessions set status = 'COMPLETED', ended_at = now() where id = ${session.id}`;
    await seedCdr(api, session.id);
  }
  startPusher(t, api);
  await until('the CDRs were refused', () =>
    Promise.resolve(hub.received.filter(({ path }) => path === cdrs).length > 8),
  );
  const session = await sessionOf(api, id, charger.id, italian);
  t.match(await hub.next('PUT', `${sessions}/${session.uuid}`), to(italian));
  t.match(await pushState(api, await mintKey(api), id), { breaker: 'CLOSED', failed: 0 });
});

void t.test('counts an error 4003 that is not about one party behind the hub', async (t) => {
  const problem = { status_code: 4003, timestamp: new Date().toISOString() };
  const opens = async (api: TestApi, id: string) => {
    startPusher(t, api);
    const key = await mintKey(api);
    await until('the breaker opens', async () => (await pushState(api, key, id)).breaker !== 'CLOSED');
  };
  const hubApi = await inNetwork(shared);
  const { id, hub } = await registerHub(t, hubApi);
  hub.react('/ocpi/emsp/2.2.1/', { body: problem });
  await seedPlace(hubApi);
  await opens(hubApi, id);
  const directApi = await inNetwork(shared);
  const emsp = await startEmsp(t);
  const direct = await registerEmsp(directApi, emsp);
  emsp.react('/ocpi/emsp/2.2.1/', { body: problem });
  for (let count = 0; count < 3; count += 1) await seedPlace(directApi);
  await opens(directApi, direct.id);
});

void t.test('repeats a result that the hub could not forward', async (t) => {
  const api = await startTestApi(t);
  const { token, hub } = await registerHub(t, api);
  const { charger, location, evses } = await seedPlace(api);
  await holdCharger(api, charger.uid, () => accepted);
  startQueuedJobs(t, api.deps);
  hub.react('/results', { body: { status_code: 4003, timestamp: new Date().toISOString() } }, 1);
  const payload = {
    location_id: location.uuid,
    evse_uid: evses[0]?.uid,
    connector_id: '1',
    response_url: `${hub.url}/results`,
  };
  const url = '/ocpi/cpo/2.2.1/commands/UNLOCK_CONNECTOR';
  t.match(await ocpi(api, token, { method: 'POST', url, payload, headers: from(french) }), {
    json: { data: { result: 'ACCEPTED' } },
  });
  await hub.next('POST', '/results');
  t.match(await hub.next('POST', '/results'), to(french));
});
