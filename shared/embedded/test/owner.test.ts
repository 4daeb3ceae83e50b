import { once } from 'node:events';
import { createClient } from '@clickhouse/client';
import postgres from 'postgres';
import t from 'tap';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';
import { startEmbeddedPostgres } from '#shared/embedded/postgres.ts';
import { identify, isRunning } from '#shared/embedded/process-table.ts';
import { spawnOwner } from './support/spawn-owner.ts';
import { until } from '#shared/testing/until.ts';
import { directory } from './support/directory.ts';

void t.test('takes over both directories with their data after kill -9 of the owner', async (t) => {
  const dir = directory(t);
  const owner = await spawnOwner(dir);
  const clickhouse = identify(owner.clickhouse.pid);
  const before = identify(owner.postgres.pid);
  t.ok(clickhouse && before, 'both servers run');
  const sql = postgres(owner.postgres.url, { max: 1 });
  const client = createClient({ url: owner.clickhouse.url });
  await sql`create table kept as select 7 as n`;
  await client.command({ query: 'CREATE TABLE kept (n Int32) ENGINE = MergeTree ORDER BY n' });
  await client.insert({ table: 'kept', values: [{ n: 7 }], format: 'JSONEachRow' });
  owner.child.kill('SIGKILL');
  await once(owner.child, 'exit');
  await Promise.all([sql.end(), client.close()]);

  await until('the end of ClickHouse', () => !(clickhouse && isRunning(clickhouse)));
  t.pass('the ClickHouse process ends with its owner');
  t.ok(before && isRunning(before), 'the PostgreSQL server is left over');

  const pg = await startEmbeddedPostgres({ dataDir: `${dir}/postgres` });
  t.teardown(() => pg.stop());
  const ch = await startEmbeddedClickHouse({ dataDir: `${dir}/clickhouse` });
  t.teardown(() => ch.stop());
  t.notOk(before && isRunning(before), 'and is stopped by the next start');
  const again = postgres(pg.url, { max: 1 });
  t.teardown(() => again.end());
  const clientAgain = createClient({ url: ch.url });
  t.teardown(() => clientAgain.close());
  t.same([...(await again`select n from kept`)], [{ n: 7 }]);
  const rows = await clientAgain.query({ query: 'SELECT n FROM kept', format: 'JSONEachRow' });
  t.same(await rows.json(), [{ n: 7 }]);
});

void t.test('refuses a directory on which another process runs a server', async (t) => {
  const dir = directory(t);
  const owner = await spawnOwner(dir);
  t.teardown(async () => {
    const ended = once(owner.child, 'exit');
    owner.child.kill('SIGINT');
    await ended;
  });
  const message = new RegExp(`is in use: process ${owner.child.pid} `);
  await t.rejects(startEmbeddedPostgres({ dataDir: `${dir}/postgres` }), { message });
  await t.rejects(startEmbeddedClickHouse({ dataDir: `${dir}/clickhouse` }), { message });
});

void t.test('leaves the stores running on Ctrl-C until the owner stops them', async (t) => {
  const owner = await spawnOwner(directory(t));
  const servers = [identify(owner.postgres.pid), identify(owner.clickhouse.pid)];
  const exited = once(owner.child, 'exit');
  process.kill(-Number(owner.child.pid), 'SIGINT');
  const [report] = await once(owner.child, 'message');
  t.same(report, { one: 1, ping: true, restarts: [] });
  await exited;
  t.same(
    servers.map((server) => server && isRunning(server)),
    [false, false],
  );
});
