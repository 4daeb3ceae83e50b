import t from 'tap';
import type { WebhookPolicy } from '#shared/domain/events/webhook.ts';
import { removePastEvents } from '#api/jobs/event-retention.ts';
import { EventPages } from '#api/services/events/event-pages.ts';
import { WebhookLane } from '#api/services/events/webhook-lane.ts';
import { items, type Json, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { testSettings } from '#api/test/support/deps.ts';
import { claimLanes } from '#shared/postgres/events/webhook-lanes.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { assignPositions } from '#shared/postgres/kernel/outbox.statements.ts';
import { until } from '#shared/testing/until.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import {
  addWebhook,
  hurried,
  inNetwork,
  startDeliverer,
  subjects,
  textOf,
  untilHealth,
  webhookOf,
  writeEvents,
} from './support/webhooks.ts';

type Api = TestApi & { key: string };

const shared = await startTestApi(t);
const base = '/cpms/v1/webhooks';

const numbersOf = ({ received }: Receiver) => received.map(({ event }) => event.data['number']);

async function deadLetters(api: Api, id: string): Promise<Json[]> {
  return items((await api.call(api.key, { url: `${base}/${id}/dead-letters` })).json['data']);
}

void t.test('tries a failed event again with the same id, and delivers its subject in order', async (t) => {
  const api = await inNetwork(shared);
  const receiver = await startReceiver(t);
  const { id } = await addWebhook(api, { url: receiver.url });
  let failures = 2;
  receiver.react = ({ event }) => (event.data['number'] === 1 && failures-- > 0 ? { status: 500 } : {});
  const [a = '', b = ''] = subjects(2);
  await writeEvents(api.stores.sql, api.network.id, [a, a, a, b, b]);
  startDeliverer(t, api);
  await untilHealth(api, id, 'all are delivered', ({ delivered }) => delivered === 5);
  const ofA = receiver.received.filter(({ event }) => event.subject.endsWith(a));
  t.strictSame(
    ofA.map(({ event }) => event.data['number']),
    [0, 1, 1, 1, 2],
  );
  const [, first, second] = ofA;
  t.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
  t.equal(receiver.received.filter(({ event }) => event.subject.endsWith(b)).length, 2);
  t.match(await webhookOf(api, id), {
    health: { waiting: 0, failed: 2, lastError: 'HTTP 500', state: 'HEALTHY' },
  });
});

/** Gives up no event of an endpoint within a test. */
const enduring: WebhookPolicy = {
  ...hurried,
  order: {
    ...hurried.order,
    object: { ...hurried.order.object, retriesMs: Array.from({ length: 1000 }, () => 60) },
  },
};

void t.test('keeps events behind a failed one of their subject after a restart', async (t) => {
  const api = await inNetwork(shared);
  const receiver = await startReceiver(t);
  const { id } = await addWebhook(api, { url: receiver.url });
  receiver.react = () => ({ status: 500 });
  const [subject = ''] = subjects(1);
  const first = startDeliverer(t, api, enduring);
  await writeEvents(api.stores.sql, api.network.id, [subject, subject]);
  await receiver.got(1);
  await untilHealth(api, id, 'both wait', ({ waiting }) => waiting === 2);
  await first.stop();
  await writeEvents(api.stores.sql, api.network.id, [subject], { data: { number: 2 } });
  receiver.received.length = 0;
  receiver.react = () => ({});
  startDeliverer(t, api);
  await receiver.got(3);
  t.strictSame(numbersOf(receiver), [0, 1, 2]);
});

void t.test('holds everything behind a failed event with the order of the endpoint', async (t) => {
  const api = await inNetwork(shared);
  const receiver = await startReceiver(t);
  const { id } = await addWebhook(api, { url: receiver.url, order: 'endpoint' });
  let failures = 2;
  receiver.react = ({ event }) => (event.data['number'] === 1 && failures-- > 0 ? { status: 500 } : {});
  await writeEvents(api.stores.sql, api.network.id, subjects(4));
  startDeliverer(t, api);
  await untilHealth(api, id, 'all are delivered', ({ delivered }) => delivered === 4);
  t.strictSame(numbersOf(receiver), [0, 1, 1, 1, 2, 3]);
});

