import t from 'tap';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { enveloped, startEmsp } from './support/emsp.ts';
import { acceptCredentials, command } from './support/handshakes.ts';
import {
  cardOf,
  credentialsOfHub,
  french,
  from,
  hubParty,
  italian,
  patchPartner,
  putCard,
  registerHub,
  startHub,
} from './support/hub.ts';
import { flatCredentialsOf, makePartner, ocpi, registerEmsp } from './support/partner.ts';

const partners = '/cpms/v1/ocpi-partners';
const granted = { countryCode: 'FR', partyId: 'EMP' };
const done = { json: { status_code: 1000 } };

void t.test('registers a hub that names itself only', async (t) => {
  const api = await startTestApi(t);
  const { id } = await registerHub(t, api);
  const { json } = await api.call(await mintKey(api), { url: `${partners}/${id}` });
  t.match(json['data'], {
    status: 'REGISTERED',
    hubParties: 'ANY',
    ...hubParty,
    roles: [{ role: 'HUB', ...hubParty }],
  });
});

void t.test('registers at a hub that answers with its role', async (t) => {
  const api = await startTestApi(t);
  const hub = await startHub(t);
  acceptCredentials(hub).answer = () => credentialsOfHub(hub);
  const { id } = await makePartner(api, { parties: [hubParty], hubParties: 'LISTED' });
  const entered = { versionsUrl: hub.versionsUrl, token: hub.token };
  const key = await mintKey(api, { unrestricted: true, networkIds: [] });
  t.match(await command(api, key, id, 'handshake', entered), {
    status: 200,
    json: { data: { registration: 'REGISTERED', roles: [{ role: 'HUB', ...hubParty }] } },
  });
});

void t.test('reads the party of a hub from hub_party_id', async (t) => {
  const api = await startTestApi(t);
  const hub = await startHub(t);
  const { id, registrationToken } = await makePartner(api, { parties: [hubParty], hubParties: 'ANY' });
  const [role] = credentialsOfHub(hub).roles;
  // OCPI 2.3.0 §7.3.1: the roles of a hub are those of the parties behind it.
  const payload = {
    ...credentialsOfHub(hub),
    hub_party_id: 'nlhub',
    roles: [{ ...role, role: 'EMSP', ...french }],
  };
  const url = '/ocpi/2.2.1/credentials';
  t.match(await ocpi(api, registrationToken, { method: 'POST', url, payload }), done);
  const { json } = await api.call(await mintKey(api), { url: `${partners}/${id}` });
  t.match(json['data'], {
    ...hubParty,
    roles: [
      { role: 'HUB', ...hubParty },
      { role: 'EMSP', ...granted },
    ],
  });
});

void t.test('refuses credentials of a hub that names an own party which was not granted', async (t) => {
  const api = await startTestApi(t);
  const hub = await startHub(t);
  const { registrationToken } = await makePartner(api, { parties: [granted], hubParties: 'ANY' });
  const payload = credentialsOfHub(hub);
  t.match(await ocpi(api, registrationToken, { method: 'POST', url: '/ocpi/2.2.1/credentials', payload }), {
    json: { status_code: 2001, status_message: /OCPI_PARTY_NOT_GRANTED.*NL-HUB/ },
  });
});

void t.test('registers a hub without those of its clients that it does not speak for', async (t) => {
  const api = await startTestApi(t);
  const hub = await startHub(t);
  await makePartner(api, { parties: [{ countryCode: 'BE', partyId: 'DIR' }] });
  const { id, registrationToken } = await makePartner(api, {
    parties: [hubParty, granted],
    hubParties: 'LISTED',
  });
  const [role] = credentialsOfHub(hub).roles;
  const clients = [french, italian, { country_code: 'BE', party_id: 'DIR' }];
  const roles = Array.from({ length: 300 }, (_, index) => ({ ...role, role: 'EMSP', ...clients[index % 3] }));
  const payload = { ...credentialsOfHub(hub), hub_party_id: 'NLHUB', roles };
  const url = '/ocpi/2.3.0/credentials';
  hub.react('/ocpi/versions', { body: enveloped([{ version: '2.3.0', url: `${hub.url}/ocpi/2.2.1` }]) });
  t.match(await ocpi(api, registrationToken, { method: 'POST', url, payload }), done);
  const { json } = await api.call(await mintKey(api), { url: `${partners}/${id}` });
  const stored = json['data']?.['roles'] as unknown as { role: string; partyId: string }[];
  t.match(stored.slice(0, 2), [
    { role: 'HUB', ...hubParty },
    { role: 'EMSP', ...granted },
  ]);
  t.equal(stored.length, 101);
});

void t.test('refuses credentials of a hub that do not name its own party', async (t) => {
  const api = await startTestApi(t);
  const hub = await startHub(t);
  const { registrationToken } = await makePartner(api, { parties: [hubParty, granted], hubParties: 'ANY' });
  const own = {
    json: { status_code: 2001, status_message: /roles must contain the party of the hub/ },
  };
  const [role] = credentialsOfHub(hub).roles;
  const payload = { ...credentialsOfHub(hub), roles: [{ ...role, role: 'EMSP', ...french }] };
  const register = (version: string, body: object) =>
    ocpi(api, registrationToken, { method: 'POST', url: `/ocpi/${version}/credentials`, payload: body });
  t.match(await register('2.2.1', payload), own);
  t.match(await register('2.1.1', flatCredentialsOf(hub, hubParty)), own, 'has no hubs');
  t.match(await register('2.2.1', credentialsOfHub(hub)), done);
});

void t.test('takes no party for the hub itself until the hub names its own', async (t) => {
  const api = await startTestApi(t);
  const { id, token } = await registerEmsp(api, await startEmsp(t), {
    partner: { parties: [{ countryCode: 'DE', partyId: 'EMS' }, granted] },
  });
  t.match((await patchPartner(api, id, { hubParties: 'ANY' })).json['data'], {
    countryCode: null,
    partyId: null,
  });
  const german = { country_code: 'DE', party_id: 'EMS' };
  t.match(await putCard(api, token, cardOf(french, 'CARD-1'), from(german)), {
    json: { status_code: 2001, status_message: /party_id must be yours/ },
  });
});

void t.test('ends the registration of a hub by its own party only', async (t) => {
  const api = await startTestApi(t);
  const hub = await startHub(t);
  const { registrationToken } = await makePartner(api, { parties: [hubParty, granted], hubParties: 'ANY' });
  const [role] = credentialsOfHub(hub).roles;
  const payload = { ...credentialsOfHub(hub), roles: [role, { ...role, role: 'EMSP', ...french }] };
  const answer = await ocpi(api, registrationToken, {
    method: 'POST',
    url: '/ocpi/2.2.1/credentials',
    payload,
  });
  const token = answer.json['data']?.['token'] as unknown as string;
  const end = (party: string) =>
    ocpi(api, token, { method: 'DELETE', url: `/ocpi/2.2/credentials/${party}` });
  t.match(await end('FR/EMP'), { status: 404 });
  t.match(await end('NL/HUB'), done);
});
