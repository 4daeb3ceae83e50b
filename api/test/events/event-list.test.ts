import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { text } from '#api/test/support/charging-drivers.ts';
import { items, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { addLocation } from '#api/test/support/records.ts';
import { forgetEvents, newEvent, writeEvents } from '#api/test/support/written-events.ts';
import { removeOldOutbox } from '#shared/postgres/kernel/outbox.statements.ts';
import { seedCharger } from '#shared/testing/seed.ts';

const url = '/cpms/v1/events';

/** An API with two networks, keys, a charger at a location, and events of all kinds. */
async function eventScene(t: Test) {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const charger = await seedCharger(sql, api.network.id);
  const location = await addLocation(sql, api.network.id);
  await sql`update chargers set location_id = ${location.id} where id = ${charger.id}`;
  const session = randomUUID();
  const key = await mintKey(api);
  const unrestricted = await mintKey(api, { unrestricted: true, networkIds: [] });
  const elsewhere = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  await forgetEvents(sql);
  const of = newEvent.bind(null, api.network.id);
  await writeEvents(sql, [
    of('charger.connected', { subjectUuid: charger.uuid, chargerId: charger.id }),
    of('session.started', { subjectUuid: session, chargerId: charger.id, data: { status: 'ACTIVE' } }),
    newEvent(api.otherNetwork.id, 'driver.created'),
    of('driver.created'),
    of('wallet.changed', { data: { sessionId: session } }),
    newEvent(null, 'operator.created'),
    of('session.stopped', { subjectUuid: session, chargerId: charger.id }),
  ]);
  return { api, key, unrestricted, elsewhere, charger, location, session };
}

/** Returns the types of the events that a request lists. */
async function typesOf(api: TestApi, key: string, query = ''): Promise<unknown[]> {
  const answer = await api.call(key, { url: `${url}${query}` });
  if (answer.status !== 200) throw new Error(answer.text);
  return items(answer.json['data']).map(({ type }) => type);
}

const all = ['charger.connected', 'session.started', 'driver.created', 'wallet.changed', 'session.stopped'];

void t.test("lists the events of the caller's networks as CloudEvents, oldest first", async (t) => {
  const { api, key, charger, location, session } = await eventScene(t);
  t.same(await typesOf(api, key), all);
  const { json } = await api.call(key, { url: `${url}?type=session.started` });
  t.match(items(json['data']), [
    {
      specversion: '1.0',
      id: /^\d+$/,
      source: `http://chargeway.test/cpms/v1/networks/${api.network.uuid}`,
      type: 'session.started',
      subject: `session/${session}`,
      time: /^\d{4}-.*Z$/,
      datacontenttype: 'application/json',
      dataschema: 'http://chargeway.test/cpms/v1/event-types/session.started/1',
      sequence: /^\d{19}$/,
      data: { chargerId: charger.uuid, locationId: location.uuid, sessionId: session, status: 'ACTIVE' },
    },
  ]);
});

void t.test('filters events by each parameter', async (t) => {
  const { api, key, charger, location, session } = await eventScene(t);
  const bound = ['charger.connected', 'session.started', 'session.stopped'];
  const rows: [query: string, types: string[]][] = [
    ['?type=session.*', ['session.started', 'session.stopped']],
    ['?type=driver.created,wallet.changed', ['driver.created', 'wallet.changed']],
    ['?type=driver.created&type=session.stopped', ['driver.created', 'session.stopped']],
    [`?chargerId=${charger.uuid}`, bound],
    [`?chargerId=${charger.uuid.toUpperCase()}`, bound],
    [`?locationId=${location.uuid}`, bound],
    [`?sessionId=${session}`, ['session.started', 'wallet.changed', 'session.stopped']],
    [`?sessionId=${session}&type=session.*`, ['session.started', 'session.stopped']],
    [`?networkId=${api.network.uuid}`, all],
    [`?chargerId=${randomUUID()}`, []],
  ];
  for (const [query, types] of rows) t.same(await typesOf(api, key, query), types, query);
});

void t.test('begins at a time', async (t) => {
  const { api, key } = await eventScene(t);
  const { sql } = api.stores;
  // Events of ten hours, one an hour: far more than the disorder that the search allows for.
  await sql`update outbox set occurred_at = now() - make_interval(hours => (select max(id) from outbox)::integer - id::integer) where subject_uuid is not null`;
  const [row] = await sql<{ at: Date }[]>`select occurred_at as at from outbox where type = 'wallet.changed'`;
  const at = row?.at ?? new Date();
  const from = (ms: number) => `?from=${new Date(at.getTime() + ms).toISOString()}`;
  t.same(await typesOf(api, key, from(0)), ['wallet.changed', 'session.stopped'], 'inclusive');
  t.same(await typesOf(api, key, from(1)), ['session.stopped'], 'a millisecond later');
  t.same(await typesOf(api, key, from(-86_400_000)), all, 'before the oldest');
  t.same(await typesOf(api, key, from(86_400_000)), [], 'after the newest');
});

void t.test('begins with the newest events that match', async (t) => {
  const { api, key, session } = await eventScene(t);
  t.same(await typesOf(api, key, '?last=2'), ['wallet.changed', 'session.stopped']);
  t.same(await typesOf(api, key, '?last=2&type=session.*'), ['session.started', 'session.stopped']);
  t.same(await typesOf(api, key, `?last=1&sessionId=${session}`), ['session.stopped']);
  t.same(await typesOf(api, key, '?last=1000'), all, 'more than there are');
  t.same(await typesOf(api, key, '?last=5&type=invoice.created'), [], 'none match');
  const { json } = await api.call(key, { url: `${url}?last=1&pageSize=1` });
  await writeEvents(api.stores.sql, [newEvent(api.network.id, 'token.created')]);
  const next = `?last=1&cursor=${text(json['nextCursor'])}`;
  t.same(await typesOf(api, key, next), ['token.created'], 'a cursor takes precedence');
  for (const last of ['0', '1001', 'x']) {
    t.match(await api.call(key, { url: `${url}?last=${last}` }), {
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED' } },
    });
  }
});

void t.test('pages by cursor, and keeps a cursor at the end of the list', async (t) => {
  const { api, key } = await eventScene(t);
  const { sql } = api.stores;
  const seen: unknown[] = [];
  let cursor = '';
  for (let page = 0; page < all.length; page += 1) {
    const { json } = await api.call(key, { url: `${url}?pageSize=1${cursor && `&cursor=${cursor}`}` });
    seen.push(...items(json['data']).map(({ type }) => type));
    t.equal(json['hasMore'], page < all.length - 1);
    cursor = text(json['nextCursor']);
  }
  t.same(seen, all);
  const end = `?cursor=${cursor}`;
  t.same(await typesOf(api, key, end), []);
  await writeEvents(sql, [newEvent(api.network.id, 'token.created')]);
  t.same(await typesOf(api, key, end), ['token.created'], 'the same cursor finds what is new');
});

void t.test('moves the cursor of a reader without events to the newest position', async (t) => {
  const { api, key } = await eventScene(t);
  const cursorOf = async (query: string) =>
    (await api.call(key, { url: `${url}${query}` })).json['nextCursor'];
  t.equal(await cursorOf('?type=invoice.created'), await cursorOf(''));
});

void t.test('shows events of the system to unrestricted callers only', async (t) => {
  const { api, unrestricted } = await eventScene(t);
  t.same((await typesOf(api, unrestricted)).length, 7);
  t.same(await typesOf(api, unrestricted, '?type=operator.created'), ['operator.created']);
  t.same(await typesOf(api, unrestricted, `?networkId=${api.otherNetwork.uuid}`), ['driver.created']);
});

void t.test('hides the events of other networks', async (t) => {
  const { api, elsewhere, charger } = await eventScene(t);
  t.same(await typesOf(api, elsewhere), ['driver.created']);
  t.same(await typesOf(api, elsewhere, `?chargerId=${charger.uuid}`), []);
  t.match(await api.call(elsewhere, { url: `${url}?networkId=${api.network.uuid}` }), {
    status: 404,
    json: { error: { code: 'NETWORK_NOT_FOUND' } },
  });
});

void t.test('refuses callers without the scope', async (t) => {
  const api = await startTestApi(t);
  const rows: [key: string | null, status: number, code: string][] = [
    [null, 401, 'KEY_MISSING'],
    ['nonsense', 401, 'KEY_INVALID'],
    [await mintKey(api, { scopes: ['cpms:read:chargers'] }), 403, 'SCOPE_MISSING'],
    [await mintKey(api, { apiFamily: 'emsp' }), 403, 'API_FAMILY_MISMATCH'],
  ];
  for (const [key, status, code] of rows) {
    for (const accept of ['application/json', 'text/event-stream']) {
      const answer = await api.call(key, { url, headers: { accept } });
      t.match(answer, { status, json: { error: { code } } }, `${code} ${accept}`);
    }
  }
});

void t.test('refuses unknown types and cursors', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const foreign = Buffer.from('0.17').toString('base64url');
  for (const query of [
    'type=nonsense',
    'type=nonsense.*',
    'type=session',
    `cursor=${foreign}`,
    'pageSize=0',
    'limit=1',
  ]) {
    t.match(
      await api.call(key, { url: `${url}?${query}` }),
      { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } },
      query,
    );
  }
});