for (const order of ['object', 'endpoint'] as const) {
  void t.test(
    `makes a poison event a dead letter after its tries with order ${order}, and goes on`,
    async (t) => {
      const api = await inNetwork(shared);
      const receiver = await startReceiver(t);
      const { id } = await addWebhook(api, { url: receiver.url, order });
      receiver.react = ({ event }) => (event.data['number'] === 1 ? { status: 422, body: 'no' } : {});
      const [subject = ''] = subjects(1);
      await writeEvents(api.stores.sql, api.network.id, [subject, subject, subject]);
      startDeliverer(t, api);
      await untilHealth(
        api,
        id,
        'one is given up',
        ({ deadLetters, delivered }) => deadLetters === 1 && delivered === 2,
      );
      t.strictSame(numbersOf(receiver), [0, 1, 1, 1, 1, 2]);
      const [letter] = await deadLetters(api, id);
      t.match(letter, {
        reason: 'refused',
        type: 'driver.updated',
        tries: 4,
        lastError: 'HTTP 422',
        event: { subject: `driver/${subject}`, data: { number: 1 } },
      });

      receiver.react = () => ({});
      receiver.received.length = 0;
      const replay = {
        method: 'POST',
        url: `${base}/${id}/dead-letters/${textOf(letter?.['id'])}/replay`,
      } as const;
      t.match(await api.call(api.key, replay), { status: 202 });
      const [request] = await receiver.got(1);
      t.strictSame(numbersOf(receiver), [1]);
      t.equal(request?.headers['webhook-id'], `${id}_${textOf(letter?.['eventId'])}`);
      t.strictSame(await deadLetters(api, id), []);
      t.match(await api.call(api.key, replay), {
        status: 404,
        json: { error: { code: 'DEAD_LETTER_NOT_FOUND' } },
      });
      const [entry] = await api.stores.sql`select action, details from audit_log order by id desc limit 1`;
      t.match(entry, { action: 'replay', details: { after: { type: 'driver.updated' } } });
    },
  );
}

void t.test('counts a delivery when it is settled, after the breaker was closed', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const receiver = await startReceiver(t);
  const { id } = await addWebhook(api, { url: receiver.url });
  await writeEvents(sql, api.network.id, subjects(1));
  await assignPositions(sql);
  const claim = { knownKeys: api.deps.secrets.knownIds, leaseMs: 60_000, limit: 100 };
  const claimed = (await claimLanes(sql, claim)).find(({ endpointUuid }) => endpointUuid === id);
  if (claimed === undefined) throw new Error('the endpoint has no work');

  const recovery = Promise.withResolvers<void>();
  const isRecovering = Promise.withResolvers<void>();
  const slow = new Proxy(sql, {
    apply: (target, self, args: Parameters<Sql>) => {
      const run = () => Reflect.apply(target, self, args) as unknown;
      if (!args[0].join('').includes('set failures = 0')) return run();
      isRecovering.resolve();
      return recovery.promise.then(run);
    },
  });
  const failedBefore = { ...claimed, failures: 1 };
  const pages = new EventPages(sql, 10);
  const lane = new WebhookLane({ ...api.deps, sql: slow }, pages, hurried, failedBefore);
  const drained = lane.drain();
  await isRecovering.promise;
  t.equal(receiver.received.length, 1);
  t.equal(lane.takeProgress(), null);
  recovery.resolve();
  await drained;
  const position = BigInt(receiver.received[0]?.event.sequence ?? 0);
  t.match(lane.takeProgress(), { position, delivered: 1 });
});

void t.test(
  'pauses a failing endpoint, gives up nothing meanwhile, and delivers all when it is back',
  async (t) => {
    const api = await inNetwork(shared);
    const [away, healthy] = [await startReceiver(t), await startReceiver(t)];
    const { id } = await addWebhook(api, { url: away.url });
    await addWebhook(api, { url: healthy.url });
    away.react = () => ({ status: 503 });
    const { sql } = api.stores;
    startDeliverer(t, api);
    const names = subjects(30);
    await writeEvents(sql, api.network.id, names);
    await healthy.got(30);
    await untilHealth(
      api,
      id,
      'it counts as down',
      ({ state, nextTryAt }) => state === 'DOWN' && nextTryAt !== null,
    );
    const tried = new Set(away.received.map(({ headers }) => headers['webhook-id'])).size;
    t.ok(tried < 30, `${tried} events were tried until the breaker opened`);
    const probes = away.received.length;
    await away.got(probes + 8);
    t.strictSame(await deadLetters(api, id), [], 'more tries than an event has, and no dead letter');
    await writeEvents(sql, api.network.id, names);
    away.react = () => ({});
    const before = away.received.length;
    await untilHealth(
      api,
      id,
      'all are delivered',
      ({ delivered, waiting }) => delivered === 60 && waiting === 0,
    );
    t.match(await webhookOf(api, id), { health: { state: 'HEALTHY', downSince: null, nextTryAt: null } });
    const delivered = away.received
      .slice(before - 1)
      .filter(({ event }) => event.subject.endsWith(names[0] ?? '-'));
    const sequences = delivered.map(({ event }) => event.sequence);
    t.strictSame(sequences, sequences.toSorted(), 'in the order of the subject');
  },
);

void t.test('gives up no more than two events of an endpoint that refuses all, with its order', async (t) => {
  const api = await inNetwork(shared);
  const receiver = await startReceiver(t);
  const { id } = await addWebhook(api, { url: receiver.url, order: 'endpoint' });
  receiver.react = () => ({ status: 500 });
  await writeEvents(api.stores.sql, api.network.id, subjects(6));
  startDeliverer(t, api);
  await untilHealth(api, id, 'it counts as down', ({ state }) => state === 'DOWN');
  const before = receiver.received.length;
  await receiver.got(before + 8);
  t.equal((await deadLetters(api, id)).length, 2);
  receiver.react = () => ({});
  await untilHealth(api, id, 'the others are delivered', ({ delivered }) => delivered === 4);
});

