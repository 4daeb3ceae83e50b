import t from 'tap';
import { startTestApi } from '#api/test/support/fixtures.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { until } from '#shared/testing/until.ts';
import { startReceiver, validSignatures } from './support/receiver.ts';
import {
  addWebhook,
  inNetwork,
  startDeliverer,
  subjects,
  textOf,
  untilHealth,
  webhookOf,
  writeEvents,
} from './support/webhooks.ts';

const shared = await startTestApi(t);

void t.test('delivers a signed CloudEvent that Standard Webhooks verifies', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const receiver = await startReceiver(t);
  const { id, secret } = await addWebhook(api, { url: receiver.url });
  startDeliverer(t, api);
  const [subject = ''] = subjects(1);
  const begin = Math.floor(Date.now() / 1000);
  await writeEvents(sql, api.network.id, [subject]);
  const [request] = await receiver.got(1);
  if (request === undefined) throw new Error('no request');
  t.match(request.headers, {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'user-agent': 'chargeway-webhooks/1',
  });
  t.match(request.event, {
    specversion: '1.0',
    type: 'driver.updated',
    subject: `driver/${subject}`,
    source: `http://chargeway.test/cpms/v1/networks/${api.network.uuid}`,
    data: { number: 0 },
  });
  t.equal(request.headers['webhook-id'], `${id}_${request.event.id}`);
  const signedAt = Number(request.headers['webhook-timestamp']);
  t.ok(signedAt >= begin && signedAt <= Date.now() / 1000);
  t.equal(validSignatures(request, secret).length, 1);
  t.equal(validSignatures(request, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw').length, 0, 'by no other secret');
  const health = await untilHealth(api, id, 'the position is stored', ({ delivered }) => delivered === 1);
  t.match(health, { state: 'HEALTHY', backlog: 0, position: request.event.sequence, lastError: null });
});

void t.test('leaves no row for events that arrive, and delivers none from before the creation', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  await writeEvents(sql, api.network.id, subjects(1), { type: 'driver.created' });
  const deliverer = startDeliverer(t, api);
  deliverer.look();
  await until('the event has a position', async () => {
    const rows = await sql`select from outbox where position is null`;
    return rows.length === 0;
  });
  const receiver = await startReceiver(t);
  const { id } = await addWebhook(api, { url: receiver.url });
  await writeEvents(sql, api.network.id, subjects(120));
  await receiver.got(120);
  await untilHealth(
    api,
    id,
    'all are counted',
    ({ delivered, backlog }) => delivered === 120 && backlog === 0,
  );
  t.equal(receiver.received.filter(({ event }) => event.type === 'driver.created').length, 0);
  t.equal((await sql`select from webhook_retries`).length, 0);
});

void t.test('delivers only the events that the filter takes', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const [receiver, ofOne] = [await startReceiver(t), await startReceiver(t)];
  await addWebhook(api, { url: receiver.url, types: ['driver.*', 'token.created'] });
  await addWebhook(api, { url: ofOne.url, types: ['token.created'] });
  startDeliverer(t, api);
  for (const type of [
    'driver.created',
    'token.updated',
    'wallet.created',
    'token.created',
    'driver.removed',
  ] as const) {
    await writeEvents(sql, api.network.id, subjects(1), { type });
  }
  await receiver.got(3);
  await ofOne.got(1);
  const typesOf = ({ received }: typeof receiver) => received.map(({ event }) => event.type).toSorted();
  t.strictSame(typesOf(receiver), ['driver.created', 'driver.removed', 'token.created']);
  t.strictSame(typesOf(ofOne), ['token.created']);
});

void t.test(
  'keeps the order of each subject while several subjects are delivered side by side',
  async (t) => {
    const api = await inNetwork(shared);
    const receiver = await startReceiver(t);
    let inFlight = 0;
    let most = 0;
    const busy = new Set<string>();
    let together = 0;
    receiver.react = async ({ event }) => {
      if (busy.has(event.subject)) together += 1;
      busy.add(event.subject);
      most = Math.max(most, (inFlight += 1));
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      inFlight -= 1;
      busy.delete(event.subject);
      return {};
    };
    await addWebhook(api, { url: receiver.url });
    const names = subjects(20);
    const all = Array.from({ length: 15 }, () => names).flat();
    await writeEvents(api.stores.sql, api.network.id, all);
    startDeliverer(t, api);
    const received = await receiver.got(all.length);
    for (const name of names) {
      const sequences = received
        .filter(({ event }) => event.subject.endsWith(name))
        .map(({ event }) => event.sequence);
      t.equal(sequences.length, 15);
      t.strictSame(sequences, sequences.toSorted());
    }
    t.ok(most > 1, `${most} requests side by side`);
    t.equal(together, 0, 'one request of a subject at a time');
  },
);

void t.test('keeps the order of all events, one at a time, with the order of the endpoint', async (t) => {
  const api = await inNetwork(shared);
  const receiver = await startReceiver(t);
  let inFlight = 0;
  let most = 0;
  receiver.react = async () => {
    most = Math.max(most, (inFlight += 1));
    await new Promise(setImmediate);
    inFlight -= 1;
    return {};
  };
  await addWebhook(api, { url: receiver.url, order: 'endpoint' });
  await writeEvents(api.stores.sql, api.network.id, subjects(130));
  startDeliverer(t, api);
  const received = await receiver.got(130);
  const sequences = received.map(({ event }) => event.sequence);
  t.strictSame(sequences, sequences.toSorted());
  t.equal(most, 1);
});

