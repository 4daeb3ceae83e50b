import { randomBytes, randomUUID } from 'node:crypto';
import t from 'tap';
import { claimRequest, recordStep, releaseRequest } from '#shared/postgres/access/idempotency.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';

void t.test('a request that is released while a step of it commits keeps the step', async (t) => {
  const { sql } = await testStores(t);
  const request = { id: randomBytes(32), fingerprint: randomBytes(32), attempt: randomUUID() };
  const seconds = { claim: 60, keep: 60 };
  await claimRequest(sql, request, seconds);
  const recorded = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const step = { step: randomBytes(32), result: randomBytes(8) };
  const booking = sql.begin(async (transaction) => {
    await recordStep(transaction, request, step);
    recorded.resolve();
    await commit.promise;
  });
  await recorded.promise;
  const released = releaseRequest(sql, request);
  await until('the release to wait for the step', async () => {
    const [row] = await sql<{ waiting: boolean }[]>`
      select exists (select from pg_stat_activity
        where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0) as waiting`;
    return row?.waiting === true;
  });
  commit.resolve();
  await Promise.all([booking, released]);
  const again = await claimRequest(sql, { ...request, attempt: randomUUID() }, seconds);
  t.same(again, { steps: [step] }, 'a repeat takes the result that was committed');
});

void t.test('a request that is released before any step can be used again', async (t) => {
  const { sql } = await testStores(t);
  const request = { id: randomBytes(32), fingerprint: randomBytes(32), attempt: randomUUID() };
  const seconds = { claim: 60, keep: 60 };
  await claimRequest(sql, request, seconds);
  await releaseRequest(sql, request);
  const other = { ...request, fingerprint: randomBytes(32), attempt: randomUUID() };
  t.same(await claimRequest(sql, other, seconds), { steps: [] });
});
