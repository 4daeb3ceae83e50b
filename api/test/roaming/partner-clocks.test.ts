import t from 'tap';
import { startTestApi } from '#api/test/support/fixtures.ts';
import { startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';

void t.test('a time ahead of ours in a location counts as the time of receipt', async (t) => {
  const api = await startTestApi(t);
  const { token } = await registerEmsp(api, await startEmsp(t), { partner: { writeScopes: ['locations'] } });
  const send = (method: 'PUT' | 'PATCH' | 'GET', path: string, payload?: object) =>
    ocpi(api, token, {
      method,
      url: `/ocpi/cpo/2.2/locations/LOC1${path}`,
      ...(payload !== undefined && { payload }),
    });
  const last_updated = '2099-01-01T00:00:00Z';
  const location = {
    name: 'Old',
    address: 'Quay 1',
    city: 'Gent',
    country: 'BEL',
    coordinates: { latitude: '51.047599', longitude: '3.729944' },
    lastUpdated: last_updated,
    evses: [{ uid: 'E1', last_updated, floor_level: '1', connectors: [{ id: '1', last_updated }] }],
  };
  t.equal((await send('PUT', '', location)).status, 200);
  for (const table of ['locations', 'evses', 'connectors']) {
    const ahead = await api.stores.sql`select from ${api.stores.sql(table)} where stated_at > now()`;
    t.equal(ahead.length, 0, table);
  }
  const later = new Date().toISOString();
  await send('PATCH', '', { name: 'New', lastUpdated: later });
  await send('PATCH', '/E1', { floor_level: '2', last_updated: later });
  await send('PATCH', '/E1/1', { max_voltage: 400, last_updated: later });
  t.match((await send('GET', '')).json['data'], {
    name: 'New',
    evses: [{ floor_level: '2', connectors: [{ max_voltage: 400 }] }],
  });
});
