import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createClient } from '@clickhouse/client';
import t, { type Test } from 'tap';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';
import { identify, isRunning } from '#shared/embedded/process-table.ts';
import { until } from '#shared/testing/until.ts';
import { directory } from './support/directory.ts';

async function start(test: Test, dataDir: string, port?: number) {
  const store = await startEmbeddedClickHouse({ dataDir, ...(port !== undefined && { port }) });
  const client = createClient({ url: store.url });
  test.teardown(async () => {
    await client.close();
    await store.stop();
  });
  const numbers = async () => {
    const result = await client.query({
      query: 'SELECT n FROM kept ORDER BY n',
      format: 'JSONCompactEachRow',
    });
    return (await result.json<[number]>()).map(([n]) => n);
  };
  return { store, client, numbers };
}

const CREATE = 'CREATE TABLE kept (n UInt32) ENGINE = MergeTree ORDER BY n';

void t.test('kill -9 during inserts loses no acknowledged row and keeps the port', async (t) => {
  const { store, client, numbers } = await start(t, `${directory(t)}/clickhouse`);
  await client.command({ query: CREATE });
  const killed = store.pid;
  const acknowledged: number[] = [];
  for (let n = 0; ; n++) {
    if (n === 50) process.kill(killed, 'SIGKILL');
    try {
      await client.insert({ table: 'kept', values: [[n]], format: 'JSONCompactEachRow' });
    } catch {
      break;
    }
    acknowledged.push(n);
  }
  t.ok(acknowledged.length >= 50);
  const stored = await until('the stored numbers', () => numbers().catch(() => undefined));
  t.not(store.pid, killed);
  t.same(
    acknowledged.filter((n) => !stored.includes(n)),
    [],
  );
});

void t.test('stop waits for running queries, leaves no process and keeps the data', async (t) => {
  const dataDir = `${directory(t)}/clickhouse`;
  const first = await start(t, dataDir);
  await first.client.command({ query: CREATE });
  await first.client.insert({ table: 'kept', values: [[1]], format: 'JSONCompactEachRow' });
  const server = identify(first.store.pid);
  // As long as ClickHouse lets one sleep: it has to be seen while it runs.
  const slow = first.client.query({ query: 'SELECT sleep(3) AS x', format: 'JSONEachRow' });
  await until('the slow statement', async () => (await runningStatements(first.client)) > 1);
  const stopped = first.store.stop();
  t.same(await (await slow).json(), [{ x: 0 }]);
  await stopped;
  t.equal(server && isRunning(server), false);

  const second = await start(t, dataDir);
  t.same(await second.numbers(), [1]);
});

void t.test('fails with the reason on a directory or port in use', async (t) => {
  const dir = directory(t);
  await start(t, `${dir}/clickhouse`);
  await t.rejects(start(t, `${dir}/clickhouse`), { message: /clickhouse is in use: process \d+ / });

  const taken = createServer().listen(0, '127.0.0.1');
  t.teardown(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  await t.rejects(start(t, `${dir}/other`, port), { message: /ClickHouse did not start: .*EADDRINUSE/ });
});

async function runningStatements(client: ReturnType<typeof createClient>): Promise<number> {
  const result = await client.query({
    query: 'SELECT query_id FROM system.processes',
    format: 'JSONEachRow',
  });
  return (await result.json()).length;
}
