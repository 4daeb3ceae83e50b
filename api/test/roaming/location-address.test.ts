import t from 'tap';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { addPlace } from './support/places.ts';

const address = '150 Rajbophit Road, Ratchabophit Temple Sub-district, Phra Nakhon District';

void t.test('partners get as much of an address as their version allows', async (t) => {
  const api = await startTestApi(t);
  const { location } = await addPlace(api);
  const changed = await api.call(await mintKey(api), {
    method: 'PATCH',
    url: `/cpms/v1/locations/${location.uuid}`,
    payload: { address },
  });
  t.match(changed, { status: 200, json: { data: { address } } });
  const lengths = { '2.1.1': 45, '2.2.1': address.length, '2.3.0': address.length };
  const { token } = await registerEmsp(api, await startEmsp(t));
  for (const [version, length] of Object.entries(lengths)) {
    const url = `/ocpi/cpo/${version}/locations/${location.uuid}`;
    const answer = await ocpi(api, token, { url });
    t.match(answer.json['data'], { address: address.slice(0, length) }, version);
  }
});
