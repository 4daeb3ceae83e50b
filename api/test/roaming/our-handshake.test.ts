import t from 'tap';
import { until } from '#shared/testing/until.ts';
import { items, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { type Emsp, enveloped, startEmsp } from './support/emsp.ts';
import { acceptCredentials, command } from './support/handshakes.ts';
import { credentialsOf, makePartner, ocpi } from './support/partner.ts';
import { inNetwork } from './support/pushing.ts';

const shared = await startTestApi(t);

const access = (emsp: Emsp) => ({ versionsUrl: emsp.versionsUrl, token: emsp.token });

async function readPartner(api: TestApi, key: string, id: string) {
  return (await api.call(key, { url: `/cpms/v1/ocpi-partners/${id}` })).json['data'];
}

/** Our party in the credentials of a version. */
const namesIn: Record<string, object> = {
  '2.1.1': { country_code: 'NL', party_id: 'CWY' },
  '2.2': { roles: [{ role: 'CPO', countryCode: 'NL', partyId: 'CWY' }] },
  '2.2.1': { roles: [{ role: 'CPO', country_code: 'NL', party_id: 'CWY' }] },
  '2.3.0': { roles: [{ role: 'CPO', country_code: 'NL', party_id: 'CWY' }] },
};

for (const [version, names] of Object.entries(namesIn)) {
  void t.test(`registers with a partner that gave us its token over ${version}`, async (t) => {
    const api = await inNetwork(shared);
    const key = await mintKey(api);
    const emsp = await startEmsp(t);
    emsp.versions = ['2.0', version, '3.0'];
    const partner = acceptCredentials(emsp);
    const { id, registrationToken } = await makePartner(api);
    const tokenA = emsp.token;
    const answer = await command(api, key, id, 'handshake', access(emsp));
    t.match(answer, {
      status: 200,
      json: {
        data: {
          registration: 'REGISTERED',
          status: 'REGISTERED',
          ocpiVersion: version,
          versionsUrl: emsp.versionsUrl,
          roles: [{ role: 'EMSP', countryCode: 'DE', partyId: 'EMS' }],
          steps: [
            { step: 'versions' },
            { step: 'details' },
            { step: 'credentials' },
            { step: 'registration' },
          ],
        },
      },
    });
    const shownToken = version === '2.1.1' ? tokenA : Buffer.from(tokenA).toString('base64');
    t.match(await emsp.next('POST', `/ocpi/emsp/${version}/credentials`), {
      headers: { authorization: `Token ${shownToken}` },
      body: { url: 'http://chargeway.test/ocpi/versions', ...names },
    });
    t.equal(
      (await ocpi(api, partner.ours[0] ?? '', { url: '/ocpi/cpo/2.2/tokens' })).status,
      200,
      'our token is valid',
    );
    t.equal(
      (await ocpi(api, registrationToken, { url: '/ocpi/versions' })).status,
      401,
      'the invitation is void',
    );
    const shown = await readPartner(api, key, id);
    t.match(shown, { handshake: null, registration: 'REGISTERED' });
    t.equal(items(shown?.['endpoints']).length, 8);
    for (const secret of [tokenA, emsp.token, partner.ours[0] ?? '']) {
      t.notMatch(answer.text + JSON.stringify(shown) + api.log(), secret);
    }
    const audit = await api.call(key, { url: '/cpms/v1/audit-log?category=ocpi-partner' });
    t.match(
      items(audit.json['data']).map(({ action }) => action),
      ['register', 'begin-handshake', 'create'],
    );
  });
}

void t.test('agrees on the highest common version', async (t) => {
  const api = await inNetwork(shared);
  const emsp = await startEmsp(t);
  emsp.versions = ['2.2.1', '2.3.0', '2.1.1', '3.0'];
  acceptCredentials(emsp);
  const { id } = await makePartner(api);
  const answer = await command(api, await mintKey(api), id, 'handshake', access(emsp));
  t.match(answer.json, { data: { ocpiVersion: '2.3.0' } });
});

void t.test('names the failed step of a handshake, and succeeds when it is repeated', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const emsp = await startEmsp(t);
  const partner = acceptCredentials(emsp);
  const { id } = await makePartner(api);
  const fails = async (payload: object | undefined, status: number, code: string, step: string) => {
    const answer = await command(api, key, id, 'handshake', payload);
    t.match(answer, { status, json: { error: { code, details: { step } } } }, `${code} at ${step}`);
    t.match(await readPartner(api, key, id), {
      status: 'PENDING',
      handshake: { failedStep: step, errorCode: code, isRunning: false, error: String, failedAt: String },
    });
  };
  const good = access(emsp);
  const { port } = new URL(emsp.url);
  const away = { ...good, versionsUrl: 'http://127.0.0.1:1/ocpi/versions' };
  await fails(away, 502, 'OCPI_PARTNER_UNREACHABLE', 'versions');
  const inside = { ...good, versionsUrl: `http://10.0.0.1:${port}/ocpi/versions` };
  await fails(inside, 409, 'OCPI_ADDRESS_NOT_PERMITTED', 'versions');
  await fails({ ...good, token: 'another' }, 502, 'OCPI_PARTNER_UNAUTHORIZED', 'versions');
  emsp.react('/ocpi/versions', { status: 500 }, 1);
  await fails(good, 502, 'OCPI_PARTNER_REFUSED', 'versions');
  emsp.versions = ['2.1', '3.0'];
  await fails(undefined, 409, 'OCPI_VERSION_UNSUPPORTED', 'versions');
  emsp.versions = ['2.2.1'];
  emsp.react('/ocpi/2.2.1', { body: enveloped({ version: '2.2.1', endpoints: [] }) }, 1);
  await fails(undefined, 409, 'OCPI_ENDPOINTS_MISSING', 'details');
  t.match(await readPartner(api, key, id), { registration: 'PREPARED' }, 'nothing was sent yet');
  t.same(partner.ours, []);
  const tokenA = emsp.token;
  partner.answer = () => ({ token: '', roles: [] });
  await fails(undefined, 502, 'OCPI_CREDENTIALS_INVALID', 'credentials');
  t.match(await readPartner(api, key, id), { registration: 'EXCHANGING' });
  emsp.token = tokenA;
  partner.answer = (credentials) => credentials;
  t.match(await command(api, key, id, 'handshake'), {
    status: 200,
    json: { data: { registration: 'REGISTERED' } },
  });
  t.equal(new Set(partner.ours).size, 1, 'a repeat sends the same token');
});