void t.test('delivers each event once and in order while two processes work', async (t) => {
  const api = await inNetwork(shared);
  const receiver = await startReceiver(t);
  await addWebhook(api, { url: receiver.url });
  const [one, other] = [startDeliverer(t, api), startDeliverer(t, api)];
  const names = subjects(5);
  for (let batch = 0; batch < 10; batch += 1) {
    await writeEvents(api.stores.sql, api.network.id, names);
    one.wake();
    other.look();
  }
  const received = await receiver.got(50);
  t.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 50);
  for (const name of names) {
    const sequences = received
      .filter(({ event }) => event.subject.endsWith(name))
      .map(({ event }) => event.sequence);
    t.strictSame(sequences, sequences.toSorted());
  }
});

void t.test('goes on at the stored position in another process', async (t) => {
  const api = await inNetwork(shared);
  const receiver = await startReceiver(t);
  const { id } = await addWebhook(api, { url: receiver.url });
  const first = startDeliverer(t, api);
  await writeEvents(api.stores.sql, api.network.id, subjects(3));
  await receiver.got(3);
  // A delivery whose answer was not read is repeated.
  await untilHealth(api, id, 'three are counted', ({ delivered }) => delivered === 3);
  await first.stop();
  await writeEvents(api.stores.sql, api.network.id, subjects(2));
  startDeliverer(t, api);
  await receiver.got(5);
  await untilHealth(api, id, 'all are counted', ({ delivered }) => delivered === 5);
  t.equal(receiver.received.length, 5, 'none comes twice');
});

void t.test('signs with both secrets until the previous one expires', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const receiver = await startReceiver(t);
  const { id, secret } = await addWebhook(api, { url: receiver.url });
  startDeliverer(t, api);
  await writeEvents(sql, api.network.id, subjects(1));
  await receiver.got(1);
  const begin = Date.now();
  const rotated = await api.call(api.key, { method: 'POST', url: `/cpms/v1/webhooks/${id}/rotate-secret` });
  const next = rotated.json['data']?.['secret'] as unknown as string;
  t.match(rotated.headers, { 'cache-control': 'no-store' });
  t.not(next, secret);
  const expiresAt = Date.parse(textOf((await webhookOf(api, id))['previousSecretExpiresAt']));
  const day = 24 * 3_600_000;
  t.ok(expiresAt >= begin + day && expiresAt <= Date.now() + day);

  await writeEvents(sql, api.network.id, subjects(1));
  const [, both] = await receiver.got(2);
  if (both === undefined) throw new Error('no request');
  t.equal(validSignatures(both, next).length, 1);
  t.equal(validSignatures(both, secret).length, 1);
  t.match(String(both.headers['webhook-signature']), /^v1,\S+ v1,\S+$/);

  await sql`
    update webhook_secrets set expires_at = now() - interval '1 s'
    where expires_at is not null and endpoint_id = (select id from webhook_endpoints where uuid = ${id})`;
  await sql`update webhook_endpoints set version = version + 1 where uuid = ${id}`;
  const isSignedOnce = await until('a request with one signature', async () => {
    await writeEvents(sql, api.network.id, subjects(1));
    const last = (await receiver.got(receiver.received.length)).at(-1);
    return last !== undefined && /^v1,\S+$/.test(String(last.headers['webhook-signature'])) && last;
  });
  t.equal(validSignatures(isSignedOnce, next).length, 1);
  t.notOk(JSON.stringify(await sql`select sealed::text from webhook_secrets`).includes(next.slice(6)));
});

void t.test('stores what it delivered before it gives the lease back', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const receiver = await startReceiver(t);
  const { id } = await addWebhook(api, { url: receiver.url });
  const storing = Promise.withResolvers<void>();
  const mayStore = Promise.withResolvers<void>();
  // The first statement that stores progress is slow.
  let isSlow = true;
  const slow = new Proxy(sql, {
    apply(target, self, args: Parameters<Sql>) {
      const run = () => Reflect.apply(target, self, args) as unknown;
      const storesProgress = String(args[0]).includes('update webhook_lanes l set position');
      // Lanes of other tests may be due, too.
      if (!isSlow || receiver.received.length === 0 || !storesProgress) return run();
      isSlow = false;
      storing.resolve();
      return mayStore.promise.then(run);
    },
  });
  startDeliverer(t, { ...api, deps: { ...api.deps, sql: slow } });
  await writeEvents(sql, api.network.id, subjects(1));
  await storing.promise;
  receiver.react = () => ({ status: 429, headers: { 'retry-after': '3600' } });
  await writeEvents(sql, api.network.id, subjects(1));
  await untilHealth(api, id, 'the pause, which ends the lease', ({ nextTryAt }) => nextTryAt !== null);
  mayStore.resolve();
  await untilHealth(api, id, 'the first event is counted', ({ delivered }) => delivered === 1);
});
