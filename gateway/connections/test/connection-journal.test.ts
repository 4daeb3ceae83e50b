import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { ConnectionJournal, replacedForMs, writeEveryMs } from '#gateway/connections/connection-journal.ts';
import { createLogger } from '#shared/log/log.ts';
import { type SeededCharger, seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

const failure = new Error('the boot could not be stored');

async function scene(t: Test) {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  const [seeded, another] = [await seedCharger(sql, network.id), await seedCharger(sql, network.id)];
  const identityOf = (one: SeededCharger) => ({
    ...one,
    networkId: network.id,
    registration: 'Accepted' as const,
  });
  const clock = new VirtualClock();
  const open = async () => {
    const journal = await ConnectionJournal.open({
      sql,
      history: { add: () => undefined },
      waitingSegments: () => 0,
      log: createLogger('test', 'silent'),
      clock,
    });
    t.teardown(() => journal.close());
    return journal;
  };
  return {
    clock,
    journal: await open(),
    open,
    events: async () => {
      const rows = await sql<{ type: string }[]>`
        select type from outbox
        where type in ('charger.connected', 'charger.disconnected') and charger_id = ${seeded.id} order by id`;
      return rows.map(({ type }) => type);
    },
    charger: identityOf(seeded),
    another: identityOf(another),
    stored: async ({ id } = seeded) => {
      const [row] = await sql<{ connectionId: string | null; isOpen: boolean }[]>`
        select connection_id as "connectionId", disconnected_at is null as "isOpen"
        from chargers where id = ${id}`;
      return row;
    },
  };
}

void t.test('stores a socket with the next regular write when the write of its boot fails', async (t) => {
  const { clock, journal, charger, stored } = await scene(t);
  const connectionId = randomUUID();
  const socket = { charger, connectionId, claimedAt: clock.now() };
  journal.opened(socket);
  const boot = journal.storeOpened([charger.id], ({ byCharger }) => {
    t.equal(byCharger.get(charger.id)?.connectionId, connectionId);
    return Promise.reject(failure);
  });
  await t.rejects(boot, failure);
  clock.advance(writeEveryMs);
  const row = await until('a stored socket', async () => {
    const found = await stored();
    return found?.connectionId === connectionId && found;
  });
  t.equal(row.isOpen, true);
});

void t.test('stores a socket as closed that closed during the failed write of its boot', async (t) => {
  const { clock, journal, charger, stored } = await scene(t);
  const connectionId = randomUUID();
  const socket = { charger, connectionId, claimedAt: clock.now() };
  journal.opened(socket);
  const boot = journal.storeOpened([charger.id], () => {
    journal.closed(socket, false);
    return Promise.reject(failure);
  });
  await t.rejects(boot, failure);
  clock.advance(writeEveryMs);
  const row = await until('a stored socket', async () => {
    const found = await stored();
    return found?.connectionId === connectionId && found;
  });
  t.equal(row.isOpen, false);
});

void t.test('shows a charger as connected while it moves to another shard', async (t) => {
  const { clock, journal, open, charger, stored, events } = await scene(t);
  const other = await open();
  const old = { charger, connectionId: randomUUID(), claimedAt: clock.now() - 1000 };
  journal.opened(old);
  clock.advance(writeEveryMs);
  await until('the old socket', async () => (await stored())?.connectionId === old.connectionId);
  const fresh = { charger, connectionId: randomUUID(), claimedAt: clock.now() };
  other.opened(fresh);
  journal.closed(old, true);
  clock.advance(writeEveryMs);
  await until('the new socket', async () => (await stored())?.connectionId === fresh.connectionId);
  await journal.close();
  t.match(await stored(), { connectionId: fresh.connectionId, isOpen: true });
  t.same(await events(), ['charger.connected']);
});

void t.test('shows a charger as disconnected whose newer socket no shard stores', async (t) => {
  const { clock, journal, charger, stored, events } = await scene(t);
  const socket = { charger, connectionId: randomUUID(), claimedAt: clock.now() };
  journal.opened(socket);
  clock.advance(writeEveryMs);
  await until('the socket', async () => (await stored())?.connectionId === socket.connectionId);
  journal.closed(socket, true);
  clock.advance(replacedForMs);
  await until('its end', async () => (await stored())?.isOpen === false);
  t.same(await events(), ['charger.connected', 'charger.disconnected']);
});

void t.test('keeps a socket of a charger that returns to the shard which it left', async (t) => {
  const { clock, journal, charger, another, stored, events } = await scene(t);
  const sockets = [charger, another].map((of) => ({
    charger: of,
    connectionId: randomUUID(),
    claimedAt: clock.now() - 1000,
  }));
  for (const socket of sockets) {
    journal.opened(socket);
    clock.advance(writeEveryMs);
    await until(
      'the socket',
      async () => (await stored(socket.charger))?.connectionId === socket.connectionId,
    );
  }
  for (const socket of sockets) journal.closed(socket, true);
  const fresh = { charger, connectionId: randomUUID(), claimedAt: clock.now() };
  journal.opened(fresh);
  clock.advance(replacedForMs);
  await until('the end of the other charger', async () => (await stored(another))?.isOpen === false);
  t.match(await stored(), { connectionId: fresh.connectionId, isOpen: true });
  t.same(await events(), ['charger.connected']);
});