void t.test(
  'keeps our token valid after a lost answer, so that the partner can register with it',
  async (t) => {
    const api = await inNetwork(shared);
    const key = await mintKey(api);
    const emsp = await startEmsp(t);
    const { id } = await makePartner(api);
    // The partner accepts, and its answer is lost: the token that it gave us first is dead.
    emsp.react('/ocpi/emsp/', () => ((emsp.token = 'token-c-lost'), { hangUp: true }), 1);
    const lost = await command(api, key, id, 'handshake', access(emsp));
    t.match(lost.json, { error: { code: 'OCPI_PARTNER_UNREACHABLE', details: { step: 'credentials' } } });
    const sent = await emsp.next('POST', '/ocpi/emsp/2.2.1/credentials');
    const ours = sent.body['token'] as unknown as string;
    t.equal(
      (await ocpi(api, ours, { url: '/ocpi/versions' })).status,
      200,
      'our token is valid for the handshake',
    );
    t.equal(
      (await ocpi(api, ours, { url: '/ocpi/cpo/2.2.1/locations' })).status,
      401,
      'and for nothing else',
    );
    t.match((await command(api, key, id, 'handshake')).json, {
      error: { code: 'OCPI_PARTNER_UNAUTHORIZED', message: /request a new token/ },
    });
    const request = { method: 'POST', url: '/ocpi/2.2.1/credentials', payload: credentialsOf(emsp) } as const;
    t.match((await ocpi(api, ours, request)).json, { status_code: 1000 });
    t.match(await readPartner(api, key, id), { registration: 'REGISTERED', handshake: null });
    t.equal((await ocpi(api, ours, { url: '/ocpi/versions' })).status, 401, 'the partner has a newer one');
  },
);

