import { randomUUID } from 'node:crypto';
import t from 'tap';
import { text } from '#api/test/support/charging-drivers.ts';
import { mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { openStream } from '#api/test/support/event-stream.ts';
import {
  assign,
  forgetEvents,
  newEvent,
  writeEvents,
  writeNumbered,
} from '#api/test/support/written-events.ts';
import { recordEvents } from '#shared/postgres/kernel/outbox.statements.ts';
import { hashSecret } from '#shared/domain/kernel/secrets.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { until, untilSettled } from '#shared/testing/until.ts';

const path = '/cpms/v1/events';
const stream = { accept: 'text/event-stream' };

const numbersOf = (client: { events: { data: Record<string, unknown> }[] }) =>
  client.events.map(({ data }) => data['number']);

const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);

void t.test('sends new events with their cursors to a client that accepts event streams', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api, { scopes: ['cpms:read:events'] });
  await writeEvents(sql, [newEvent(api.network.id, 'driver.created')]);
  const client = await openStream(t, api.app, key, path);
  t.match(client.response.headers, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-request-id': String,
    'content-security-policy': String,
  });
  await writeEvents(sql, [
    newEvent(api.network.id, 'token.created'),
    newEvent(api.network.id, 'token.updated'),
  ]);
  const messages = await client.received(2);
  t.same(
    messages.map(({ event }) => event),
    ['token.created', 'token.updated'],
    'not the event before it was opened',
  );
  const listed = await api.call(key, { url: `${path}?type=token.*` });
  t.same(client.events, listed.json['data'], 'the same form as in the list');
  t.equal(messages[1]?.id, listed.json['nextCursor'], 'and the same cursors');
});

void t.test('loses no event of transactions that commit in reverse order', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const client = await openStream(t, api.app, await mintKey(api), path);
  const begun = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const write = (number: number, transaction: Parameters<typeof recordEvents>[0]) =>
    recordEvents(transaction, [newEvent(api.network.id, 'driver.updated', { data: { number } })]);
  const first = sql.begin(async (transaction) => {
    await write(0, transaction);
    begun.resolve();
    await mayCommit.promise;
  });
  await begun.promise;
  await sql.begin((transaction) => write(1, transaction));
  await client.received(1);
  t.same(numbersOf(client), [1], 'the one that committed first');
  mayCommit.resolve();
  await first;
  await client.received(2);
  t.same(numbersOf(client), [1, 0]);
  t.ok(client.events[0]!.sequence < client.events[1]!.sequence, 'positions follow the commits');
});

void t.test('resumes after Last-Event-ID, cursor or from', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const before = new Date(Date.now() - 1000).toISOString();
  await forgetEvents(sql);
  await writeNumbered(sql, api.network.id, 5);
  const whole = await openStream(t, api.app, key, `${path}?from=${before}`);
  const messages = await whole.received(5);
  t.same(numbersOf(whole), upTo(5));
  const id = messages[2]?.id ?? '';
  const byHeader = await openStream(t, api.app, key, `${path}?cursor=${messages[0]?.id}`, {
    'last-event-id': id,
  });
  await byHeader.received(2);
  t.same(
    numbersOf(byHeader),
    [3, 4],
    'the header counts, since a client connects again with the same address',
  );
  const byCursor = await openStream(t, api.app, key, `${path}?cursor=${id}`);
  await byCursor.received(2);
  t.same(numbersOf(byCursor), [3, 4]);
  const wrong = await api.call(key, { url: path, headers: { ...stream, 'last-event-id': 'nonsense' } });
  t.match(wrong, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
});

void t.test('catches up without a gap or a repeat while events are written', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const from = new Date(Date.now() - 1000).toISOString();
  await forgetEvents(sql);
  // One follower keeps the feed running, so that the other joins it in motion.
  const follower = await openStream(t, api.app, key, path);
  const total = 6000;
  const writing = writeNumbered(sql, api.network.id, total, 100);
  await follower.received(500);
  const late = await openStream(t, api.app, key, `${path}?from=${from}`);
  await writing;
  await Promise.all([follower.received(total), late.received(total)]);
  t.same(numbersOf(follower), upTo(total));
  t.same(numbersOf(late), upTo(total));
});

