import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { storePartner } from '#api/services/roaming/registration/store.service.ts';
import { hashSecret } from '#shared/domain/kernel/secrets.ts';
import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { insertPartner, resetPartner } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import { lockQueue } from '#shared/postgres/roaming/ocpi-pushes.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';

/** Makes a partner with two waiting pushes. */
async function startPartner(t: Test) {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  const tokenHash = hashSecret(randomUUID());
  const party = { countryCode: 'DE', partyId: 'EMS' };
  const made = { networkId: network.id, name: 'EMS', parties: [party], writeScopes: [], quirks: {} };
  const uuid = await sql.begin((transaction) =>
    insertPartner(transaction, { ...made, rateLimitPerHour: null, tokenHash }),
  );
  const [partner] = await sql<{ id: number; networkId: number }[]>`
    update ocpi_partners set status = 'REGISTERED' where uuid = ${uuid} returning id, network_id as "networkId"`;
  if (partner === undefined) throw new Error('no partner');
  for (const objectId of [1, 2]) await touchPush(sql, partner.id, objectId);
  const agreed = {
    tokenHash: hashSecret(randomUUID()),
    theirToken: 'sealed',
    versionsUrl: 'https://emsp.example/versions',
    ocpiVersion: '2.2.1' as const,
    roles: [],
    endpoints: [],
  };
  return { sql, partner, tokenHash, agreed };
}

/** Queues a push, or changes the one that waits, as the queue does. */
async function touchPush(sql: Sql | Transaction, partnerId: number, objectId: number): Promise<void> {
  await sql`
    insert into ocpi_pushes as q (partner_id, object, object_id, is_whole, changed_at)
    values (${partnerId}, 'location', ${objectId}, true, now())
    on conflict (partner_id, object, object_id) do update set revision = q.revision + 1`;
}

/** Resolves when another transaction waits for a lock of this one. */
async function untilBlocking(sql: Sql, transaction: Transaction): Promise<void> {
  const [own] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await until('a transaction that waits', async () => {
    const [row] = await sql<{ blocked: boolean }[]>`
      select exists (select from pg_stat_activity where ${own?.pid ?? 0} = any(pg_blocking_pids(pid))) as blocked`;
    return row?.blocked;
  });
}

void t.test('registers a partner while pushes to it are queued', async (t) => {
  const { sql, partner, tokenHash, agreed } = await startPartner(t);
  const registered = await sql.begin(async (queue) => {
    await lockQueue(queue);
    const storing = sql.begin((transaction) => storePartner(transaction, partner, tokenHash, agreed));
    await untilBlocking(sql, queue);
    await touchPush(queue, partner.id, 3);
    return { storing };
  });
  t.equal(await registered.storing, true);
});

void t.test('ends a registration while pushes of the partner change', async (t) => {
  const { sql, partner } = await startPartner(t);
  const ended = await sql.begin(async (queue) => {
    await lockQueue(queue);
    await touchPush(queue, partner.id, 2);
    const resetting = sql.begin((transaction) => resetPartner(transaction, partner.id, null));
    await untilBlocking(sql, queue);
    await touchPush(queue, partner.id, 1);
    return { resetting };
  });
  await ended.resetting;
  t.same(await sql`select id from ocpi_pushes`, []);
});

void t.test('ends a registration while the partner renews it', async (t) => {
  const { sql, partner, tokenHash, agreed } = await startPartner(t);
  await sql`insert into ocpi_partner_endpoints values (${partner.id}, 'tokens', 'SENDER', 'https://emsp.example/tokens')`;
  const ended = await sql.begin(async (renewal) => {
    await renewal`select from ocpi_partners where id = ${partner.id} for no key update`;
    const resetting = sql.begin((transaction) => resetPartner(transaction, partner.id, null));
    await untilBlocking(sql, renewal);
    t.equal(await storePartner(renewal, partner, tokenHash, agreed), true);
    return { resetting };
  });
  await ended.resetting;
  t.match(await sql`select status, token_hash from ocpi_partners`, [{ status: 'PENDING', token_hash: null }]);
});
