import { randomUUID } from 'node:crypto';
import t from 'tap';
import { allNetworks, onlyNetworks } from '#shared/domain/access/tenancy.ts';
import type { EventFilter, PublicEventType } from '#shared/domain/events/event-types.ts';
import { newestPosition, readEventLog } from '#shared/postgres/events/event-log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { assignPositions, type NewEvent, recordEvents } from '#shared/postgres/kernel/outbox.statements.ts';
import { seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';

const eventOf = (
  networkId: number | null,
  type: PublicEventType,
  more: Partial<NewEvent> = {},
): NewEvent => ({
  type,
  networkId,
  subjectId: 1,
  subjectUuid: randomUUID(),
  ...more,
});

async function write(sql: Sql, events: NewEvent[]): Promise<void> {
  await sql.begin((transaction) => recordEvents(transaction, events));
  await assignPositions(sql);
}

/** Reads all pages of a caller. */
async function readAll(sql: Sql, networkIds: number[], filter: EventFilter = {}, limit = 100) {
  const types: string[] = [];
  let after = 0n;
  for (;;) {
    const page = await readEventLog(sql, onlyNetworks(networkIds), filter, after, limit);
    types.push(...page.events.map(({ type }) => type));
    after = page.upTo;
    if (!page.hasMore) return types;
  }
}

void t.test('lists the public events of the networks in scope in the order of positions', async (t) => {
  const { sql } = await testStores(t);
  const [mine, other] = [await seedNetwork(sql), await seedNetwork(sql)];
  await write(sql, [
    eventOf(mine.id, 'driver.created'),
    eventOf(other.id, 'driver.created'),
    eventOf(mine.id, 'location.updated', { subjectUuid: null }),
    eventOf(mine.id, 'token.created'),
    eventOf(null, 'operator.created'),
  ]);
  t.same(await readAll(sql, [mine.id]), ['driver.created', 'token.created']);
  t.same(await readAll(sql, [mine.id], {}, 1), ['driver.created', 'token.created'], 'in pages of one');
  t.same(await readAll(sql, [mine.id], { types: ['token.created'] }), ['token.created']);
  t.same(await readAll(sql, []), [], 'no network, no event');
  const { events } = await readEventLog(sql, allNetworks, {}, 0n, 100);
  t.same(
    events.map(({ type }) => type),
    ['driver.created', 'driver.created', 'token.created', 'operator.created'],
    'events of no network are visible to unrestricted callers',
  );
});

void t.test('finds the events of a charger, its location and a session', async (t) => {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  const charger = await seedCharger(sql, network.id);
  await sql`delete from outbox`;
  const session = randomUUID();
  await write(sql, [
    eventOf(network.id, 'charger.connected', { subjectUuid: charger.uuid, chargerId: charger.id }),
    eventOf(network.id, 'session.started', { subjectUuid: session, chargerId: charger.id }),
    eventOf(network.id, 'wallet.changed', { data: { sessionId: session, balanceMinor: '5' } }),
    eventOf(network.id, 'driver.created'),
  ]);
  t.same(await readAll(sql, [network.id], { chargerUuid: charger.uuid }), [
    'charger.connected',
    'session.started',
  ]);
  t.same(await readAll(sql, [network.id], { sessionUuid: session }), ['session.started', 'wallet.changed']);
  const page = await readEventLog(sql, onlyNetworks([network.id]), { sessionUuid: session }, 0n, 1);
  t.match(page, {
    hasMore: true,
    events: [
      { subjectUuid: session, chargerUuid: charger.uuid, sessionUuid: session, networkUuid: network.uuid },
    ],
  });
});

void t.test('ends a page after the events that it looked at, although the filter took none', async (t) => {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  await write(sql, [eventOf(network.id, 'driver.created'), eventOf(network.id, 'driver.updated')]);
  const page = await readEventLog(sql, allNetworks, { types: ['invoice.created'] }, 0n, 10);
  t.match(page, { events: [], hasMore: false });
  t.equal(page.upTo, await newestPosition(sql));
});

void t.test('returns the event of a transaction that commits after a later one', async (t) => {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  const [isWritten, isRead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const early = sql.begin(async (transaction) => {
    await recordEvents(transaction, [eventOf(network.id, 'driver.created')]);
    isWritten.resolve();
    await isRead.promise;
  });
  await isWritten.promise;
  await write(sql, [eventOf(network.id, 'token.created')]);
  const first = await readEventLog(sql, onlyNetworks([network.id]), {}, 0n, 100);
  t.match(first, { events: [{ type: 'token.created' }], hasMore: false });
  isRead.resolve();
  await early;
  await assignPositions(sql);
  const second = await readEventLog(sql, onlyNetworks([network.id]), {}, first.upTo, 100);
  t.match(second, { events: [{ type: 'driver.created' }], hasMore: false });
  t.ok(second.events[0]!.id < first.events[0]!.id, 'the event was written first');
});