void t.test('keeps the answer of a partner that names a party which was not granted', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const emsp = await startEmsp(t);
  acceptCredentials(emsp, { countryCode: 'FR', partyId: 'NEW' });
  const { id } = await makePartner(api);
  const refused = await command(api, key, id, 'handshake', access(emsp));
  t.match(refused, {
    status: 409,
    json: {
      error: { code: 'OCPI_PARTY_NOT_GRANTED', message: /FR-NEW/, details: { step: 'registration' } },
    },
  });
  t.match(await readPartner(api, key, id), { registration: 'ANSWERED', status: 'PENDING' });
  const url = `/cpms/v1/ocpi-partners/${id}`;
  const payload = { parties: [{ countryCode: 'FR', partyId: 'NEW' }] };
  t.equal((await api.call(key, { method: 'PATCH', url, payload })).status, 200);
  emsp.received.length = 0;
  const done = await command(api, key, id, 'handshake');
  t.match(done.json, { data: { registration: 'REGISTERED', steps: [{ step: 'registration' }] } });
  t.same(emsp.received, [], 'the partner was not asked again');
});

void t.test('runs one of two handshakes at the same time', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const emsp = await startEmsp(t);
  const partner = acceptCredentials(emsp);
  const { id } = await makePartner(api);
  const payload = access(emsp);
  const answers = await Promise.all([1, 2, 3].map(() => command(api, key, id, 'handshake', payload)));
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const { status, json } of answers) {
    if (status !== 200) t.match(json, { error: { code: /OCPI_HANDSHAKE_RUNNING|OCPI_REGISTRATION_STATE/ } });
  }
  t.equal(partner.ours.length, 1);
});

void t.test('a handshake that waits for another sees how that one ended', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const emsp = await startEmsp(t);
  const partner = acceptCredentials(emsp);
  const { id } = await makePartner(api);
  partner.fault = { hangUp: true };
  await command(api, key, id, 'handshake', access(emsp));
  t.match(await readPartner(api, key, id), { registration: 'EXCHANGING' });
  const waiting = await sql.begin(async (other) => {
    await other`select from ocpi_partners where uuid = ${id} for no key update`;
    const second = command(api, key, id, 'handshake', access(emsp));
    await until('a second handshake that waits', async () => {
      const [row] = await sql<{ found: boolean }[]>`
        select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%ocpi_partners%') as found`;
      return row?.found;
    });
    await other`
      delete from ocpi_handshakes where partner_id = (select p.id from ocpi_partners p where p.uuid = ${id})`;
    await other`update ocpi_partners set status = 'REGISTERED', their_token = 'c', registered_at = now() where uuid = ${id}`;
    return { second };
  });
  t.match(await waiting.second, { status: 409, json: { error: { code: 'OCPI_REGISTRATION_STATE' } } });
  t.match(await readPartner(api, key, id), { registration: 'REGISTERED' });
});

void t.test('rotates our token with PUT credentials', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const emsp = await startEmsp(t);
  const partner = acceptCredentials(emsp);
  const { id } = await makePartner(api);
  t.match((await command(api, key, id, 'rotate-token')).json, { error: { code: 'PARTNER_NOT_REGISTERED' } });
  await command(api, key, id, 'handshake', access(emsp));
  const [first = ''] = partner.ours;

  partner.fault = { hangUp: true };
  const lost = await command(api, key, id, 'rotate-token');
  t.match(lost.json, { error: { code: 'OCPI_PARTNER_UNREACHABLE', details: { step: 'credentials' } } });
  t.match(await readPartner(api, key, id), { registration: 'RENEWING', status: 'REGISTERED' });
  const second = (await emsp.next('PUT', '/ocpi/emsp/2.2.1/credentials')).body['token'] as unknown as string;
  for (const token of [first, second]) {
    t.equal((await ocpi(api, token, { url: '/ocpi/cpo/2.2.1/locations' })).status, 200, 'both are valid');
  }
  t.match((await command(api, key, id, 'rotate-token')).json, { data: { registration: 'REGISTERED' } });
  t.same(partner.ours, [first, second], 'the repeat sent the same token');
  t.equal((await ocpi(api, first, { url: '/ocpi/versions' })).status, 401, 'the old one is void');
  t.equal((await ocpi(api, second, { url: '/ocpi/cpo/2.2.1/locations' })).status, 200);

  const audit = await api.call(key, { url: '/cpms/v1/audit-log?category=ocpi-partner' });
  t.match(items(audit.json['data'])[0], { action: 'rotate-token' });
  emsp.react('/ocpi/versions', { status: 503 }, 1);
  t.match((await command(api, key, id, 'rotate-token')).json, { error: { details: { step: 'versions' } } });
  t.match(
    await readPartner(api, key, id),
    { registration: 'REGISTERED', handshake: null },
    'nothing was sent',
  );
});

