import t from 'tap';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';
import { queueChangedProfiles } from '#api/services/roaming/profiles/push.ts';
import { holdCharger, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { acceptSessionProfile, ensureSessionProfile } from '#shared/postgres/roaming/ocpi-profiles.ts';
import { authorizeAtPartner } from '#api/services/roaming/real-time-authorization.ts';
import { says } from './support/command-rig.ts';
import { type Emsp, enveloped, startEmsp } from './support/emsp.ts';
import { credentialsOf, makePartner, ocpi } from './support/partner.ts';
import { locations, seedCdr, seedPlace, seedSession, startPusher } from './support/pushing.ts';

const role = (name: string, country: string, party: string) => ({
  role: name,
  country_code: country,
  party_id: party,
  business_details: { name: party },
});

const to = (countryCode: string, partyId: string) => ({
  headers: { 'ocpi-to-country-code': countryCode, 'ocpi-to-party-id': partyId },
});

const ofParty = (country: string, party: string) =>
  ({ country_code: country, party_id: party, uid: 'TAG1', type: 'RFID', contract_id: 'C1' }) as const;

/** Registers a platform with a CPO and two eMSPs; answers its uuid and its token. */
async function registerPlatform(api: TestApi, emsp: Emsp): Promise<{ id: string; token: string }> {
  const roles = [role('CPO', 'NL', 'POL'), role('EMSP', 'DE', 'EMS'), role('EMSP', 'FR', 'TWO')];
  const parties = roles.map(({ country_code, party_id }) => ({
    countryCode: country_code,
    partyId: party_id,
  }));
  const { id, registrationToken } = await makePartner(api, { parties });
  const payload = { ...credentialsOf(emsp), roles };
  const url = '/ocpi/2.2.1/credentials';
  const { json } = await ocpi(api, registrationToken, { method: 'POST', url, payload });
  return { id, token: json['data']?.['token'] as unknown as string };
}

void t.test('addresses each party of a platform with the objects of its tokens', async (t) => {
  // OCPI 2.2.1 §7.4.1: a platform has a role for each of its parties, a CPO's among them.
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const emsp = await startEmsp(t);
  const { id } = await registerPlatform(api, emsp);
  const shown = await api.call(await mintKey(api), { url: `/cpms/v1/ocpi-partners/${id}` });
  t.match(shown.json['data'], { countryCode: 'DE', partyId: 'EMS' }, 'it is our partner as an eMSP');

  const { charger } = await seedPlace(api);
  const session = await seedSession(api, id, charger.id);
  const token = ofParty('FR', 'TWO');
  await sql`update sessions set ocpi_token = ${sql.json(token)} where id = ${session.id}`;
  await seedCdr(api, session.id);
  startPusher(t, api);
  t.match(await emsp.next('PUT', locations), to('DE', 'EMS'), 'what is of no token');
  t.match(await emsp.next('PUT', `/ocpi/emsp/2.2.1/sessions/NL/CWY/${session.uuid}`), to('FR', 'TWO'));
  t.match(await emsp.next('POST', '/ocpi/emsp/2.2.1/cdrs'), to('FR', 'TWO'));

  emsp.react('/ocpi/emsp/2.2.1/tokens/TAG1', { body: enveloped({ allowed: 'ALLOWED' }) });
  const [partner] = await sql<{ id: number }[]>`select id from ocpi_partners where uuid = ${id}`;
  const authorize = '/ocpi/emsp/2.2.1/tokens/TAG1/authorize';
  for (const [asked, expected] of [
    [token, to('FR', 'TWO')],
    // A token that it authorizes and that belongs to no party there.
    [ofParty('XX', 'NOT'), to('DE', 'EMS')],
  ] as const) {
    const question = {
      partnerId: partner?.id ?? 0,
      token: asked,
      groupId: null,
      chargerId: charger.id,
      evse: 1,
    };
    t.match(await authorizeAtPartner(api.deps, question), { status: 'Accepted' });
    t.match(await emsp.next('POST', authorize), expected);
  }
});

void t.test('sends a result to the requesting party of a platform', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const emsp = await startEmsp(t);
  const { id, token } = await registerPlatform(api, emsp);
  const { location, charger, evses } = await seedPlace(api);
  const schedule = { startsAt: new Date().toISOString(), durationSeconds: 900, rateUnit: 'A', periods: [] };
  await holdCharger(api, charger.uid, ({ command }) =>
    command.type === 'get-composite-schedule' ? says('Accepted', true, { schedule }) : says('Unlocked', true),
  );
  startQueuedJobs(t, api.deps);
  let count = 0;
  const unlock = async (from: Record<string, string>) => {
    count += 1;
    const said = await ocpi(api, token, {
      method: 'POST',
      url: '/ocpi/cpo/2.2.1/commands/UNLOCK_CONNECTOR',
      headers: from,
      payload: {
        location_id: location.uuid,
        evse_uid: evses[0]?.uid,
        connector_id: '1',
        response_url: `${emsp.url}/results/${count}`,
      },
    });
    t.match(said, { json: { data: { result: 'ACCEPTED' } } });
    return emsp.next('POST', `/results/${count}`);
  };
  t.match(await unlock({ 'ocpi-from-country-code': 'FR', 'ocpi-from-party-id': 'TWO' }), to('FR', 'TWO'));
  t.match(await unlock({}), to('DE', 'EMS'), 'one that did not say who it is');
  t.match(
    await unlock({ 'ocpi-from-country-code': 'XX', 'ocpi-from-party-id': 'NOT' }),
    to('DE', 'EMS'),
    'and one that is not of the platform: the party that it is known by',
  );

  const session = await seedSession(api, id, charger.id);
  await sql`update sessions set ocpi_token = ${sql.json(ofParty('FR', 'TWO'))} where id = ${session.id}`;
  await ensureSessionProfile(sql, session.uuid);
  await acceptSessionProfile(sql, session.uuid);
  await queueChangedProfiles(api.deps);
  t.match(await emsp.next('PUT', `/ocpi/emsp/2.2.1/chargingprofiles/${session.uuid}`), to('FR', 'TWO'));
});
