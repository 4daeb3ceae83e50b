import t from 'tap';
import { testSettings } from '#api/test/support/deps.ts';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { startEmsp } from './support/emsp.ts';
import { makePartner, ocpi, registerEmsp } from './support/partner.ts';

const shared = await startTestApi(t);

void t.test('limits the requests of one partner within an hour', async (t) => {
  const api = shared;
  const key = await mintKey(api);
  const { id, token } = await registerEmsp(api, await startEmsp(t));
  const other = { countryCode: 'FR', partyId: 'TWO' };
  const second = await registerEmsp(api, await startEmsp(t, other), { party: other });
  const limit = (rateLimitPerHour: unknown) =>
    api.call(key, { method: 'PATCH', url: `/cpms/v1/ocpi-partners/${id}`, payload: { rateLimitPerHour } });
  const versions = { url: '/ocpi/versions', headers: { 'x-correlation-id': 'cor-9' } };

  const free = await ocpi(api, token, versions);
  t.notOk('ratelimit-limit' in free.headers, 'no limit headers for a partner without a limit');
  t.match(await limit(3), { status: 200, json: { data: { rateLimitPerHour: 3 } } });
  for (const [left, request] of [
    [2, versions],
    [1, { url: '/ocpi/nothing/here' }],
    [0, { method: 'PUT', url: '/ocpi/cpo/2.2/locations/L1', payload: {} }],
  ] as const) {
    const { headers } = await ocpi(api, token, request);
    t.match(headers, { 'ratelimit-limit': 3, 'ratelimit-remaining': left }, 'whatever comes of a request');
  }
  const refused = await ocpi(api, token, versions);
  t.match(refused, {
    status: 429,
    headers: { 'ratelimit-remaining': 0, 'x-correlation-id': 'cor-9' },
    json: { status_code: 2000, status_message: /RATE_LIMITED: .*try again in \d+ s/, timestamp: String },
  });
  const retryAfter = Number(refused.headers['retry-after']);
  t.ok(retryAfter > 3500 && retryAfter <= 3600, `${retryAfter} s`);
  t.equal((await ocpi(api, second.token, versions)).status, 200);
  t.equal((await ocpi(api, 'wrong', versions)).status, 401, 'and limits of others are not revealed');

  t.match(await limit(null), { status: 200, json: { data: { rateLimitPerHour: null } } });
  t.equal((await ocpi(api, token, versions)).status, 200);
});

void t.test('counts the requests of partners in the limit of their network', async (t) => {
  const versions = { url: '/ocpi/versions' };
  const api = await startTestApi(t, { settings: { ...testSettings, networkRequestsPerMinute: 6 } });
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const tokenOf = async (partyId: string, networkUuid: string) => {
    const parties = [{ countryCode: 'DE', partyId }];
    return (await makePartner(api, { networkUuid, parties })).registrationToken;
  };
  const first = await tokenOf('ONE', api.network.uuid);
  const second = await tokenOf('TWO', api.network.uuid);
  const foreign = await tokenOf('FAR', api.otherNetwork.uuid);
  for (const remaining of [5, 4, 3, 2, 1, 0]) {
    const { headers } = await ocpi(api, first, versions);
    t.match(headers, { 'ratelimit-limit': 6, 'ratelimit-remaining': remaining });
  }
  const refused = await ocpi(api, second, versions);
  t.match(refused, {
    status: 429,
    headers: { 'ratelimit-limit': 6 },
    json: { status_code: 2000, status_message: /^RATE_LIMITED: / },
  });
  const retryAfter = Number(refused.headers['retry-after']);
  t.ok(retryAfter >= 1 && retryAfter <= 60, `${retryAfter} s`);
  t.match(await api.call(await mintKey(api), { url: '/cpms/v1/locations' }), { status: 429 });
  t.equal((await ocpi(api, foreign, versions)).status, 200, 'a partner of another network');
  t.equal((await api.call(other, { url: '/cpms/v1/locations' })).status, 200, 'and a key of it');
});

void t.test('sets the request limit of a partner by operators of its network', async (t) => {
  const api = shared;
  const key = await mintKey(api);
  const { id, registrationToken } = await makePartner(api, { parties: [], rateLimitPerHour: 1 });
  const url = `/cpms/v1/ocpi-partners/${id}`;
  t.match((await api.call(key, { url })).json['data'], { rateLimitPerHour: 1 });
  t.equal((await ocpi(api, registrationToken, { url: '/ocpi/versions' })).status, 200);
  t.equal(
    (await ocpi(api, registrationToken, { url: '/ocpi/versions' })).status,
    429,
    'before it registers too',
  );
  const listed = items((await api.call(key, { url: '/cpms/v1/ocpi-partners' })).json['data']);
  t.match(listed.at(-1), { id, rateLimitPerHour: 1 });
  const change = (payload: object, as = key) => api.call(as, { method: 'PATCH', url, payload });
  t.match(
    await change({ name: 'Another' }),
    { json: { data: { rateLimitPerHour: 1 } } },
    'what is left out stays',
  );
  for (const rateLimitPerHour of [0, -1, 1.5, '5', 2 ** 31]) {
    t.match(await change({ rateLimitPerHour }), { status: 400 }, String(rateLimitPerHour));
  }
  const elsewhere = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.equal((await change({ rateLimitPerHour: 9 }, elsewhere)).status, 404);
  await change({ rateLimitPerHour: 9 });
  const [audited] = await api.stores.sql`
    select details from audit_log where resource_id = ${id} order by id desc limit 1`;
  t.match(audited, { details: { before: { rateLimitPerHour: 1 }, after: { rateLimitPerHour: 9 } } });
});
