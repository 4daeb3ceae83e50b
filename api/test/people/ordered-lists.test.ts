import t, { type Test } from 'tap';
import { items, type Json, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { addUser } from '#api/test/support/records.ts';

const drivers = '/cpms/v1/users';
const tokens = '/cpms/v1/id-tokens';
const text = (json: Json | undefined) => json as unknown as string;

/** A network with drivers and tokens, and a key that reads them. */
async function scene(t: Test) {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const post = async (url: string, payload: object) => {
    const made = await api.call(key, { method: 'POST', url, payload });
    if (made.status !== 201) throw new Error(made.text);
    return text(made.json['data']?.['id']);
  };
  /** Returns a field of all pages of a list, two rows a page. */
  const walk = async (url: string, field: string, as = key) => {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const next: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { json } = await api.call(as, { url: `${url}&pageSize=2${next}` });
      found.push(...items(json['data']).map((item) => text(item[field])));
      cursor = json['nextCursor'] as unknown as string | null;
    } while (cursor !== null);
    return found;
  };
  return { api, key, post, walk };
}

void t.test('drivers are listed by name, e-mail address and creation, in both directions', async (t) => {
  const { api, post, walk } = await scene(t);
  for (const [name, email] of [
    ['bob', 'z@example.org'],
    ['Ada', 'Y@example.org'],
    ['Bob', 'x@example.org'],
    ['Chloé', 'w@example.org'],
    ['ada', 'v@example.org'],
  ]) {
    await post(drivers, { name, email });
  }
  const byName = ['Ada', 'ada', 'bob', 'Bob', 'Chloé'];
  const byCreation = ['bob', 'Ada', 'Bob', 'Chloé', 'ada'];
  for (const [sort, names] of [
    ['name', byName],
    ['-name', byName.toReversed()],
    ['email', byCreation.toReversed()],
    ['-email', byCreation],
    ['createdAt', byCreation],
    ['-createdAt', byCreation.toReversed()],
  ] as const) {
    t.strictSame(await walk(`${drivers}?sort=${sort}`, 'name'), names, sort);
  }
  t.strictSame(await walk(`${drivers}?search=bob&sort=-name`, 'name'), ['Bob', 'bob']);
  const everywhere = await mintKey(api, { unrestricted: true, networkIds: [] });
  t.strictSame(await walk(`${drivers}?sort=name`, 'name', everywhere), byName);
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.strictSame(await walk(`${drivers}?sort=name`, 'name', foreign), []);
});

void t.test('tokens are listed by uid and creation, in both directions', async (t) => {
  const { api, post, walk } = await scene(t);
  for (const uid of ['C3', 'a1', 'B2']) await post(tokens, { uid, tokenType: 'RFID' });
  for (const [sort, uids] of [
    ['uid', ['a1', 'B2', 'C3']],
    ['-uid', ['C3', 'B2', 'a1']],
    ['createdAt', ['C3', 'a1', 'B2']],
    ['-createdAt', ['B2', 'a1', 'C3']],
  ] as const) {
    t.strictSame(await walk(`${tokens}?sort=${sort}`, 'uid'), uids, sort);
  }
  t.strictSame(await walk(`${tokens}?search=2&sort=uid`, 'uid'), ['B2']);
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.strictSame(await walk(`${tokens}?sort=uid`, 'uid', foreign), []);
});

void t.test('lists refuse an unknown order and a wrong cursor', async (t) => {
  const { api, key } = await scene(t);
  const refused = { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } };
  for (const query of ['sort=phone', 'sort=--createdAt', 'cursor=%2A', 'sort=-createdAt&cursor=MS4x']) {
    for (const url of [drivers, tokens]) {
      t.match(await api.call(key, { url: `${url}?${query}` }), refused, query);
    }
  }
});

void t.test('a list by name continues where its last driver stands now', async (t) => {
  const { api, key, post } = await scene(t);
  for (const name of ['Bea', 'Cas', 'Dan']) await post(drivers, { name, email: `${name}@example.org` });
  const first = await api.call(key, { url: `${drivers}?sort=name&pageSize=1` });
  const id = text(items(first.json['data'])[0]?.['id']);
  await api.call(key, { method: 'PATCH', url: `${drivers}/${id}`, payload: { name: 'Cem' } });
  const cursor = text(first.json['nextCursor']);
  const second = await api.call(key, { url: `${drivers}?sort=name&pageSize=5&cursor=${cursor}` });
  t.strictSame(
    items(second.json['data']).map(({ name }) => name),
    ['Dan'],
  );
});

void t.test('tokens name their drivers to callers who read drivers', async (t) => {
  const { api, key, post } = await scene(t);
  const userId = await post(drivers, { name: 'Ada', email: 'ada@example.org' });
  const id = await post(tokens, { uid: 'CARD-1', tokenType: 'RFID', userId });
  const blind = await mintKey(api, { scopes: ['cpms:read:id-tokens', 'cpms:write:id-tokens'] });
  const expect = async (name: string | null, as: string) => {
    const one = await api.call(as, { url: `${tokens}/${id}` });
    t.equal(one.json['data']?.['driverName'], name);
    const list = await api.call(as, { url: tokens });
    t.strictSame(
      items(list.json['data']).map(({ driverName }) => driverName),
      [name],
    );
    const change = { method: 'PATCH', url: `${tokens}/${id}`, payload: { blocked: false } } as const;
    t.equal((await api.call(as, change)).json['data']?.['driverName'], name);
  };
  await expect('Ada', key);
  await expect(null, blind);
  await api.call(key, { method: 'PATCH', url: `${drivers}/${userId}`, payload: { name: 'Ada L.' } });
  await expect('Ada L.', key);
  const free = { method: 'PATCH', url: `${tokens}/${id}`, payload: { userId: null } } as const;
  t.equal((await api.call(key, free)).json['data']?.['driverName'], null);
  const [named] = await api.stores.sql<{ count: number }[]>`
    select count(*)::integer as count from audit_log where details::text like '%Ada%'`;
  t.equal(named?.count, 0, 'the audit log holds no name');
});

void t.test('a cursor at a row of another network continues no order', async (t) => {
  const { api, key, post } = await scene(t);
  await post(drivers, { name: 'Ada', email: 'ada@example.org' });
  await post(drivers, { name: 'Zoe', email: 'zoe@example.org' });
  const { sql } = api.stores;
  const foreign = await addUser(sql, api.otherNetwork.id, 'm@example.org');
  const [driver] = await sql<{ id: number }[]>`select id from users where uuid = ${foreign.uuid}`;
  const [token] = await sql<{ id: number }[]>`
    insert into id_tokens (network_id, uid, type) values (${api.otherNetwork.id}, 'M4', 'RFID') returning id`;
  await post(tokens, { uid: 'Z9', tokenType: 'RFID' });
  const first = await api.call(key, { url: `${drivers}?sort=email&pageSize=1` });
  const own = Buffer.from(text(first.json['nextCursor']), 'base64url').toString();
  const at = (id: number) => Buffer.from(own.replace(/\d+$/, String(id))).toString('base64url');
  for (const url of [
    `${drivers}?sort=email&cursor=${at(driver?.id ?? 0)}`,
    `${drivers}?sort=-name&cursor=${at(driver?.id ?? 0)}`,
    `${tokens}?sort=uid&cursor=${at(token?.id ?? 0)}`,
  ]) {
    t.match(await api.call(key, { url }), { status: 200, json: { data: [], nextCursor: null } }, url);
  }
});
