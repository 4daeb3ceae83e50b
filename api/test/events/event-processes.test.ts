import t, { type Test } from 'tap';
import { mintKey } from '#api/test/support/fixtures.ts';
import { startApiProcess } from '#api/test/support/api-process.ts';
import { openStream } from '#api/test/support/event-stream.ts';
import { newEvent, writeEvents, writeNumbered } from '#api/test/support/written-events.ts';
import { EventFeed } from '#api/services/events/event-feed.ts';
import { EventRelay, relayPace } from '#api/services/events/event-relay.ts';
import { EventSubscription } from '#api/services/events/event-subscription.ts';
import { type Bus } from '#shared/bus/contract.ts';
import { openBus } from '#shared/bus/open.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { systemClock } from '#shared/domain/kernel/system-clock.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { assignPositions } from '#shared/postgres/kernel/outbox.statements.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

const path = '/cpms/v1/events';
const ignored = { failed: () => undefined, recovered: () => undefined };
const outages = { relayOutages: ignored, feedOutages: ignored };
const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);

void t.test('delivers every event once to the clients of two processes', async (t) => {
  const stores = await testStores(t);
  const network = await seedNetwork(stores.sql);
  const key = await mintKey({ stores, network });
  const [one, two] = [await startApiProcess(t, stores), await startApiProcess(t, stores)];
  const clients = [await openStream(t, one.app, key, path), await openStream(t, two.app, key, path)];
  await writeNumbered(stores.sql, network.id, 2000, 100);
  for (const client of clients) {
    await client.received(2000);
    t.same(
      client.events.map(({ data }) => data['number']),
      upTo(2000),
    );
  }
});

void t.test('resumes at another process after the first one stopped', async (t) => {
  const stores = await testStores(t);
  const network = await seedNetwork(stores.sql);
  const key = await mintKey({ stores, network });
  const first = await startApiProcess(t, stores);
  const client = await openStream(t, first.app, key, path);
  await writeNumbered(stores.sql, network.id, 10);
  const lastEventId = (await client.received(10))[9]?.id ?? '';
  await first.stop();
  await client.ended();
  await writeNumbered(stores.sql, network.id, 20);
  const second = await startApiProcess(t, stores);
  const again = await openStream(t, second.app, key, path, { 'last-event-id': lastEventId });
  await again.received(20);
  t.same(
    again.events.map(({ data }) => data['number']),
    upTo(20),
  );
});

void t.test('announces positions to the relays of other processes', async (t) => {
  const { sql, redisUrl } = await testStores(t);
  const network = await seedNetwork(sql);
  const heard: bigint[] = [];
  // The second one does not look by itself within the test.
  const relays = await Promise.all(
    [10, 3_600_000].map(async (ms, index) => {
      const bus = await openBus({ redisUrl, localName: 'none' });
      const announced = (position: bigint) => void (index === 1 && heard.push(position));
      const relay = new EventRelay({ sql, bus, clock: systemClock, ...outages }, announced, {
        busyMs: ms,
        idleMs: ms,
      });
      t.teardown(async () => {
        await relay.stop();
        await bus.close();
      });
      return relay;
    }),
  );
  for (const relay of relays) await relay.start(0n);
  await writeEvents(sql, [newEvent(network.id, 'driver.created')]);
  await until('a hint', async () => heard.length > 0);
  const [row] = await sql<{ position: bigint }[]>`select max(position) as position from outbox`;
  t.same(heard, [row?.position]);
});

void t.test('announces a backlog in parts, so that readers do not wait for its end', async (t) => {
  const { sql, redisUrl } = await testStores(t);
  const network = await seedNetwork(sql);
  const bus = await openBus({ redisUrl, localName: 'none' });
  await writeNumbered(sql, network.id, 25_000, 5000);
  const announced: bigint[] = [];
  const deps = { sql, bus, clock: systemClock, ...outages };
  const relay = new EventRelay(deps, (position) => void announced.push(position));
  t.teardown(async () => {
    await relay.stop();
    await bus.close();
  });
  await relay.start(0n);
  await until('the last part', async () => announced.length >= 3);
  const [row] = await sql<{ position: bigint }[]>`select max(position) as position from outbox`;
  t.equal(announced.length, 3);
  t.equal(announced.at(-1), row?.position);
});

