import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';
import { migratePostgres } from '#shared/postgres/kernel/migrate.statements.ts';
import type { BlockedMigration } from '#shared/postgres/kernel/migration-attempts.ts';
import { seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';

/** Returns a database whose index of sessions is to be built. */
async function startScene(t: Test) {
  const { sql, databaseUrl } = await testStores(t, { fresh: true });
  await sql`drop index sessions_of_hub_client`;
  await sql`delete from schema_migrations where name like '0681%'`;
  const openProcess = (): Sql => {
    const pool = openPostgres(databaseUrl, { name: 'migrating', connections: 2 });
    t.teardown(() => pool.end({ timeout: 1 }));
    return pool;
  };
  return { sql, openProcess };
}

/** Opens a transaction that has read sessions, and that a build of their indexes waits for. */
async function openReport(sql: Sql): Promise<{ end(): Promise<void> }> {
  const began = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const reading = sql.begin('isolation level repeatable read', async (transaction) => {
    await transaction`select from sessions limit 1`;
    began.resolve();
    await release.promise;
  });
  await began.promise;
  return {
    async end() {
      release.resolve();
      await reading;
    },
  };
}

/** Resolves with the process of the server that builds an index and waits for older transactions. */
async function untilBuilding(sql: Sql): Promise<number> {
  return until('the build to wait', async () => {
    const [build] = await sql<{ pid: number }[]>`
      select pid from pg_stat_progress_create_index where datname = current_database() and phase = 'waiting for old snapshots'`;
    return build?.pid;
  });
}

/** Returns whether the index is valid, or null. */
async function isValid(sql: Sql): Promise<boolean | null> {
  const [row] = await sql<{ valid: boolean }[]>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass('sessions_of_hub_client')`;
  return row?.valid ?? null;
}

async function isRecorded(sql: Sql): Promise<boolean> {
  const rows = await sql`select from schema_migrations where name like '0681%'`;
  return rows.length === 1;
}

void t.test('sessions start and stop while the build of an index waits for an old transaction', async (t) => {
  const { sql, openProcess } = await startScene(t);
  const network = await seedNetwork(sql);
  const charger = await seedCharger(sql, network.id, { connectors: 1 });
  const report = await openReport(sql);
  const blocked: BlockedMigration[] = [];
  const migrating = migratePostgres(openProcess(), { onBlocked: (one) => blocked.push(one) });
  await untilBuilding(sql);

  const [session] = await sql<{ id: bigint }[]>`
    insert into sessions (network_id, charger_id, connector_id, ocpp_transaction_id, start_key, status, authorization_status,
      started_at, start_received_at, currency)
    select ${network.id}, ${charger.id}, id, ${randomUUID()}, ${randomUUID()}, 'ACTIVE', 'Accepted', now(), now(), 'EUR'
    from connectors where charger_id = ${charger.id} returning id`;
  await sql`update sessions set power_w = 1 where id = ${String(session?.id)}::bigint`;

  await until('the report of what it waits for', async () => blocked.length > 0);
  t.match(blocked, [
    {
      migration: '0681_objects_of_hub_clients.sql',
      retryInMs: null,
      blockers: [{ application: 'chargeway-test', state: 'idle in transaction' }],
    },
  ]);
  t.same([await isValid(sql), await isRecorded(sql)], [false, false]);
  await report.end();
  await migrating;
  t.same([await isValid(sql), await isRecorded(sql)], [true, true]);
});

void t.test('repeats a build that was interrupted', async (t) => {
  const { sql, openProcess } = await startScene(t);
  const report = await openReport(sql);
  const interrupted = migratePostgres(openProcess());
  const pid = await untilBuilding(sql);
  await Promise.all([t.rejects(interrupted), sql`select pg_terminate_backend(${pid})`]);
  t.same([await isValid(sql), await isRecorded(sql)], [false, false]);
  await report.end();
  await migratePostgres(openProcess());
  t.same([await isValid(sql), await isRecorded(sql)], [true, true]);
});

void t.test('waits for the build of a process that was killed', async (t) => {
  const { sql, openProcess } = await startScene(t);
  const report = await openReport(sql);
  const killed = openProcess();
  const interrupted = migratePostgres(killed);
  await untilBuilding(sql);
  await Promise.all([t.rejects(interrupted), killed.end({ timeout: 0 })]);
  const waiting = Promise.withResolvers<void>();
  const migrating = migratePostgres(openProcess(), { onWait: waiting.resolve });
  await waiting.promise;
  t.equal(await isValid(sql), false, 'the server goes on with the build');
  await report.end();
  await migrating;
  t.same([await isValid(sql), await isRecorded(sql)], [true, true]);
});

void t.test('builds an index while several processes start', async (t) => {
  const { sql, openProcess } = await startScene(t);
  await Promise.all([1, 2, 3].map(() => migratePostgres(openProcess())));
  t.same([await isValid(sql), await isRecorded(sql)], [true, true]);
});
