import t from 'tap';
import { ratePerAddress } from '#api/services/kernel/rates.ts';
import { loadConfig } from '#shared/config/config.ts';
import { ConfigError } from '#shared/config/config-error.ts';
import { bearer, signUp } from '#api/test/support/drivers.ts';
import { type Answer, mintKey, register, startTestApi } from '#api/test/support/fixtures.ts';
import { addLocation, addTariff } from '#api/test/support/records.ts';

const origin = 'https://app.example.org';
const api = await startTestApi(t, { corsOrigins: [origin, 'http://localhost:5173'] });
const operatorKey = await mintKey(api);
const { sql } = api.stores;

const charger = await register(api, operatorKey, { serial: 'CP-QR' });
const hidden = await register(api, operatorKey, { serial: 'CP-HIDDEN' });
const location = await addLocation(sql, api.network.id);
await sql`update chargers set location_id = ${location.id}, is_public = (uuid <> ${hidden.id})`;
await addTariff(sql, api.network.id);

function mint(payload: object, key = operatorKey): Promise<Answer> {
  return api.call(key, { method: 'POST', url: '/cpms/v1/public-api-keys', payload });
}

async function publishableKey(payload: object = {}): Promise<string> {
  const made = await mint({ keyType: 'Publishable', ...payload });
  if (made.status !== 201) throw new Error(made.text);
  return made.json['data']?.['key'] as unknown as string;
}

const corsHeaders = ({ headers }: Answer) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

void t.test('a publishable key is minted with a visible prefix, the public scope and a rate', async (t) => {
  const made = await mint({ keyType: 'Publishable', name: 'Web app' });
  t.match(made.json['data'], {
    key: /^pk_/,
    keyPrefix: /^pk_/,
    keyType: 'Publishable',
    visibility: 'Publishable',
    keyClass: 'ClientSide',
    apiFamily: 'emsp',
    userId: null,
    rateLimitPerHour: 36_000,
  });
  t.same(made.json['data']?.['permissions'], ['emsp:public']);
});

void t.test('a publishable key takes neither a driver nor scopes', async (t) => {
  const driver = await signUp(api, 'no-driver@example.org');
  for (const payload of [{ userId: driver.id }, { scopes: ['emsp:read'] }]) {
    t.match(await mint({ keyType: 'Publishable', ...payload }), {
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED' } },
    });
  }
});

void t.test('a publishable key is bounded by its creator', async (t) => {
  const unable = await mintKey(api, { scopes: ['cpms:write:api-keys', 'cpms:read:chargers'] });
  t.match(await mint({ keyType: 'Publishable' }, unable), {
    status: 403,
    json: { error: { code: 'SCOPE_MISSING', details: { scope: 'cpms:read:networks' } } },
  });
  const limited = await mintKey(api, { rateLimitPerHour: 50 });
  t.match((await mint({ keyType: 'Publishable' }, limited)).json['data'], { rateLimitPerHour: 50 });
  t.match(await mint({ keyType: 'Publishable', rateLimitPerHour: 51 }, limited), {
    status: 403,
    json: { error: { code: 'KEY_LIMIT_EXCEEDED' } },
  });
});

void t.test('a publishable key reads branding, public chargers and prices', async (t) => {
  const key = await publishableKey();
  const branding = await api.call(key, { url: `/emsp/v1/networks/${api.network.uuid}/branding` });
  t.match(branding, { status: 200, json: { name: 'North' } });
  const info = await api.call(key, { url: '/emsp/v1/chargers/CP-QR/info' });
  t.match(info, { status: 200, json: { uid: 'CP-QR', pricing: { tariff: { currency: 'EUR' } } } });
  const price = (chargerId: string) =>
    api.call(key, {
      method: 'POST',
      url: '/emsp/v1/pricing/calculate',
      payload: { chargerId, energyKwh: 10, chargingMinutes: 60 },
    });
  t.match(await price(charger.id), { status: 200, json: { chargerId: charger.id } });
  t.match(await price(hidden.id), { status: 400, json: { code: 'VALIDATION_FAILED' } }, 'not public');
  t.equal((await api.call(key, { url: '/emsp/v1/chargers/CP-HIDDEN/info' })).status, 404);
});

