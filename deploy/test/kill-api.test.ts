import { createHash, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { addCompleted } from '#api/test/support/exporting.ts';
import { addConnectors } from '#api/test/support/session-rows.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { testEnvironment } from '#shared/testing/config.ts';
import { seedApiKey, seedNetwork, seedUser } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { startProcess, untilHealthy } from './support/system.ts';

void t.test('kill -9 of an API process', async (t) => {
  const stores = await testStores(t, { fresh: true });
  const { sql } = stores;
  const network = await seedNetwork(sql);
  const key = await seedApiKey(sql, 'cpms', { networkIds: [network.id], scopes: grantableScopes });
  const wallet = await addWallet(sql, network.id);
  const exported = await addRunningExport(sql, network.id);
  const env = await testEnvironment(t, stores);
  const directory = join(String(env['DATA_DIR']), 'exports', exported);
  const base = `http://127.0.0.1:${env['PORT']}`;
  const start = async () => {
    const api = startProcess(t, 'api/main.ts', env);
    await untilHealthy(api, `${base}/health/ready`);
    return api;
  };
  const headers = { 'x-api-key': key, 'idempotency-key': randomUUID(), 'content-type': 'application/json' };
  const debit = () =>
    fetch(`${base}/cpms/v1/wallets/${wallet}/debit`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ amount: 5, reason: 'Cable' }),
    });
  const debits = async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer from ledger_transactions where cause = 'DEBIT'`;
    return row?.count;
  };
  const readExport = (path = '') =>
    fetch(`${base}/cpms/v1/exports/${exported}${path}`, { headers: { 'x-api-key': key } });
  const firstPart = async () => {
    const [part] = await sql<{ storedAt: Date }[]>`
      select stored_at as "storedAt" from export_parts where number = 1`;
    return part;
  };

  // The debit is committed when its answer is kept; the file of the second part is written when its row is updated.
  const gates = [
    await closeGate(sql, 4711, 'update of answer on idempotency_keys', 'true'),
    await closeGate(sql, 4712, 'update on export_parts', 'new.number = 2'),
  ];
  const first = await start();
  const lost = debit().catch((error: unknown) => error);
  for (const gate of gates) await gate.reached();
  await first.kill('SIGKILL');
  const left = (await readdir(directory)).toSorted();
  for (const gate of gates) await gate.open();
  const debitsBefore = await debits();
  const partBefore = await firstPart();
  // Claims of a killed process end by themselves after minutes.
  await sql`update idempotency_keys set claimed_until = now()`;
  await sql`update exports set leased_until = now()`;
  const second = await start();

  await t.test('books a debit once that was committed and not answered', async (t) => {
    t.ok((await lost) instanceof Error, 'the client got no answer');
    t.equal(debitsBefore, 1);
    const repeated = await debit();
    t.equal(repeated.status, 200);
    t.match(await repeated.json(), { data: { available: 95 } });
    t.equal(await debits(), 1);
  });

  await t.test('continues an export at the part that was being made', async (t) => {
    t.match(left, [/^1-.*\.csv$/, /^2-.*\.csv$/]);
    const record = await until('the export is complete', async () => {
      const { data } = (await (await readExport()).json()) as {
        data: { state: string; parts: { sha256: string }[] };
      };
      return data.state === 'COMPLETED' ? data : undefined;
    });
    t.match(record, { partsTotal: 3, rows: 3 });
    t.strictSame(await firstPart(), partBefore, 'the first part was not made again');
    for (const [index, { sha256 }] of record.parts.entries()) {
      const file = Buffer.from(await (await readExport(`/parts/${index + 1}`)).arrayBuffer());
      t.equal(createHash('sha256').update(file).digest('hex'), sha256);
      t.equal(file.toString().match(/COMPLETED/g)?.length, 1);
    }
    t.ok(
      (await readdir(directory)).includes(String(left[1])),
      'the file of the killed process is for the sweep',
    );
  });

  t.equal(await second.kill('SIGTERM'), 0);
});

/** Adds a driver with 100.00; returns the UUID of the wallet. */
async function addWallet(sql: Sql, networkId: number): Promise<string> {
  const user = await seedUser(sql, networkId);
  const opened = await ensureWallet(sql, allNetworks, { uuid: user.uuid });
  const { id, uuid } = opened!.wallet;
  const gift = { cause: 'CREDIT', causeId: randomUUID(), counter: 'adjustments', mayOwe: false } as const;
  await sql.begin((transaction) => moveMoney(transaction, id, { ...gift, amountMinor: 10_000n }));
  return uuid;
}

/** Adds an export with three parts of one session and one day each; returns its UUID. */
async function addRunningExport(sql: Sql, networkId: number): Promise<string> {
  const [connector] = await addConnectors(sql, { id: networkId, currency: 'EUR' }, 1);
  for (const day of [1, 2, 3]) await addCompleted(sql, connector!, new Date(Date.UTC(2026, 2, day, 12)));
  const [made] = await sql<{ uuid: string }[]>`
    with made as (
      insert into exports (network_ids, dataset, format, range_by, range_from, range_to, state, created_by)
      values (${[networkId]}, 'sessions', 'csv', 'occurred', '2026-03-01', '2026-03-04', 'RUNNING', gen_random_uuid())
      returning id, uuid
    ), parts as (
      insert into export_parts (export_id, number, range_from, range_to)
      select id, n, timestamptz '2026-02-28' + n * interval '1 day', timestamptz '2026-03-01' + n * interval '1 day'
      from made, generate_series(1, 3) n
    )
    select uuid from made`;
  return made!.uuid;
}

/** Makes an update of a row wait for a lock of the test. */
async function closeGate(sql: Sql, lock: number, update: string, condition: string) {
  await sql.unsafe(`
    create function wait_for_${lock}() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(${lock}); return new; end';
    create trigger wait before ${update} for each row when (${condition}) execute function wait_for_${lock}();`);
  const holder = await sql.reserve();
  await holder`select pg_advisory_lock(${lock})`;
  const waiting = () => sql<{ pid: number }[]>`
    select pid from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`;
  return {
    reached: () => until(`the update waits for ${lock}`, async () => (await waiting()).length > 0),
    /** Ends the statement that waits, and lets later ones pass. */
    async open() {
      for (const { pid } of await waiting()) await sql`select pg_terminate_backend(${pid})`;
      await holder`select pg_advisory_unlock(${lock})`;
      holder.release();
    },
  };
}