void t.test('refuses a cursor whose following events were deleted', async (t) => {
  const { api, key } = await eventScene(t);
  const { sql } = api.stores;
  const first = (await api.call(key, { url: `${url}?pageSize=1` })).json['nextCursor'];
  const last = (await api.call(key, { url })).json['nextCursor'];
  await sql`update outbox set occurred_at = now() - interval '8 days' where type <> 'session.stopped'`;
  await sql`update outbox_readers set position = (select max(position) from outbox)`;
  t.ok((await removeOldOutbox(sql, 7, 100)) > 0);
  const expired = { status: 410, json: { error: { code: 'EVENTS_EXPIRED' } } };
  t.match(await api.call(key, { url: `${url}?cursor=${text(first)}` }), expired);
  t.match(
    await api.call(key, { url, headers: { accept: 'text/event-stream', 'last-event-id': text(first) } }),
    expired,
  );
  t.same(await typesOf(api, key, `?cursor=${text(last)}`), []);
  t.same(
    await typesOf(api, key),
    ['session.stopped'],
    'a list without a cursor begins with the oldest that is kept',
  );
  const beyond = Buffer.from('e999999').toString('base64url');
  t.match(
    await api.call(key, { url: `${url}?cursor=${beyond}` }),
    expired,
    'a position that is not reached yet',
  );
});

void t.test('lists the types of events and their schemas', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, { scopes: [] });
  const { json } = await api.call(key, { url: '/cpms/v1/event-types' });
  const types = items(json['data']);
  const started = types.find(({ type }) => text(type) === 'session.started');
  t.match(started, {
    type: 'session.started',
    version: 1,
    subject: 'session',
    schemaUrl: 'http://chargeway.test/cpms/v1/event-types/session.started/1',
  });
  for (const { schemaUrl } of types) {
    const path = text(schemaUrl).replace('http://chargeway.test', '');
    t.match(await api.call(key, { url: path }), { status: 200, json: { $id: schemaUrl, type: 'object' } });
  }
  for (const path of ['session.started/2', 'session.nonsense/1']) {
    t.match(
      await api.call(key, { url: `/cpms/v1/event-types/${path}` }),
      { status: 404, json: { error: { code: 'EVENT_TYPE_NOT_FOUND' } } },
      path,
    );
  }
  t.match(await api.call(null, { url: '/cpms/v1/event-types' }), { status: 401 });
});