void t.test('a publishable key of one network reads nothing of another', async (t) => {
  const made = await api.call(await mintKey(api, { networkIds: [api.otherNetwork.id] }), {
    method: 'POST',
    url: '/cpms/v1/public-api-keys',
    payload: { keyType: 'Publishable' },
  });
  const key = made.json['data']?.['key'] as unknown as string;
  t.equal((await api.call(key, { url: `/emsp/v1/networks/${api.network.uuid}/branding` })).status, 404);
  t.equal((await api.call(key, { url: '/emsp/v1/chargers/CP-QR/info' })).status, 404);
});

const open = new Set([
  'GET /emsp/v1/networks/{networkId}/branding',
  'GET /emsp/v1/chargers/{identifier}/info',
  'POST /emsp/v1/pricing/calculate',
]);

void t.test('a publishable key is refused by every other route of both APIs', async (t) => {
  const key = await publishableKey();
  const { json } = await api.call(null, { url: '/openapi.json' });
  const driver = await signUp(api, 'every-route@example.org');
  let refused = 0;
  for (const [path, methods] of Object.entries(json['paths'] ?? {})) {
    const isPublic = path.startsWith('/emsp/v1/');
    if (!isPublic && !path.startsWith('/cpms/v1/')) continue;
    for (const [method, operation] of Object.entries(methods)) {
      // Of the routes that take a key: those of the login take none.
      if (!JSON.stringify(operation['security']).includes('ApiKey')) continue;
      const name = `${method.toUpperCase()} ${path}`;
      const url = path.replaceAll(/\{\w+\}/g, isPublic ? driver.id : charger.id);
      const answer = await api.call(key, { method: method.toUpperCase(), url });
      if (open.has(name)) {
        t.not(answer.status, 403, name);
        continue;
      }
      const code = isPublic ? answer.json['code'] : answer.json['error']?.['code'];
      t.same([answer.status, code], [403, isPublic ? 'SCOPE_MISSING' : 'API_FAMILY_MISMATCH'], name);
      refused += 1;
    }
  }
  t.ok(refused > 100, `${refused} routes`);
});

void t.test('a publishable key is limited by client address before it is limited as a whole', async (t) => {
  const key = await publishableKey({ rateLimitPerHour: 10_000 });
  const url = `/emsp/v1/networks/${api.network.uuid}/branding`;
  const from = (remoteAddress: string) => api.call(key, { url, remoteAddress });
  const first = await from('192.0.2.1');
  t.match(first.headers, { 'ratelimit-limit': ratePerAddress, 'ratelimit-remaining': ratePerAddress - 1 });
  for (let sent = 1; sent < ratePerAddress; sent += 1)
    await api.bus.count(await counterOf(key, '192.0.2.1'), 3_600_000);
  t.match(await from('192.0.2.1'), { status: 429, json: { code: 'RATE_LIMITED' } });
  t.equal((await from('192.0.2.2')).status, 200, 'another address');
});

void t.test('a publishable key is refused at its own rate from any address', async (t) => {
  const key = await publishableKey({ rateLimitPerHour: 2 });
  const url = `/emsp/v1/networks/${api.network.uuid}/branding`;
  const statuses = [];
  for (const remoteAddress of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
    statuses.push((await api.call(key, { url, remoteAddress })).status);
  }
  t.same(statuses, [200, 200, 429]);
});

/** The counter of one address with a key. */
async function counterOf(key: string, address: string): Promise<string> {
  const [row] = await sql<{ id: number }[]>`select id from api_keys where last4 = ${key.slice(-4)}`;
  return `key:${row?.id}:${address}`;
}