void t.test('unregisters with DELETE credentials, whether the partner answers or not', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const emsp = await startEmsp(t);
  const partner = acceptCredentials(emsp);
  const { id } = await makePartner(api);
  const tokenA = emsp.token;
  await command(api, key, id, 'handshake', access(emsp));
  t.match(await command(api, key, id, 'unregister'), {
    status: 200,
    json: { data: { registration: 'NONE', status: 'PENDING', outcome: 'CONFIRMED', reason: null } },
  });
  await emsp.next('DELETE', '/ocpi/emsp/2.2.1/credentials');
  t.equal((await ocpi(api, partner.ours[0] ?? '', { url: '/ocpi/versions' })).status, 401);
  t.match((await command(api, key, id, 'unregister')).json, { data: { outcome: 'NOT_ASKED' } });

  emsp.token = tokenA;
  await command(api, key, id, 'handshake', access(emsp));
  partner.fault = { status: 503 };
  t.match((await command(api, key, id, 'unregister')).json, {
    data: { registration: 'NONE', outcome: 'NOT_CONFIRMED', reason: /HTTP 503/ },
  });
  t.equal((await ocpi(api, partner.ours[1] ?? '', { url: '/ocpi/versions' })).status, 401);
});

void t.test('refuses commands of a registration in a state without them', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const emsp = await startEmsp(t);
  acceptCredentials(emsp);
  const { id } = await makePartner(api);
  t.match(await command(api, key, id, 'handshake'), {
    status: 409,
    json: { error: { code: 'OCPI_REGISTRATION_STATE', details: { registration: 'INVITED' } } },
  });
  for (const payload of [
    { token: 'a' },
    { versionsUrl: emsp.versionsUrl },
    { ...access(emsp), token: 'ä' },
  ]) {
    t.match(await command(api, key, id, 'handshake', payload), {
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED' } },
    });
  }
  await command(api, key, id, 'handshake', access(emsp));
  t.match((await command(api, key, id, 'handshake', access(emsp))).json, {
    error: { code: 'OCPI_REGISTRATION_STATE', details: { registration: 'REGISTERED' } },
  });
  const suspend = {
    method: 'PATCH',
    url: `/cpms/v1/ocpi-partners/${id}`,
    payload: { isSuspended: true },
  } as const;
  await api.call(key, suspend);
  for (const name of ['handshake', 'rotate-token'] as const) {
    t.match((await command(api, key, id, name)).json, { error: { code: 'PARTNER_NOT_REGISTERED' } });
  }
});

void t.test(
  'keeps the registration of a partner from strangers and callers without its rights',
  async (t) => {
    const api = await inNetwork(shared);
    const emsp = await startEmsp(t);
    const { id } = await makePartner(api);
    const other = await mintKey(await inNetwork(shared));
    const reader = await mintKey(api, { scopes: ['cpms:read:ocpi-partners'] });
    const manager = await mintKey(api, { scopes: ['cpms:read:ocpi-partners', 'cpms:write:ocpi-partners'] });
    for (const name of ['handshake', 'rotate-token', 'unregister'] as const) {
      const payload = name === 'handshake' ? access(emsp) : undefined;
      t.equal((await command(api, null, id, name, payload)).status, 401, name);
      t.match(await command(api, other, id, name, payload), {
        status: 404,
        json: { error: { code: 'PARTNER_NOT_FOUND' } },
      });
      t.equal((await command(api, reader, id, name, payload)).status, 403, name);
      if (name === 'unregister') continue;
      t.match((await command(api, manager, id, name, payload)).json, {
        error: { code: 'SCOPE_MISSING', details: { scope: 'cpms:command:remote-start' } },
      });
    }
    t.same(emsp.received, []);
  },
);