void t.test(
  'disables an endpoint that was down for three days, and makes what waits dead letters',
  async (t) => {
    const api = await inNetwork(shared);
    const receiver = await startReceiver(t);
    const { id } = await addWebhook(api, { url: receiver.url });
    receiver.react = () => ({ hangs: true });
    const { sql } = api.stores;
    await writeEvents(sql, api.network.id, subjects(8));
    startDeliverer(t, api, { ...hurried, timeoutMs: 100 });
    await untilHealth(api, id, 'it counts as down', ({ state }) => state === 'DOWN');
    await sql`
    update webhook_lanes set down_since = now() - interval '73 hours'
    where endpoint_id = (select id from webhook_endpoints where uuid = ${id})`;
    const webhook = await until('it is disabled', async () => {
      const found = await webhookOf(api, id);
      return textOf(found['disabledReason']) === 'unreachable' && found;
    });
    t.match(webhook, { isEnabled: false, health: { state: 'DISABLED', waiting: 0 } });
    const letters = await deadLetters(api, id);
    t.ok(letters.length >= 5);
    t.match(letters[0], { reason: 'unreachable', lastError: /timeout/ });

    receiver.react = () => ({});
    receiver.received.length = 0;
    await api.call(api.key, { method: 'PATCH', url: `${base}/${id}`, payload: { isEnabled: true } });
    await untilHealth(api, id, 'the rest is delivered', ({ delivered }) => delivered === 8 - letters.length);
  },
);

void t.test('disables an endpoint that answers 410', async (t) => {
  const api = await inNetwork(shared);
  const receiver = await startReceiver(t);
  const { id } = await addWebhook(api, { url: receiver.url });
  receiver.react = () => ({ status: 410 });
  await writeEvents(api.stores.sql, api.network.id, subjects(1));
  startDeliverer(t, api);
  await until('it is disabled', async () => textOf((await webhookOf(api, id))['disabledReason']) === 'gone');
  t.equal(receiver.received.length, 1);
});

void t.test('sends nothing before the time that Retry-After names', async (t) => {
  const api = await inNetwork(shared);
  const receiver = await startReceiver(t);
  const { id } = await addWebhook(api, { url: receiver.url });
  receiver.react = () => ({ status: 429, headers: { 'retry-after': '3600' } });
  const begin = Date.now();
  startDeliverer(t, api);
  await writeEvents(api.stores.sql, api.network.id, subjects(1));
  const { nextTryAt } = await untilHealth(
    api,
    id,
    'the pause and the event are stored',
    (health) => health['nextTryAt'] !== null && health['waiting'] === 1,
  );
  const triedAt = Date.parse(String(nextTryAt)) - 3_600_000;
  t.ok(triedAt >= begin && triedAt <= Date.now());
  t.match(await webhookOf(api, id), { health: { waiting: 1, deadLetters: 0 } });
  t.equal(receiver.received.length, 1);
});

void t.test(
  'reports the range that retention removed, and keeps what endpoints need for three days',
  async (t) => {
    const api = await startTestApi(t);
    const { sql } = api.stores;
    const mine = await inNetwork(api);
    const { id } = await addWebhook(mine, { url: 'http://127.0.0.1:1/events' });
    await writeEvents(sql, mine.network.id, subjects(4));
    await assignPositions(sql);
    await sql`update outbox_readers set position = (select max(position) from outbox)`;
    const age = (
      hours: number,
    ) => sql`update outbox set occurred_at = now() - make_interval(hours => ${hours})
    where position in (select position from outbox order by position limit 2)`;
    const retain = () => removePastEvents(sql, { ...testSettings.retention, outboxDays: 1 });
    const count = async () => (await sql`select from outbox where network_id = ${mine.network.id}`).length;
    await age(60);
    await retain();
    t.equal(await count(), 4, 'younger than three days, and not delivered');
    t.strictSame(await deadLetters(mine, id), []);

    const [last] = await sql<{ position: bigint }[]>`
    select max(position) as position from (select position from outbox order by position limit 2) old`;
    await age(80);
    await retain();
    t.equal(await count(), 2);
    const [letter] = await deadLetters(mine, id);
    const sequence = String(last?.position).padStart(19, '0');
    t.match(letter, { reason: 'lost', sequence, event: null, eventId: null });
    t.match(await webhookOf(mine, id), { health: { position: sequence, backlog: 2 } });
    const replay = `${base}/${id}/dead-letters/${textOf(letter?.['id'])}/replay`;
    t.match(await api.call(mine.key, { method: 'POST', url: replay }), {
      status: 409,
      json: { error: { code: 'DEAD_LETTER_LOST' } },
    });
    await sql`update webhook_dead_letters set created_at = now() - interval '31 days'`;
    await retain();
    t.strictSame(await deadLetters(mine, id), []);
  },
);
