import t from 'tap';
import { items, type Json, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { startEmsp } from './support/emsp.ts';
import { credentialsOf, ocpi, registerEmsp } from './support/partner.ts';
import { addPlace, describeConnectors } from './support/places.ts';

const standard = '/ocpi/cpo/2.2.1';

const details = {
  directions: [{ language: 'en', text: 'Behind the gate.' }],
  images: [{ url: 'https://example.com/gate.jpg', category: 'LOCATION', type: 'jpeg' }],
};

const text = (json: Json | undefined) => json as unknown as string;

async function dataOf(api: TestApi, token: string, path: string): Promise<Json[]> {
  return items((await ocpi(api, token, { url: `${standard}/${path}` })).json['data']);
}

void t.test('shows no edits of a location after its withdrawal', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { token } = await registerEmsp(api, await startEmsp(t));
  const { location, charger } = await addPlace(api);
  const other = await addPlace(api, { name: 'Other' });
  await sql`update locations set is_published = false where id = ${location.id}`;
  const read = async () =>
    (await dataOf(api, token, 'locations')).find(({ name }) => text(name) === 'Harbour');
  const before = await read();
  t.match(before, { publish: false, directions: [], images: [], evses: [{ status: 'REMOVED' }] });

  const business = { name: 'Other operator' };
  await sql`
    update locations set ${sql({ directions: details.directions, images: details.images, operator: business } as never)}
    where id = ${location.id}`;
  await sql`
    update evses set ${sql({ ...details, floor_level: '-2', capabilities: ['RESERVABLE'] } as never)}
    where charger_id = ${charger.id}`;
  await sql`update connectors set max_power_w = 11000 where charger_id = ${charger.id}`;
  await sql`
    insert into connectors (charger_id, number, evse_number, evse_connector) values (${charger.id}, 2, 2, 1)`;
  await describeConnectors(sql, charger.id);
  await sql`update chargers set location_id = ${location.id} where id = ${other.charger.id}`;
  t.strictSame(await read(), before);

  await sql`update locations set is_published = true where id = ${location.id}`;
  const after = await read();
  t.match(after, { publish: true, operator: business, ...details });
  t.equal(items(after?.['evses']).length, 3, 'with the EVSEs that came in the meantime');
});

void t.test('shows an ended tariff with its terms of then', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { token } = await registerEmsp(api, await startEmsp(t));
  const tariff = await seedTariff(sql, api.network.id);
  await sql`update tariff_assignments set is_active = false`;
  const read = () => dataOf(api, token, 'tariffs');
  const before = await read();
  t.match(before, [{ id: tariff.uuid }]);
  const key = await mintKey(api);
  const url = `/cpms/v1/tariffs/${tariff.uuid}`;
  const elements = [{ price_components: [{ type: 'ENERGY', price: 9, step_size: 1 }] }];
  const tariff_alt_text = [{ language: 'en', text: 'Draft' }];
  const payload = { elements, tariff_alt_text, tariff_alt_url: 'https://example.com/draft' };
  t.match(await api.call(key, { method: 'PATCH', url, payload }), { status: 200 });
  t.strictSame(await read(), before);

  await sql`insert into tariff_assignments (tariff_id, network_id) select id, network_id from tariffs`;
  t.match(await read(), [{ elements, tariff_alt_url: payload.tariff_alt_url, end_date_time: undefined }]);
});

void t.test('lists nothing to a partner that was withdrawn before its registration', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const first = await registerEmsp(api, await startEmsp(t));
  const hidden = await addPlace(api, { name: 'Hidden' });
  const left = await addPlace(api, { name: 'Left' });
  const tariff = await seedTariff(sql, api.network.id);
  await sql`update locations set is_published = false where id = ${hidden.location.id}`;
  await sql`update chargers set is_public = false where id = ${left.charger.id}`;
  await sql`update tariff_assignments set is_active = false`;
  const party = { countryCode: 'FR', partyId: 'SUD' };
  const second = await registerEmsp(api, await startEmsp(t), { party });

  const seen = async (token: string) => {
    const { headers, json } = await ocpi(api, token, { url: `${standard}/locations` });
    const evses = items(json['data']).map((location) => items(location['evses']).length);
    const tariffs = await ocpi(api, token, { url: `${standard}/tariffs` });
    return [
      headers['x-total-count'],
      evses,
      tariffs.headers['x-total-count'],
      items(tariffs.json['data']).length,
    ];
  };
  t.strictSame(await seen(first.token), ['2', [1, 1], '1', 1]);
  t.strictSame(await seen(second.token), ['1', [0], '0', 0]);
  const evse = items((await dataOf(api, first.token, 'locations'))[0]?.['evses'])[0];
  const uid = text(evse?.['uid']);
  for (const path of [
    `cpo/2.2.1/locations/${hidden.location.uuid}`,
    `cpo/2.2.1/locations/${hidden.location.uuid}/${uid}`,
    `cpo/2.2.1/locations/${hidden.location.uuid}/${uid}/1`,
    `cpo/2.2/locations/evse/${uid}`,
    `2.2/tariffs/${tariff.uuid}`,
  ]) {
    t.equal((await ocpi(api, first.token, { url: `/ocpi/${path}` })).status, 200, path);
    t.equal((await ocpi(api, second.token, { url: `/ocpi/${path}` })).status, 404, path);
  }
});

void t.test('lists what was withdrawn while a partner registered again', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const emsp = await startEmsp(t);
  const { id } = await registerEmsp(api, emsp);
  const { location } = await addPlace(api, { name: 'Hidden' });
  const { charger } = await addPlace(api, { name: 'Left' });
  const key = await mintKey(api, { unrestricted: true, networkIds: [] });
  const url = `/cpms/v1/ocpi-partners/${id}/registration-token`;
  const renewed = await api.call(key, { method: 'POST', url });
  await sql`update locations set is_published = false where id = ${location.id}`;
  await sql`update chargers set is_public = false where id = ${charger.id}`;

  const registrationToken = text(renewed.json['data']?.['registrationToken']);
  const answer = await ocpi(api, registrationToken, {
    method: 'POST',
    url: '/ocpi/2.2.1/credentials',
    payload: credentialsOf(emsp),
  });
  const token = text(answer.json['data']?.['token']);
  const removed = { evses: [{ status: 'REMOVED' }] };
  t.match(await dataOf(api, token, 'locations'), [
    { publish: false, ...removed },
    { publish: true, ...removed },
  ]);
});
