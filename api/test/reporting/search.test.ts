import t from 'tap';
import { mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { seedLargeFleet } from '#shared/testing/large-fleet.ts';

async function startSearch(t: Parameters<typeof startTestApi>[0]) {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  await seedLargeFleet(sql, api.network.id, { chargers: 200 });
  await sql`
    insert into users (network_id, email, name) values (${api.network.id}, 'ada@drivers.example', 'Ada Quay'),
      (${api.otherNetwork.id}, 'eve@drivers.example', 'Eve Quay')`;
  await sql`
    insert into id_tokens (network_id, user_id, uid, type)
    select network_id, id, 'CARD' || upper(name), 'RFID' from users`;
  return { api, key: await mintKey(api) };
}

async function search(api: TestApi, key: string, q: string) {
  const { status, json } = await api.call(key, { url: `/cpms/v1/search?q=${encodeURIComponent(q)}` });
  if (status !== 200) throw new Error(JSON.stringify(json));
  return json['data'];
}

const nothing = { chargers: [], sessions: [], drivers: [], tokens: [], locations: [], evses: [] };

void t.test('finds records of each kind by their names', async (t) => {
  const { api, key } = await startSearch(t);
  const { sql } = api.stores;
  const [session] = await sql<{ uuid: string; id: string; uid: string }[]>`
    select s.uuid, s.ocpp_transaction_id as id, c.uid from sessions s join chargers c on c.id = s.charger_id limit 1`;
  const [evse] = await sql<{ id: string; uid: string }[]>`
    select e.evse_id as id, c.uid from evses e join chargers c on c.id = e.charger_id limit 1`;
  t.same(await search(api, key, 'no such thing'), nothing);
  t.match(await search(api, key, 'fl-000017'), { chargers: [{ name: 'FL-000017' }] });
  t.equal((await search(api, key, 'FL-0000'))?.['chargers']?.['length'], 5);
  const bySession = { sessions: [{ id: session?.uuid, name: session?.id, detail: session?.uid }] };
  t.match(await search(api, key, session?.id ?? ''), bySession);
  t.match(await search(api, key, session?.uuid ?? ''), bySession);
  t.match(await search(api, key, session?.uuid.slice(0, 11).toUpperCase() ?? ''), bySession);
  t.match(await search(api, key, 'Quay'), { drivers: [{ name: 'Ada Quay', detail: 'ada@drivers.example' }] });
  t.match(await search(api, key, 'ada@'), { drivers: [{ name: 'Ada Quay' }] });
  t.match(await search(api, key, 'cardada'), { tokens: [{ name: 'CARDADA QUAY', detail: null }] });
  t.match(await search(api, key, 'Amsterdam Station'), { locations: [{ name: /^Amsterdam/ }] });
  t.match(await search(api, key, evse?.id.replaceAll('*', '').toLowerCase() ?? ''), {
    evses: [{ name: evse?.id, detail: evse?.uid }],
  });
});

void t.test('shows nothing of other networks, and only kinds within the scopes', async (t) => {
  const { api, key } = await startSearch(t);
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const reader = await mintKey(api, { scopes: ['cpms:read:locations'] });
  for (const q of ['FL-0000', 'TAG', 'Ada', 'Amsterdam']) t.same(await search(api, other, q), nothing, q);
  t.same(await search(api, reader, 'FL-0000'), {
    chargers: null,
    sessions: null,
    drivers: null,
    tokens: null,
    locations: [],
    evses: null,
  });
  for (const q of ['', 'a', 'a\u0000b']) {
    const answer = await api.call(key, { url: `/cpms/v1/search?q=${encodeURIComponent(q)}` });
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, JSON.stringify(q));
  }
  const named = `/cpms/v1/search?q=quay&networkId=${api.otherNetwork.uuid}`;
  t.match(await api.call(key, { url: named }), {
    status: 404,
    json: { error: { code: 'NETWORK_NOT_FOUND' } },
  });
  t.equal((await api.call(null, { url: '/cpms/v1/search?q=quay' })).status, 401);
});
