import t from 'tap';
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
