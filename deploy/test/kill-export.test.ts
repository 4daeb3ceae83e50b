import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { addCompleted } from '#api/test/support/exporting.ts';
import { addConnectors } from '#api/test/support/session-rows.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { hashSecret, newApiKey } from '#shared/domain/kernel/secrets.ts';
import { insertApiKey } from '#shared/postgres/access/api-keys.ts';
import { testEnvironment } from '#shared/testing/config.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { startProcess, untilHealthy } from './support/system.ts';

void t.test('an export continues at the part that a killed API process was making', async (t) => {
  const stores = await testStores(t);
  const { sql } = stores;
  const network = await seedNetwork(sql);
  const [connector] = await addConnectors(sql, { id: network.id, currency: 'EUR' }, 1);
  for (const day of [1, 2, 3]) await addCompleted(sql, connector!, new Date(Date.UTC(2026, 2, day, 12)));
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
  // Three parts of a day each. The second waits for a lock of the test when its file is written.
  const [made] = await sql<{ uuid: string }[]>`
    with made as (
      insert into exports (network_ids, dataset, format, range_by, range_from, range_to, state, created_by)
      values (${[network.id]}, 'sessions', 'csv', 'occurred', '2026-03-01', '2026-03-04', 'RUNNING', gen_random_uuid())
      returning id, uuid
    ), parts as (
      insert into export_parts (export_id, number, range_from, range_to)
      select id, n, timestamptz '2026-02-28' + n * interval '1 day', timestamptz '2026-03-01' + n * interval '1 day'
      from made, generate_series(1, 3) n
    )
    select uuid from made`;
  const uuid = made!.uuid;
  await sql.unsafe(`
    create function wait_for_the_test() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(4712); return new; end';
    create trigger wait before update on export_parts
      for each row when (new.number = 2) execute function wait_for_the_test();`);
  const gate = await sql.reserve();
  await gate`select pg_advisory_lock(4712)`;

  const env = await testEnvironment(t, stores);
  const base = `http://127.0.0.1:${env['PORT']}`;
  const directory = join(String(env['DATA_DIR']), 'exports', uuid);
  const first = startProcess(t, 'api/main.ts', env);
  await untilHealthy(first, `${base}/health/ready`);
  const waiting = await until('the second part waits', async () => {
    const [row] = await sql<{ pid: number }[]>`
      select pid from pg_locks where locktype = 'advisory' and objid = 4712 and not granted`;
    return row;
  });
  await first.kill('SIGKILL');
  const left = (await readdir(directory)).toSorted();
  t.match(left, [/^1-.*\.csv$/, /^2-.*\.csv$/]);
  await sql`select pg_terminate_backend(${waiting.pid})`;
  await gate`select pg_advisory_unlock(4712)`;
  gate.release();
  const [kept] = await sql<{ storedAt: Date }[]>`
    select stored_at as "storedAt" from export_parts where number = 1`;
  // The claim of the killed process ends after a minute.
  await sql`update exports set leased_until = now()`;

  const second = startProcess(t, 'api/main.ts', env);
  await untilHealthy(second, `${base}/health/ready`);
  const get = (path: string) =>
    fetch(`${base}/cpms/v1/exports/${uuid}${path}`, { headers: { 'x-api-key': key } });
  const record = await until('the export is complete', async () => {
    const { data } = (await (await get('')).json()) as {
      data: { state: string; parts: { sha256: string }[] };
    };
    return data.state === 'COMPLETED' ? data : undefined;
  });
  t.match(record, { partsTotal: 3, rows: 3 });
  const [again] = await sql<{ storedAt: Date }[]>`
    select stored_at as "storedAt" from export_parts where number = 1`;
  t.strictSame(again, kept, 'the first part was not made again');
  for (const [index, { sha256 }] of record.parts.entries()) {
    const file = Buffer.from(await (await get(`/parts/${index + 1}`)).arrayBuffer());
    t.equal(createHash('sha256').update(file).digest('hex'), sha256);
    t.equal(file.toString().match(/COMPLETED/g)?.length, 1);
  }
  t.ok(
    (await readdir(directory)).includes(String(left[1])),
    'the file of the killed process is for the sweep',
  );
  await second.kill('SIGTERM');
});
