import t from 'tap';
import { type Json, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { inNetwork, seedPlace, setStatus } from '#api/test/roaming/support/pushing.ts';
import { addFeed, feedsPath, getFile, publicPlace } from './support.ts';

const shared = await startTestApi(t);
const ids = (json: { features?: { id: string }[] }) => json.features?.map(({ id }) => id);

void t.test('publishes the chosen locations of the network, as far as they are published', async (t) => {
  const api = await inNetwork(shared);
  const { location } = await publicPlace(api);
  const other = await seedPlace(api);
  const hidden = await seedPlace(api);
  const { sql } = api.stores;
  await sql`update locations set is_published = false where id = ${hidden.location.id}`;
  const id = await addFeed(api, 'geojson');
  t.same(ids((await getFile(api, id)).json()), [location.uuid, other.location.uuid]);
  const key = await mintKey(api);
  const change = { method: 'PATCH', url: `${feedsPath}/${id}` } as const;
  const chosen = await api.call(key, {
    ...change,
    payload: { locationIds: [other.location.uuid, hidden.location.uuid] },
  });
  t.match(chosen, {
    status: 200,
    json: { data: { locationIds: [other.location.uuid, hidden.location.uuid] } },
  });
  t.same(ids((await getFile(api, id)).json()), [other.location.uuid]);
  const foreign = await seedPlace(api, api.otherNetwork.id);
  const refused = await api.call(key, {
    ...change,
    payload: { locationIds: [other.location.uuid, foreign.location.uuid] },
  });
  t.match(refused, { status: 400, json: { error: { details: { errors: [{ field: 'locationIds.1' }] } } } });
});

void t.test('answers 304 until a state, a tariff or the feed changes', async (t) => {
  const api = await inNetwork(shared);
  const { charger, tariff } = await publicPlace(api);
  const id = await addFeed(api, 'geojson');
  const etagOf = async () => String((await getFile(api, id)).headers['etag']);
  const statusOf = async (etag: string) => (await getFile(api, id, { 'if-none-match': etag })).statusCode;
  let etag = await etagOf();
  t.equal(await statusOf(etag), 304);
  const changes: [string, () => PromiseLike<unknown>][] = [
    ['a state', () => setStatus(api, charger.id, 'Charging')],
    [
      'a tariff',
      () => api.stores.sql`update tariffs set name = 'Night', updated_at = now() where uuid = ${tariff.uuid}`,
    ],
    [
      'the feed',
      async () =>
        api.call(await mintKey(api), {
          method: 'PATCH',
          url: `${feedsPath}/${id}`,
          payload: { isEnabled: true },
        }),
    ],
  ];
  for (const [what, change] of changes) {
    await change();
    t.equal(await statusOf(etag), 200, what);
    etag = await etagOf();
    t.equal(await statusOf(etag), 304, `after ${what}`);
  }
});

void t.test('answers 404 for a disabled, a deleted and an unknown feed', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const id = await addFeed(api, 'summary', { isEnabled: false });
  const missing = { statusCode: 404, body: /FEED_NOT_FOUND/ };
  t.match(await getFile(api, id), missing);
  await api.call(key, { method: 'PATCH', url: `${feedsPath}/${id}`, payload: { isEnabled: true } });
  t.equal((await getFile(api, id)).statusCode, 200);
  t.equal((await api.call(key, { method: 'DELETE', url: `${feedsPath}/${id}` })).status, 200);
  t.match(await getFile(api, id), missing);
  t.equal((await getFile(api, 'x')).statusCode, 400);
});

void t.test('refuses a second feed of a format, and repeats at the same time make one', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const post = { method: 'POST', url: feedsPath, payload: { format: 'geojson' } } as const;
  const answers = await Promise.all([api.call(key, post), api.call(key, post), api.call(key, post)]);
  t.same(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [201, 409, 409],
  );
  t.match(answers.find(({ status }) => status === 409)?.json, { error: { code: 'FEED_EXISTS' } });
});

void t.test('reports what a file omits, and omits it', async (t) => {
  const api = await inNetwork(shared);
  const { evses } = await publicPlace(api);
  const { sql } = api.stores;
  await sql`update evses set evse_id = 'no id' where id = ${evses[0]?.id ?? 0}`;
  await sql`update networks set support_email = null where id = ${api.network.id}`;
  const id = await addFeed(api, 'irve-static', { isEnabled: false });
  const report = async () =>
    (await api.call(await mintKey(api), { url: `${feedsPath}/${id}/report` })).json['data'] as Json;
  t.match(await report(), {
    locations: 1,
    evses: 2,
    omittedEvses: 2,
    problems: [
      { evseUid: evses[0]?.uid, field: 'evseId', effect: 'omitted' },
      { evseUid: evses[0]?.uid, field: 'supportEmail', effect: 'omitted' },
      { evseUid: evses[1]?.uid, field: 'supportEmail', effect: 'omitted' },
      { evseUid: null, field: 'ocpiId', effect: 'incomplete' },
    ],
  });
  await sql`update networks set support_email = 'help@harbour.example' where id = ${api.network.id}`;
  t.match(await report(), { omittedEvses: 1 });
  await api.call(await mintKey(api), {
    method: 'PATCH',
    url: `${feedsPath}/${id}`,
    payload: { isEnabled: true },
  });
  t.equal((await getFile(api, id)).body.trim().split('\n').length, 2, 'the header and one EVSE');
});

void t.test('hides feeds from another network and a driver', async (t) => {
  const api = await inNetwork(shared);
  const id = await addFeed(api, 'geojson');
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  for (const url of [`${feedsPath}/${id}`, `${feedsPath}/${id}/report`]) {
    t.equal((await api.call(foreign, { url })).status, 404, url);
    t.equal((await api.app.inject({ url })).statusCode, 401, url);
  }
  t.same((await api.call(foreign, { url: feedsPath })).json['data'], []);
  const change = { method: 'PATCH', url: `${feedsPath}/${id}`, payload: { isEnabled: false } } as const;
  t.equal((await api.call(foreign, change)).status, 404);
  t.equal((await api.call(foreign, { method: 'DELETE', url: `${feedsPath}/${id}` })).status, 404);
  t.equal((await getFile(api, id)).statusCode, 200, 'it is still published');
});

void t.test('limits the requests of an address for a feed', async (t) => {
  const api = await inNetwork(shared);
  const id = await addFeed(api, 'summary');
  let last = await getFile(api, id);
  for (let sent = 1; sent <= 720 && last.statusCode === 200; sent += 1) last = await getFile(api, id);
  t.match(last, { statusCode: 429, body: /RATE_LIMITED/ });
});
