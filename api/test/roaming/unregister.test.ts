import t from 'tap';
import { mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { type Emsp, enveloped, startEmsp } from './support/emsp.ts';
import { acceptCredentials, command } from './support/handshakes.ts';
import { makePartner } from './support/partner.ts';
import { inNetwork } from './support/pushing.ts';

const shared = await startTestApi(t);

const access = (emsp: Emsp) => ({ versionsUrl: emsp.versionsUrl, token: emsp.token });

async function readPartner(api: TestApi, key: string, id: string) {
  return (await api.call(key, { url: `/cpms/v1/ocpi-partners/${id}` })).json['data'];
}

void t.test('keeps a suspension when the registration ends', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const emsp = await startEmsp(t);
  acceptCredentials(emsp);
  const { id } = await makePartner(api);
  await command(api, key, id, 'handshake', access(emsp));
  const url = `/cpms/v1/ocpi-partners/${id}`;
  await api.call(key, { method: 'PATCH', url, payload: { isSuspended: true } });
  t.match((await command(api, key, id, 'unregister')).json, {
    data: { registration: 'NONE', status: 'SUSPENDED', outcome: 'CONFIRMED' },
  });
  t.match((await api.call(key, { method: 'POST', url: `${url}/registration-token` })).status, 200);
  t.match(await readPartner(api, key, id), { registration: 'INVITED', status: 'SUSPENDED' });
  await api.call(key, { method: 'PATCH', url, payload: { isSuspended: false } });
  t.match(await readPartner(api, key, id), { registration: 'INVITED', status: 'PENDING' });
});

void t.test('refuses to unregister while a handshake runs', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const emsp = await startEmsp(t);
  const partner = acceptCredentials(emsp);
  const { id } = await makePartner(api);
  await command(api, key, id, 'handshake', access(emsp));
  const refused = Promise.withResolvers<void>();
  partner.fault = { waitsFor: refused.promise, status: 503 };
  const rotation = command(api, key, id, 'rotate-token');
  await emsp.next('PUT', '/ocpi/emsp/2.2.1/credentials');
  t.match(await command(api, key, id, 'unregister'), {
    status: 409,
    json: { error: { code: 'OCPI_HANDSHAKE_RUNNING' } },
  });
  t.notOk(
    emsp.received.some(({ method }) => method === 'DELETE'),
    'the partner was not asked',
  );
  refused.resolve();
  t.match((await rotation).json, { error: { code: 'OCPI_PARTNER_REFUSED' } });

  const confirmed = Promise.withResolvers<void>();
  partner.fault = { waitsFor: confirmed.promise, body: enveloped() };
  const end = command(api, key, id, 'unregister');
  await emsp.next('DELETE', '/ocpi/emsp/2.2.1/credentials');
  t.match(
    (await command(api, key, id, 'rotate-token')).json,
    { error: { code: 'OCPI_HANDSHAKE_RUNNING' } },
    'nor is a renewal continued while it is asked',
  );
  confirmed.resolve();
  t.match((await end).json, { data: { registration: 'NONE', outcome: 'CONFIRMED' } });
});

void t.test('ends a registration whose end the partner confirmed, whatever token is stored', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const emsp = await startEmsp(t);
  const partner = acceptCredentials(emsp);
  const { id } = await makePartner(api);
  await command(api, key, id, 'handshake', access(emsp));
  partner.fault = { delayMs: 500, body: enveloped() };
  const end = command(api, key, id, 'unregister');
  await emsp.next('DELETE', '/ocpi/emsp/2.2.1/credentials');
  await api.stores.sql`update ocpi_partners set their_token = 'token-changed' where uuid = ${id}`;
  t.match((await end).json, { data: { registration: 'NONE', outcome: 'CONFIRMED' } });
});