/** Starts a feed on a virtual clock, with one subscriber. `looked` resolves when its relay waits for the next look. */
async function startFeed(t: Test, { sql, bus }: { sql: Sql; bus: Bus }, pace = relayPace) {
  const clock = new VirtualClock();
  const settings = { publicUrl: 'http://chargeway.test' };
  const feed = new EventFeed({ sql, bus, clock, settings, ...outages }, pace);
  t.teardown(() => feed.stop());
  await feed.start();
  const texts: string[] = [];
  const subscription = new EventSubscription({
    query: { scope: allNetworks, filter: {} },
    after: 0n,
    feed,
    sink: { write: (text) => texts.push(text) > 0, fail: (error) => t.fail(error.message) },
    readPage: async () => ({ events: [], upTo: feed.position ?? 0n }),
  });
  subscription.resume();
  // The timers are those of the next look and of the sweep.
  const looked = () => until('the end of a look', () => clock.pending === 2);
  clock.advance(1);
  await looked();
  return { clock, texts, looked };
}

void t.test('delivers an event within half a second of its commit', async (t) => {
  const { sql, redisUrl } = await testStores(t);
  const network = await seedNetwork(sql);
  const bus = await openBus({ redisUrl, localName: 'none' });
  t.teardown(() => bus.close());
  const { clock, texts, looked } = await startFeed(t, { sql, bus });
  // The longer it is idle, the rarer it looks.
  for (const [index, idleLooks] of [0, 1, 4].entries()) {
    for (let look = 0; look < idleLooks; look += 1) {
      clock.advance(relayPace.idleMs);
      await looked();
    }
    await writeEvents(sql, [newEvent(network.id, 'driver.updated')]);
    clock.advance(500);
    await until('the event', () => texts.length === index + 1);
    await looked();
  }
  t.ok(clock.steady() < 5000, 'before the feed reads without a hint');
});

void t.test('reads events whose hint was lost', async (t) => {
  const { sql, redisUrl } = await testStores(t);
  const network = await seedNetwork(sql);
  const bus = await openBus({ redisUrl, localName: 'none' });
  t.teardown(() => bus.close());
  // Its relay looks once, at the start, and hears nothing: all that follows is found by the sweep.
  const deaf = { ...bus, node: bus.node, subscribe: async () => async () => undefined } as typeof bus;
  const { clock, texts } = await startFeed(t, { sql, bus: deaf }, { busyMs: 3_600_000, idleMs: 3_600_000 });
  await writeEvents(sql, [newEvent(network.id, 'driver.created')]);
  await assignPositions(sql);
  clock.advance(5000);
  await until('the event', async () => texts.length > 0);
  t.match(texts, [/^id: \S+\nevent: driver\.created\ndata: \{.*\}\n\n$/]);
});

void t.test('reads no events at a process without followers', async (t) => {
  const stores = await testStores(t);
  const network = await seedNetwork(stores.sql);
  const key = await mintKey({ stores, network });
  const sql = openPostgres(stores.databaseUrl, { name: 'quiet', connections: 2 });
  t.teardown(() => sql.end());
  const [quiet, busy] = [await startApiProcess(t, { ...stores, sql }), await startApiProcess(t, stores)];
  const left = await openStream(t, quiet.app, key, path);
  left.close();
  await until('the end of the subscription', async () => quiet.deps.eventHub.size === 0);
  await quiet.deps.eventHub.close();
  const statements: string[] = [];
  sql.options.debug = (_connection, statement) => {
    // Work of the process at intervals reads other tables.
    if (statement.includes('outbox')) statements.push(statement);
  };
  const client = await openStream(t, busy.app, key, path);
  for (let count = 1; count <= 5; count += 1) {
    await writeEvents(stores.sql, [newEvent(network.id, 'driver.created')]);
    await client.received(count);
  }
  t.same(statements, []);
});