void t.test('a preflight of an allowed origin is answered without a key', async (t) => {
  for (const url of ['/emsp/v1/charging/start', '/cpms/v1/chargers/1', '/emsp/v1/no-such-path']) {
    const answer = await api.call(null, {
      method: 'OPTIONS',
      url,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key,content-type',
      },
    });
    t.match(answer, {
      status: 204,
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': /POST/,
        'access-control-allow-headers': /X-API-Key/,
        'access-control-max-age': '600',
        vary: /Origin/,
      },
    });
    t.notOk('access-control-allow-credentials' in answer.headers);
  }
});

void t.test('an allowed origin reads answers and errors with the headers that they have', async (t) => {
  const key = await publishableKey();
  const branding = { url: `/emsp/v1/networks/${api.network.uuid}/branding`, headers: { origin } };
  for (const [answer, status] of [
    [await api.call(key, branding), 200],
    [await api.call(null, branding), 401],
    [await api.call(key, { url: '/emsp/v1/users', headers: { origin } }), 403],
    [await api.call(key, { url: '/emsp/v1/no-such-path', headers: { origin } }), 404],
    [await api.call(null, { url: '/cpms/v1/me', headers: { origin } }), 401],
  ] as const) {
    t.match(answer, { status, headers: { 'access-control-allow-origin': origin, vary: /Origin/ } });
    for (const name of [
      'ETag',
      'Retry-After',
      'RateLimit-Remaining',
      'X-Request-Id',
      'Idempotency-Replayed',
    ]) {
      t.match(answer.headers['access-control-expose-headers'], name);
    }
  }
});

void t.test('another origin gets no CORS header', async (t) => {
  const key = await publishableKey();
  const url = `/emsp/v1/networks/${api.network.uuid}/branding`;
  for (const other of [
    'https://evil.example.org',
    'https://app.example.org.evil.net',
    'http://app.example.org',
    'null',
  ]) {
    const answer = await api.call(key, { url, headers: { origin: other } });
    t.equal(answer.status, 200);
    t.same(corsHeaders(answer), [], other);
    const preflight = await api.call(null, {
      method: 'OPTIONS',
      url,
      headers: { origin: other, 'access-control-request-method': 'GET' },
    });
    t.equal(preflight.status, 401);
    t.same(corsHeaders(preflight), [], other);
  }
  t.same(corsHeaders(await api.call(key, { url })), [], 'none at all');
});

void t.test('no origin is allowed by default', async (t) => {
  const closed = await startTestApi(t);
  const answer = await closed.call(null, {
    method: 'OPTIONS',
    url: '/emsp/v1/chargers',
    headers: { origin, 'access-control-request-method': 'GET' },
  });
  t.equal(answer.status, 401);
  t.same(corsHeaders(answer), []);
});

void t.test('a driver logs in and reads from an allowed origin without a key', async (t) => {
  const driver = await signUp(api, 'browser@example.org');
  const answer = await api.call(null, {
    url: '/emsp/v1/auth/driver/me',
    headers: { origin, ...bearer(driver.access) },
  });
  t.match(answer, { status: 200, headers: { 'access-control-allow-origin': origin } });
});

const read = (value: string) => loadConfig({ CORS_ORIGINS: value }).corsOrigins;

void t.test('CORS_ORIGINS takes exact origins only', async (t) => {
  t.same(loadConfig({}).corsOrigins, []);
  t.same(read(` ${origin}, http://localhost:5173,${origin}`), [origin, 'http://localhost:5173']);
  for (const wrong of [
    '*',
    'null',
    'app.example.org',
    `${origin}/`,
    `${origin}/login`,
    'https://APP.example.org',
    'https://app.example.org:443',
    'https://*.example.org',
    'file://',
    'https://user@app.example.org',
  ]) {
    t.throws(() => read(wrong), ConfigError, wrong);
  }
});
