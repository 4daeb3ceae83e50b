import t from 'tap';
import type { Test } from 'tap';
import { testSettings } from '#api/test/support/deps.ts';
import { type Answer, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { seedUser } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';

const url = '/cpms/v1/locations';
const limit = 60;

/** Answer beyond the limit. The requests of a test take seconds, so all of them are in one window of a minute. */
const refused = {
  status: 429,
  headers: { 'ratelimit-limit': limit, 'ratelimit-remaining': 0 },
  json: { error: { code: 'RATE_LIMITED', details: { limit } } },
};

/** Starts an API, and limits the first network of its two by a caller of all networks. */
async function startLimited(t: Test, changed: Parameters<typeof startTestApi>[1] = {}) {
  const api = await startTestApi(t, changed);
  const root = await mintKey(api, { unrestricted: true, networkIds: [] });
  const made = await setLimit(api, root, limit);
  t.match(made, { status: 200, json: { data: { rateLimitPerMinute: limit } } }, made.text);
  const key = await mintKey(api);
  await until('the limit is in force', async () => {
    const { headers } = await api.call(key, { url });
    return Number(headers['ratelimit-limit']) === limit;
  });
  return { api, root, key };
}

function setLimit(api: TestApi, key: string, rateLimitPerMinute: number | null): Promise<Answer> {
  const { uuid } = api.network;
  return api.call(key, {
    method: 'PATCH',
    url: `/cpms/v1/networks/${uuid}`,
    payload: { rateLimitPerMinute },
  });
}

/** Sends requests until one is refused. */
async function exhaust(api: TestApi, key: string): Promise<Answer> {
  for (let sent = 0; sent <= limit; sent += 1) {
    const answer = await api.call(key, { url });
    if (answer.status === 429) return answer;
  }
  throw new Error('no request was refused');
}

void t.test(
  'refuses the calls of a network that exceeds its limit, and none of another network',
  async (t) => {
    const { api, root, key } = await startLimited(t);
    const { network, otherNetwork } = api;
    const sister = await mintKey(api);
    const other = await mintKey(api, { networkIds: [otherNetwork.id] });
    const { id: userId } = await seedUser(api.stores.sql, network.id);
    const driver = await mintKey(api, { apiFamily: 'emsp', userId });

    const first = await exhaust(api, key);
    t.match(first, refused);
    const retryAfter = Number(first.headers['retry-after']);
    t.ok(retryAfter >= 1 && retryAfter <= 60, `${retryAfter} s`);
    t.match(await api.call(sister, { url }), refused, 'another key of the network');
    t.match(await api.call(driver, { url: '/emsp/v1/sessions' }), { status: 429 }, 'a driver of the network');

    const free = await api.call(other, { url });
    t.equal(free.status, 200, 'a key of another network');
    t.notOk('ratelimit-limit' in free.headers);
    t.equal((await api.call(root, { url })).status, 200, 'a caller of all networks');
    const both = await mintKey(api, { networkIds: [network.id, otherNetwork.id] });
    t.equal((await api.call(both, { url })).status, 200, 'a caller that also has another network');

    t.match(await setLimit(api, root, null), { status: 200, json: { data: { rateLimitPerMinute: null } } });
    await until('the limit is lifted', async () => (await api.call(key, { url })).status === 200);
  },
);

void t.test('limits every network by the default, except those with a limit of their own', async (t) => {
  const { api, key } = await startLimited(t, {
    settings: { ...testSettings, networkRequestsPerMinute: 100 },
  });
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.match((await api.call(other, { url })).headers, { 'ratelimit-limit': 100 });
  const both = await mintKey(api, { networkIds: [api.network.id, api.otherNetwork.id] });
  await exhaust(api, key);
  t.match(
    (await api.call(both, { url })).headers,
    { 'ratelimit-limit': 100 },
    'counted in the second network',
  );
});

void t.test('shows the limit with the fewest requests left, of a key and of its network', async (t) => {
  const { api } = await startLimited(t);
  const narrow = await mintKey(api, { rateLimitPerHour: 2 });
  t.match((await api.call(narrow, { url })).headers, { 'ratelimit-limit': 2, 'ratelimit-remaining': 1 });
  await api.call(narrow, { url });
  t.match(await api.call(narrow, { url }), { status: 429, headers: { 'ratelimit-limit': 2 } });
  const wide = await mintKey(api, { rateLimitPerHour: 1000 });
  t.match((await api.call(wide, { url })).headers, { 'ratelimit-limit': limit });
});

void t.test('lets only callers of all networks change the limit of a network', async (t) => {
  const api = await startTestApi(t);
  const root = await mintKey(api, { unrestricted: true, networkIds: [] });
  const own = await mintKey(api);
  const notAllowed = { status: 403, json: { error: { code: 'NETWORK_NOT_ALLOWED' } } };
  t.match(await setLimit(api, own, 1000), notAllowed);
  t.equal((await setLimit(api, own, null)).status, 200, 'the present limit is no change');
  t.equal((await setLimit(api, root, 1000)).status, 200);
  t.match(await setLimit(api, own, null), notAllowed);
  t.match(await setLimit(api, own, 60), notAllowed);
  t.equal((await setLimit(api, await mintKey(api, { networkIds: [api.otherNetwork.id] }), 60)).status, 404);
  t.equal((await setLimit(api, root, 59)).status, 400);
  const seen = await api.call(own, { url: `/cpms/v1/networks/${api.network.uuid}` });
  t.match(seen.json['data'], { rateLimitPerMinute: 1000 }, 'the network can read it');
});
