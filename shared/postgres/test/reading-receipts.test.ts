import { randomUUID } from 'node:crypto';
import t from 'tap';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { firstReceipt, removeOldReceipts } from '#shared/postgres/charging/reading-receipts.ts';
import { seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';

const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);

void t.test('a receipt keeps its own time while PostgreSQL is unavailable', async (t) => {
  const sql = openPostgres('postgres://nobody@127.0.0.1:1/none', { name: 'receipts', connections: 1 });
  t.teardown(() => sql.end({ timeout: 1 }));
  const receivedAt = new Date();
  t.equal(await firstReceipt(sql, { chargerId: 1, identity: randomUUID(), receivedAt }), receivedAt);
});

void t.test('PostgreSQL recognizes repeats of a reading for 24 hours', async (t) => {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  const { id: chargerId } = await seedCharger(sql, network.id, { connectors: 1 });
  const identity = randomUUID();
  const receive = (receivedAt: Date) => firstReceipt(sql, { chargerId, identity, receivedAt });
  const [first, repeat, later] = [hoursAgo(30), hoursAgo(7), hoursAgo(5)];
  t.same(await receive(first), first);
  t.same(await receive(repeat), first);
  t.same(await receive(later), later);
});

void t.test('the removal deletes old receipts in more than one batch', async (t) => {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  const { id: chargerId } = await seedCharger(sql, network.id, { connectors: 1 });
  await sql`
    insert into reading_receipts (charger_id, identity, received_at)
    select ${chargerId}, gen_random_uuid(), now() - interval '25 hours' from generate_series(1, 5001)`;
  const kept = randomUUID();
  await firstReceipt(sql, { chargerId, identity: kept, receivedAt: hoursAgo(23) });
  await removeOldReceipts(sql);
  t.same(await sql`select identity from reading_receipts`, [{ identity: kept }]);
});
