import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { ConnectionJournal } from '#gateway/connections/connection-journal.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';

const failure = new Error('the boot could not be stored');

async function scene(t: Test) {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  const seeded = await seedCharger(sql, network.id, { connectors: 1 });
  const journal = await ConnectionJournal.open({
    sql,
    history: { add: () => undefined },
    waitingSegments: () => 0,
    log: createLogger('test', 'silent'),
  });
  t.teardown(() => journal.close());
  return {
    journal,
    charger: { ...seeded, networkId: network.id, registration: 'Accepted' as const },
    stored: async () => {
      const [row] = await sql<{ connectionId: string | null; isOpen: boolean }[]>`
        select connection_id as "connectionId", disconnected_at is null as "isOpen"
        from chargers where id = ${seeded.id}`;
      return row;
    },
  };
}

void t.test('stores a socket with the next regular write when the write of its boot fails', async (t) => {
  const { journal, charger, stored } = await scene(t);
  const connectionId = randomUUID();
  const socket = { charger, connectionId, claimedAt: Date.now() };
  journal.opened(socket);
  const boot = journal.storeOpened([charger.id], ({ byCharger }) => {
    t.equal(byCharger.get(charger.id)?.connectionId, connectionId);
    return Promise.reject(failure);
  });
  await t.rejects(boot, failure);
  const row = await until('a stored socket', async () => {
    const found = await stored();
    return found?.connectionId === connectionId && found;
  });
  t.equal(row.isOpen, true);
});

void t.test('stores a socket as closed that closed during the failed write of its boot', async (t) => {
  const { journal, charger, stored } = await scene(t);
  const connectionId = randomUUID();
  const socket = { charger, connectionId, claimedAt: Date.now() };
  journal.opened(socket);
  const boot = journal.storeOpened([charger.id], () => {
    journal.closed(socket, false);
    return Promise.reject(failure);
  });
  await t.rejects(boot, failure);
  const row = await until('a stored socket', async () => {
    const found = await stored();
    return found?.connectionId === connectionId && found;
  });
  t.equal(row.isOpen, false);
});