void t.test('hands each of 200 subscribers the events of its filter', async (t) => {
  const api = await startTestApi(t, { streamLimits: { perCaller: 300 } });
  const { sql } = api.stores;
  const keys = { own: await mintKey(api), other: await mintKey(api, { networkIds: [api.otherNetwork.id] }) };
  const unrestricted = await mintKey(api, { unrestricted: true, networkIds: [] });
  const chargers = await Promise.all(upTo(5).map(() => seedCharger(sql, api.network.id)));
  const session = randomUUID();
  const subscribers = [
    ...chargers.map(({ uuid }, number) => ({
      key: keys.own,
      query: `?chargerId=${uuid}`,
      expected: [number],
    })),
    { key: keys.own, query: `?sessionId=${session}`, expected: [5] },
    { key: keys.own, query: '?type=token.*', expected: [6] },
    { key: keys.own, query: '', expected: [0, 1, 2, 3, 4, 5, 6] },
    { key: keys.other, query: '', expected: [7] },
    { key: keys.other, query: `?chargerId=${chargers[0]!.uuid}`, expected: [] },
    { key: unrestricted, query: '', expected: [0, 1, 2, 3, 4, 5, 6, 7, 8] },
    { key: unrestricted, query: '?type=operator.created', expected: [8] },
  ];
  // Events from before, which a stream that begins now would get with those that it waits for.
  await assign(sql);
  const clients = await Promise.all(
    upTo(200).map(async (index) => {
      const { key, query, expected } = subscribers[index % subscribers.length]!;
      return { expected, client: await openStream(t, api.app, key, path + query) };
    }),
  );
  await writeEvents(sql, [
    ...chargers.map(({ id, uuid }, number) =>
      newEvent(api.network.id, 'charger.updated', { chargerId: id, subjectUuid: uuid, data: { number } }),
    ),
    newEvent(api.network.id, 'session.started', { subjectUuid: session, data: { number: 5 } }),
    newEvent(api.network.id, 'token.created', { data: { number: 6 } }),
    newEvent(api.otherNetwork.id, 'driver.created', { data: { number: 7 } }),
    newEvent(null, 'operator.created', { data: { number: 8 } }),
  ]);
  await Promise.all(clients.map(({ client, expected }) => client.received(expected.length)));
  for (const { client, expected } of clients) t.same(numbersOf(client), expected);
});

/** Bytes that wait on the sockets of a server. */
async function waitingBytes({ app }: TestApi, sockets: Set<{ writableLength: number }>): Promise<number> {
  t.ok(app.server.listening);
  return [...sockets].reduce((sum, { writableLength }) => sum + writableLength, 0);
}

void t.test('keeps a bounded text for a client that reads slowly, and loses nothing', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const sockets = new Set<{ writableLength: number }>();
  api.app.server.on('connection', (socket) => sockets.add(socket));
  const slow = await openStream(t, api.app, key, path);
  const fast = await openStream(t, api.app, key, path);
  slow.pause();
  const stuck = await openStream(t, api.app, key, path);
  stuck.pause();
  const total = 20_000;
  const filler = 'x'.repeat(500);
  for (let first = 0; first < total; first += 1000) {
    const numbers = upTo(1000).map((number) => first + number);
    await writeEvents(
      sql,
      numbers.map((number) => newEvent(api.network.id, 'driver.updated', { data: { number, filler } })),
    );
  }
  await fast.received(total);
  const waiting = await waitingBytes(api, sockets);
  // More than 20 MB were written meanwhile.
  t.ok(waiting < 1024 * 1024, `${waiting} bytes wait`);
  slow.resume();
  await slow.received(total);
  t.same(numbersOf(slow), upTo(total));
  await untilSettled('a stop in spite of the client that reads nothing', api.app.close());
});

