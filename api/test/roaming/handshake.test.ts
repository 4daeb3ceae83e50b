import t from 'tap';
import { testSettings } from '#api/test/support/deps.ts';
import { mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { enveloped, startEmsp } from './support/emsp.ts';
import { credentialsOf, makePartner, ocpi, registerEmsp } from './support/partner.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

function exchange(api: TestApi, token: string, method: 'POST' | 'PUT', payload: object, version = '2.2.1') {
  return ocpi(api, token, { method, url: `/ocpi/${version}/credentials`, payload });
}

void t.test('returns versions and endpoints for a valid token in either encoding', async (t) => {
  const api = await startTestApi(t);
  const { registrationToken } = await makePartner(api);
  for (const shown of [registrationToken, base64(registrationToken)]) {
    t.match(await ocpi(api, shown, { url: '/ocpi/versions' }), {
      status: 200,
      json: {
        status_code: 1000,
        data: [
          { version: '2.1.1', url: 'http://chargeway.test/ocpi/2.1.1' },
          { version: '2.2', url: 'http://chargeway.test/ocpi/2.2' },
          { version: '2.2.1', url: 'http://chargeway.test/ocpi/2.2.1' },
          { version: '2.3.0', url: 'http://chargeway.test/ocpi/2.3.0' },
        ],
      },
    });
  }
  const details = await ocpi(api, registrationToken, { url: '/ocpi/2.2.1' });
  t.match(details.json['data'], { version: '2.2.1' });
  const endpoints = details.json['data']?.['endpoints'] as unknown as { identifier: string }[];
  t.match(
    endpoints.find(({ identifier }) => identifier === 'locations'),
    { role: 'SENDER', url: 'http://chargeway.test/ocpi/cpo/2.2.1/locations' },
  );
  t.match(await ocpi(api, registrationToken, { url: '/ocpi/2.1' }), {
    status: 404,
    json: { status_code: 2000 },
  });
});

void t.test('strict paths can be switched off', async (t) => {
  const api = await startTestApi(t, { settings: { ...testSettings, ocpiStrict: false } });
  const { registrationToken } = await makePartner(api);
  t.strictSame((await ocpi(api, registrationToken, { url: '/ocpi/versions' })).json['data'], [
    { version: '2.2', url: 'http://chargeway.test/ocpi/2.2' },
  ]);
  t.equal((await ocpi(api, registrationToken, { url: '/ocpi/2.2.1' })).status, 404);
});

void t.test('registers a partner after calling it back, and voids its registration token', async (t) => {
  const api = await startTestApi(t);
  const emsp = await startEmsp(t);
  const { id, registrationToken } = await makePartner(api);
  const headers = { 'x-request-id': 'req-1', 'x-correlation-id': 'cor-1', 'ocpi-from-party-id': 'EMS' };
  const answer = await ocpi(api, registrationToken, {
    method: 'POST',
    url: '/ocpi/2.2.1/credentials',
    payload: credentialsOf(emsp),
    headers,
  });
  t.match(answer, {
    status: 200,
    headers: { 'x-request-id': 'req-1', 'x-correlation-id': 'cor-1', 'ocpi-to-party-id': 'EMS' },
    json: {
      status_code: 1000,
      data: {
        url: 'http://chargeway.test/ocpi/versions',
        roles: [{ role: 'CPO', country_code: 'NL', party_id: 'CWY', business_details: { name: 'North' } }],
      },
    },
  });
  t.match(
    emsp.received.map(({ path }) => path),
    ['/ocpi/versions', '/ocpi/2.2.1'],
  );
  t.match(emsp.received[0]?.headers, {
    authorization: `Token ${base64(emsp.token)}`,
    'ocpi-from-country-code': undefined,
    'x-request-id': String,
    'x-correlation-id': String,
  });
  const token = answer.json['data']?.['token'] as unknown as string;
  t.equal((await ocpi(api, registrationToken, { url: '/ocpi/versions' })).status, 401, 'the old one is dead');
  t.match((await ocpi(api, token, { url: '/ocpi/2.2/credentials' })).json['data'], {
    token,
    roles: [{ role: 'CPO', countryCode: 'NL', partyId: 'CWY', businessDetails: { name: 'North' } }],
  });

  const key = await mintKey(api);
  const shown = await api.call(key, { url: `/cpms/v1/ocpi-partners/${id}` });
  t.match(shown.json['data'], {
    status: 'REGISTERED',
    countryCode: 'DE',
    partyId: 'EMS',
    ocpiVersion: '2.2.1',
    roles: [{ role: 'EMSP', name: 'Example eMSP' }],
  });
  t.equal((shown.json['data']?.['endpoints'] as unknown as unknown[] | undefined)?.length, 8);
  t.notMatch(shown.text + api.log(), emsp.token);
  t.notMatch(shown.text + api.log(), token);
});

void t.test('sends a token unencoded to a partner that expects it so', async (t) => {
  const api = await startTestApi(t);
  for (const version of ['2.2', '2.2.1']) {
    const emsp = await startEmsp(t);
    emsp.versions = [version];
    const party = { countryCode: 'DE', partyId: version === '2.2' ? 'RW2' : 'RW1' };
    const partner = { parties: [party], quirks: { tokenEncoding: 'raw' } };
    const { registrationToken } = await makePartner(api, partner);
    const answer = await ocpi(api, registrationToken, {
      method: 'POST',
      url: `/ocpi/${version}/credentials`,
      payload: credentialsOf(emsp, party),
    });
    t.equal(answer.status, 200, answer.text);
    t.strictSame(
      emsp.received.map(({ headers }) => headers.authorization),
      [`Token ${emsp.token}`, `Token ${emsp.token}`],
      version,
    );
  }
});

void t.test('rejects an invalid handshake by code without a change', async (t) => {
  const api = await startTestApi(t);
  const emsp = await startEmsp(t);
  const { registrationToken: token } = await makePartner(api);
  const good = credentialsOf(emsp);
  const fails = async (payload: object, expected: object, version?: string) =>
    t.match(await exchange(api, token, 'POST', payload, version), expected, JSON.stringify(expected));
  const callbackFailed = { status: 200, json: { status_code: 3001 } };

  await fails({ ...good, url: `${emsp.url}/elsewhere` }, { status: 200, json: { status_code: 3002 } });
  await fails({ ...good, token: 'another' }, callbackFailed);
  await fails({ ...good, url: 'http://127.0.0.1:1/ocpi/versions' }, callbackFailed);
  for (const reaction of [
    { status: 500 },
    { body: 'no json' },
    { body: enveloped([], 3000) },
    { hangUp: true },
  ]) {
    emsp.react('/ocpi/versions', reaction, 1);
    await fails(
      good,
      reaction.body === 'no json' ? { status: 200, json: { status_code: 3002 } } : callbackFailed,
    );
  }
  emsp.react('/ocpi/versions', { status: 302, headers: { location: `${emsp.url}/ocpi/2.2` } }, 1);
  await fails(good, callbackFailed);
  emsp.versions = ['2.2'];
  await fails(good, { status: 200, json: { status_code: 3002 } });
  emsp.versions = ['2.2.1'];
  emsp.react('/ocpi/2.2.1', { body: enveloped({ version: '2.2.1', endpoints: [] }) }, 1);
  await fails(good, { status: 200, json: { status_code: 3003 } });
  for (const payload of [
    { ...good, token: undefined },
    { ...good, url: 'ftp://x' },
    { ...good, roles: [] },
    { ...good, token: 7 },
  ]) {
    await fails(payload, { status: 400, json: { status_code: 2001 } });
  }
  await fails(good, { status: 404 }, '2.1');
  const nobody = { method: 'PUT', url: '/ocpi/2.2.1/credentials', payload: good } as const;
  t.match(
    await ocpi(api, token, nobody),
    { status: 405, json: { status_code: 2000 } },
    'PUT is for the registered',
  );
  t.equal((await ocpi(api, token, { method: 'DELETE', url: '/ocpi/2.2.1/credentials' })).status, 405);

  t.equal((await exchange(api, token, 'POST', good)).json['status_code'], 1000, 'and then it succeeds');
});

void t.test('refuses partner URLs inside our own network', async (t) => {
  const api = await startTestApi(t);
  const emsp = await startEmsp(t);
  const { registrationToken } = await makePartner(api);
  const { port } = new URL(emsp.url);
  for (const host of [
    '169.254.169.254',
    '10.0.0.1',
    '192.168.1.1',
    '[fd00::1]',
    '0.0.0.0',
    '[::ffff:10.0.0.1]',
    '100.64.0.1',
  ]) {
    const payload = { ...credentialsOf(emsp), url: `http://${host}:${port}/ocpi/versions` };
    const answer = await exchange(api, registrationToken, 'POST', payload);
    t.match(answer.json, { status_code: 3001, status_message: /address-refused/ }, host);
  }
  t.same(emsp.received, []);
});

void t.test('a registration is renewed with PUT, and ended with DELETE', async (t) => {
  const api = await startTestApi(t);
  const emsp = await startEmsp(t);
  const { id, token } = await registerEmsp(api, emsp, { version: '2.2' });
  t.equal(
    (await exchange(api, token, 'POST', credentialsOf(emsp))).status,
    405,
    'POST is for those who are not',
  );
  emsp.token = 'emsp-second-token';
  const renewed = await exchange(api, token, 'PUT', { token: emsp.token });
  const second = renewed.json['data']?.['token'] as unknown as string;
  t.not(second, token);
  t.equal((await ocpi(api, token, { url: '/ocpi/versions' })).status, 401);
  const key = await mintKey(api);
  t.match((await api.call(key, { url: `/cpms/v1/ocpi-partners/${id}` })).json['data'], {
    ocpiVersion: '2.2.1',
  });

  const other = { method: 'DELETE', url: '/ocpi/2.2/credentials/DE/XXX' } as const;
  t.match(await ocpi(api, second, other), { status: 404, json: { status_code: 2000 } });
  const own = { method: 'DELETE', url: '/ocpi/2.2/credentials/DE/EMS' } as const;
  t.match(await ocpi(api, second, own), { status: 200, json: { status_code: 1000, data: undefined } });
  t.equal((await ocpi(api, second, { url: '/ocpi/versions' })).status, 401);
});

void t.test('accepts one of two concurrent registrations with one token', async (t) => {
  const api = await startTestApi(t);
  const emsp = await startEmsp(t);
  const { registrationToken } = await makePartner(api);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => exchange(api, registrationToken, 'POST', credentialsOf(emsp))),
  );
  const succeeded = answers.filter(({ json }) => (json['status_code'] as unknown) === 1000);
  t.equal(succeeded.length, 1);
  for (const answer of answers) if (!succeeded.includes(answer)) t.match(answer.status, /401|405/);
  const token = succeeded[0]?.json['data']?.['token'] as unknown as string;
  t.equal((await ocpi(api, token, { url: '/ocpi/versions' })).status, 200);
});

void t.test('answers callers without access with an envelope only', async (t) => {
  const api = await startTestApi(t);
  const emsp = await startEmsp(t);
  const { id, token } = await registerEmsp(api, emsp);
  const url = '/ocpi/versions';
  t.match(await ocpi(api, null, { url }), {
    status: 401,
    json: { status_code: 2000, status_message: /OCPI_TOKEN_MISSING/ },
  });
  t.match(await ocpi(api, 'wrong', { url }), {
    status: 401,
    json: { status_message: /OCPI_TOKEN_INVALID/ },
  });
  t.match(await ocpi(api, token, { url: '/ocpi/nothing/here' }), {
    status: 404,
    json: { status_code: 2000 },
  });
  const key = await mintKey(api);
  const payload = { isSuspended: true };
  await api.call(key, { method: 'PATCH', url: `/cpms/v1/ocpi-partners/${id}`, payload });
  t.match(await ocpi(api, token, { url }), {
    status: 403,
    json: { status_message: /OCPI_PARTNER_SUSPENDED/ },
  });
  await api.call(key, {
    method: 'PATCH',
    url: `/cpms/v1/ocpi-partners/${id}`,
    payload: { isSuspended: false },
  });
  t.equal((await ocpi(api, token, { url })).status, 200);
});
