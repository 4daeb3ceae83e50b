import t from 'tap';
import { makeDueCdrs } from '#api/jobs/cdrs.job.ts';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';
import { accepted, holdCharger, items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { endSession } from '#api/test/support/records.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import {
  cardOf,
  french,
  from,
  hubParty,
  patchPartner,
  putCard,
  registerHub,
  reportClient,
} from './support/hub.ts';
import { ocpi } from './support/partner.ts';
import { owed, pushed, pushState, seedPlace, startPusher } from './support/pushing.ts';
import { cdrToken, startRoamingSession } from './support/roaming-session.ts';

const hubItself = { country_code: 'NL', party_id: 'HUB' };

void t.test('a partner that is a hub no more', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { id, token, hub } = await registerHub(t, api);
  const { charger, location, evses } = await seedPlace(api);
  await holdCharger(api, charger.uid, () => accepted);
  const cards = [cardOf(french, 'CARD-1'), cardOf(hubItself, 'CARD-2')];
  for (const card of cards) t.equal((await putCard(api, token, card)).status, 201);
  await reportClient(api, token, french, 'OFFLINE');
  await seedTariff(sql, api.network.id);
  const charge = async (party: typeof french) => {
    const session = await startRoamingSession(api, charger.uuid, id, { token: { ...cdrToken, ...party } });
    await endSession(sql, session, 5000);
    return session.uuid;
  };
  const [other, own] = [await charge(french), await charge(hubItself)];
  await makeDueCdrs({ ...api.deps, log: createLogger('test', 'silent') });
  const stored = await sql<{ id: string }[]>`select ocpi_id as id from cdrs order by session_id`;
  const [otherCdr, ownCdr] = stored.map((cdr) => cdr.id);
  const place = { location_id: location.uuid, evse_uid: evses[0]?.uid, connector_id: '1' };
  const unlock = await ocpi(api, token, {
    method: 'POST',
    url: '/ocpi/cpo/2.2/commands/UNLOCK_CONNECTOR/c1',
    payload: { ...place, response_url: `${hub.url}/results/unlock` },
    headers: from(french),
  });
  t.match(unlock, { json: { data: { result: 'ACCEPTED' } } });
  t.match(await patchPartner(api, id, { hubParties: null }), { status: 200 });

  await t.test('reads the objects of its own parties only', async (t) => {
    for (const headers of [{}, from(french), from(hubItself)]) {
      const get = (url: string) => ocpi(api, token, { url, headers });
      const list = async (url: string, field: string) => {
        const answer = await get(url);
        const data = items(answer.json['data']);
        t.equal(answer.headers['x-total-count'], String(data.length));
        return data.map((object) => object[field]);
      };
      t.strictSame(await list('/ocpi/cpo/2.2.1/sessions', 'id'), [own]);
      t.strictSame(await list('/ocpi/cpo/2.2.1/cdrs', 'id'), [ownCdr]);
      t.strictSame(await list('/ocpi/cpo/2.2/tokens', 'uid'), ['CARD-2']);
      t.equal((await get(`/ocpi/cpo/2.2.1/sessions/${other}`)).status, 404);
      t.equal((await get(`/ocpi/cpo/2.2.1/cdrs/${otherCdr}`)).status, 404);
      t.equal((await get('/ocpi/cpo/2.2.1/tokens/FR/EMP/CARD-1')).status, 404);
      t.equal((await get('/ocpi/cpo/2.2/commands/c1')).status, 404);
    }
  });

  await t.test('receives the objects of its own parties only', async (t) => {
    startQueuedJobs(t, api.deps);
    startPusher(t, api);
    await until('the own CDR was sent', () => Promise.resolve(pushed(hub, 'cdrs').length > 0));
    await until('nothing but the CDR waits', async () => (await owed(api)) === 1);
    await until('the result was given up', async () => {
      const [row] = await sql`select tell_error from ocpi_commands where tell_error is not null`;
      return row !== undefined;
    });
    t.strictSame(
      pushed(hub, 'cdrs').map(({ body }) => (body as { id?: string }).id),
      [ownCdr],
    );
    t.ok(pushed(hub, 'sessions').every(({ path }) => path.endsWith(own)));
    t.strictSame(
      hub.received.filter(({ path }) => path.startsWith('/results')),
      [],
    );
    t.match(await pushState(api, await mintKey(api), id), { waiting: 1, lagSeconds: 0, breaker: 'CLOSED' });
  });

  await t.test('sends the CDRs that waited once it is a hub again', async (t) => {
    startPusher(t, api);
    t.match(await patchPartner(api, id, { hubParties: 'LISTED', parties: [hubParty] }), { status: 200 });
    await until('the CDR was sent', async () => (await owed(api)) === 0);
    t.match(pushed(hub, 'cdrs').at(-1)?.headers, { 'ocpi-to-country-code': 'FR', 'ocpi-to-party-id': 'EMP' });
  });
});
