import t from 'tap';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';

const done = { status: 200, json: { status_code: 1000, data: undefined } };
const wrong = (message: RegExp) => ({ status: 400, json: { status_code: 2001, status_message: message } });
const place = {
  address: 'F.Rooseveltlaan 3A',
  city: 'Gent',
  country: 'BEL',
  coordinates: { latitude: '51.047599', longitude: '3.729944' },
};

void t.test('stores a location from an empty body unpublished, until what it needs is there', async (t) => {
  const api = await startTestApi(t);
  const { token } = await registerEmsp(api, await startEmsp(t), { partner: { writeScopes: ['locations'] } });
  const url = '/ocpi/cpo/2.2/locations/LOC8';
  const put = (payload: object) => ocpi(api, token, { method: 'PUT', url, payload });
  const patch = (payload: object) => ocpi(api, token, { method: 'PATCH', url, payload });
  const read = async () => (await ocpi(api, token, { url })).json['data'];
  t.match(await put({}), done);
  t.match(await read(), undefined, 'partners do not see it');
  const stored = async () => {
    const { json } = await api.call(await mintKey(api), { url: '/cpms/v1/locations' });
    return items(json['data']).map(({ name, country, isPublished }) => ({ name, country, isPublished }));
  };
  t.strictSame(await stored(), [{ name: 'LOC8', country: 'NLD', isPublished: false }] as never);
  t.match(await put({}), done, 'a repeat replaces it');
  const soon = new Date(Date.now() + 1000).toISOString();
  const early = { publish: true, address: 'Quay 1', lastUpdated: soon };
  t.match(await patch(early), wrong(/city is required of a published location/));
  t.match(await patch({ ...place, publish: true, lastUpdated: soon }), done);
  t.match(await read(), { city: 'Gent', publish: true });
  t.match(await put({}), done, 'what is required stays');
  t.match(await read(), { address: place.address, publish: true });
});