void t.test('keeps a quiet stream open, and moves its position', async (t) => {
  const api = await startTestApi(t, { streamLimits: { keepAliveMs: 50 } });
  const { sql } = api.stores;
  const key = await mintKey(api);
  const client = await openStream(t, api.app, key, `${path}?type=invoice.created`);
  await writeEvents(sql, [newEvent(api.network.id, 'driver.updated')]);
  const newest = async () => text((await api.call(key, { url: path })).json['nextCursor']);
  const position = await newest();
  await client.until('the newest position', () => client.lastEventId === position);
  t.ok(client.comments.includes('keep-alive'));
  t.same(client.messages, [], 'no client takes it for an event');
});

void t.test('ends the streams of a caller that lost its authority', async (t) => {
  const api = await startTestApi(t, { streamLimits: { verifyMs: 50 } });
  const { sql } = api.stores;
  const changes: [name: string, code: string, change: (hash: Buffer) => Promise<unknown>][] = [
    [
      'revoked',
      'KEY_REVOKED',
      (hash) => sql`update api_keys set revoked_at = now() where secret_hash = ${hash}`,
    ],
    [
      'expired',
      'KEY_EXPIRED',
      (hash) => sql`update api_keys set expires_at = now() - interval '1 second' where secret_hash = ${hash}`,
    ],
    [
      'without the scope',
      'SCOPE_MISSING',
      (hash) => sql`update api_keys set scopes = '{cpms:read:chargers}' where secret_hash = ${hash}`,
    ],
    [
      'of fewer networks',
      'NETWORK_NOT_ALLOWED',
      (hash) =>
        sql`delete from api_key_networks where network_id = ${api.otherNetwork.id}
          and api_key_id = (select id from api_keys where secret_hash = ${hash})`,
    ],
  ];
  const kept = await openStream(t, api.app, await mintKey(api), path);
  for (const [name, code, change] of changes) {
    const key = await mintKey(api, {
      scopes: ['cpms:read:events'],
      networkIds: [api.network.id, api.otherNetwork.id],
    });
    const client = await openStream(t, api.app, key, `${path}?type=invoice.created`);
    await change(hashSecret(key));
    await client.ended();
    t.match(client.messages, [{ event: 'stream.ended', id: null, data: { code, message: String } }], name);
  }
  t.equal(kept.isEnded, false, 'streams of others go on');
  await until('the end of the subscriptions', async () => api.deps.eventHub.size === 1);
});

void t.test('limits the streams of a caller and of the process', async (t) => {
  const api = await startTestApi(t, { streamLimits: { perCaller: 2, perProcess: 3 } });
  const [one, other] = [await mintKey(api), await mintKey(api)];
  const first = await openStream(t, api.app, one, path);
  await openStream(t, api.app, one, path);
  await t.rejects(openStream(t, api.app, one, path), { message: /^429: .*STREAMS_EXCEEDED/ });
  await openStream(t, api.app, other, path);
  await t.rejects(openStream(t, api.app, other, path), { message: /^503: .*STREAMS_UNAVAILABLE/ });
  first.close();
  await until('a free stream', async () => api.deps.eventHub.size === 2);
  await openStream(t, api.app, one, path);
  t.match(await api.call(one, { url: path }), { status: 200 }, 'lists are not limited');
});

void t.test('ends all streams when the server stops', async (t) => {
  const api = await startTestApi(t);
  const client = await openStream(t, api.app, await mintKey(api), path);
  await api.app.close();
  await client.ended();
  t.match(client.messages, [
    { event: 'stream.ended', id: null, data: { code: 'STREAMS_UNAVAILABLE', message: String } },
  ]);
  t.equal(api.deps.eventHub.size, 0);
});

void t.test('answers with a list unless the client names event streams', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  await forgetEvents(api.stores.sql);
  for (const accept of ['*/*', 'application/json', 'text/*', 'text/event-stream;q=0']) {
    const answer = await api.call(key, { url: path, headers: { accept } });
    t.match(answer, { status: 200, json: { data: [], nextCursor: String } }, accept);
  }
  const head = await api.app.inject({ method: 'HEAD', url: path, headers: { ...stream, 'x-api-key': key } });
  t.match(head, { statusCode: 200, headers: { 'content-type': /json/ } }, 'HEAD opens no stream');
});
