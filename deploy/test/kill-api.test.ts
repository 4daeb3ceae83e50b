import { randomUUID } from 'node:crypto';
import t from 'tap';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { hashSecret, newApiKey } from '#shared/domain/kernel/secrets.ts';
import { insertApiKey } from '#shared/postgres/access/api-keys.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { testEnvironment } from '#shared/testing/config.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { startProcess, untilHealthy } from './support/system.ts';

void t.test('the API books a debit once when it is killed between commit and answer', async (t) => {
  const stores = await testStores(t);
  const { sql } = stores;
  const network = await seedNetwork(sql);
  const [user] = await sql<{ uuid: string }[]>`
    insert into users (network_id, email, name) values (${network.id}, 'ada@example.org', 'Ada')
    returning uuid`;
  const opened = await ensureWallet(sql, allNetworks, { uuid: user!.uuid });
  const { id, uuid } = opened!.wallet;
  const gift = { cause: 'CREDIT', causeId: randomUUID(), counter: 'adjustments', mayOwe: false } as const;
  await sql.begin((transaction) => moveMoney(transaction, id, { ...gift, amountMinor: 10_000n }));
  const key = newApiKey('cpms');
  await insertApiKey(sql, {
    apiFamily: 'cpms',
    secretHash: hashSecret(key),
    keyPrefix: key.slice(0, 12),
    last4: key.slice(-4),
    name: 'test',
    unrestricted: false,
    networkIds: [network.id],
    userId: null,
    scopes: grantableScopes,
  });

  const env = await testEnvironment(t, stores);
  const base = `http://127.0.0.1:${env['PORT']}`;
  const headers = { 'x-api-key': key, 'idempotency-key': randomUUID(), 'content-type': 'application/json' };
  const debit = () =>
    fetch(`${base}/cpms/v1/wallets/${uuid}/debit`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ amount: 5, reason: 'Cable' }),
    });
  const debits = async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer from ledger_transactions where cause = 'DEBIT'`;
    return row?.count;
  };

  // The answer waits for a lock of the test while it is kept: the debit is committed by then.
  await sql.unsafe(`
    create function wait_for_the_test() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(4711); return new; end';
    create trigger wait before update of answer on idempotency_keys
      for each row execute function wait_for_the_test();`);
  const gate = await sql.reserve();
  await gate`select pg_advisory_lock(4711)`;
  const first = startProcess(t, 'api/main.ts', env);
  await untilHealthy(first, `${base}/health/ready`);
  const lost = debit().catch((error: unknown) => error);
  const waiting = await until('the answer waits', async () => {
    const [row] = await sql<{ pid: number }[]>`
      select pid from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`;
    return row;
  });
  await first.kill('SIGKILL');
  t.ok((await lost) instanceof Error, 'the client got no answer');
  await sql`select pg_terminate_backend(${waiting.pid})`;
  await gate`select pg_advisory_unlock(4711)`;
  gate.release();
  t.equal(await debits(), 1);
  await sql`update idempotency_keys set claimed_until = now()`;

  const second = startProcess(t, 'api/main.ts', env);
  await untilHealthy(second, `${base}/health/ready`);
  const repeated = await debit();
  t.equal(repeated.status, 200);
  t.match(await repeated.json(), { data: { available: 95 } });
  t.equal(await debits(), 1);
});
