import t from 'tap';
import { items, type Json, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { seedUser } from '#shared/testing/seed.ts';
import { startEmsp } from './support/emsp.ts';
import { french, italian, patchPartner, registerHub, reportClient } from './support/hub.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { addPlace } from './support/places.ts';
import { inNetwork } from './support/pushing.ts';

const shared = await startTestApi(t);

/** A national access point, and the service providers that it reads. */
async function startAccessPoint(t: Parameters<typeof startEmsp>[0]) {
  const api = await inNetwork(shared);
  const party = { countryCode: 'NL', partyId: 'NAP' };
  const point = await startEmsp(t, party);
  point.versions = ['2.3.0'];
  const { id, token } = await registerEmsp(api, point, {
    party,
    version: '2.3.0',
    partner: { isNationalAccessPoint: true },
  });
  await api.stores.sql`
    update ocpi_partners set roles = jsonb_set(roles, '{0,role}', '"NAP"') where uuid = ${id}`;
  await addPlace(api);
  const providers = async () => {
    const { json } = await ocpi(api, token, { url: '/ocpi/cpo/2.3.0/locations' });
    const [location] = json['data'] as unknown as Json[];
    return items(location?.['evses'])[0]?.['accepted_service_providers'] as unknown;
  };
  return { api, id, token, providers };
}

void t.test('names the connected clients of hubs that the hub speaks for', async (t) => {
  const { api, providers } = await startAccessPoint(t);
  t.strictSame(await providers(), []);
  const { id, token } = await registerHub(t, api);
  t.match(await reportClient(api, token, french, 'CONNECTED'), { json: { status_code: 1000 } });
  await reportClient(api, token, italian, 'OFFLINE');
  await reportClient(api, token, { country_code: 'BE', party_id: 'EMP' }, 'SUSPENDED');
  await reportClient(api, token, { country_code: 'LU', party_id: 'EMP' }, 'PLANNED');
  await reportClient(api, token, { country_code: 'AT', party_id: 'CPO' }, 'CONNECTED', { role: 'CPO' });
  t.strictSame(await providers(), ['FR-EMP', 'IT-EMP']);

  const direct = { countryCode: 'IT', partyId: 'EMP' };
  await registerEmsp(api, await startEmsp(t, direct), { party: direct });
  t.strictSame(await providers(), ['Example eMSP', 'FR-EMP'], 'a granted party is its own partner');
  t.match(await patchPartner(api, id, { hubParties: 'LISTED' }), { status: 200 });
  t.strictSame(await providers(), ['Example eMSP']);
});

void t.test('names a client of a hub by the name in the credentials of the hub', async (t) => {
  const { api, providers } = await startAccessPoint(t);
  const { id, token } = await registerHub(t, api);
  await reportClient(api, token, french, 'CONNECTED');
  const role = {
    role: 'EMSP',
    countryCode: 'FR',
    partyId: 'EMP',
    businessDetails: { name: 'Sud Mobilité', website: null, logoUrl: null },
  };
  await api.stores.sql`
    update ocpi_partners set roles = roles || ${api.stores.sql.json([role])} where uuid = ${id}`;
  t.strictSame(await providers(), ['Sud Mobilité']);
});

void t.test('names the network itself once it has drivers', async (t) => {
  const { api, providers } = await startAccessPoint(t);
  const { sql } = api.stores;
  await sql`update networks set legal_name = 'Quay Charging B.V.' where id = ${api.network.id}`;
  t.strictSame(await providers(), []);
  const { id } = await seedUser(sql, api.network.id);
  t.strictSame(await providers(), ['Quay Charging B.V.']);
  await sql`update users set deleted_at = now() where id = ${id}`;
  t.strictSame(await providers(), []);
});

void t.test('lets no other network and no partner mark a national access point', async (t) => {
  const { api, id, token } = await startAccessPoint(t);
  const change = {
    method: 'PATCH',
    url: `/cpms/v1/ocpi-partners/${id}`,
    payload: { isNationalAccessPoint: false },
  } as const;
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.match(await api.call(other, change), { status: 404, json: { error: { code: 'PARTNER_NOT_FOUND' } } });
  t.equal((await api.call(null, change)).status, 401);
  t.equal((await ocpi(api, token, change)).status, 401);
  const [partner] = await api.stores.sql`
    select is_national_access_point as mark from ocpi_partners where uuid = ${id}`;
  t.equal(partner?.['mark'], true);
});
