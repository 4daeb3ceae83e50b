import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import postgres from 'postgres';
import t, { type Test } from 'tap';
import { startEmbeddedPostgres } from '#shared/embedded/postgres.ts';
import { identify, isRunning } from '#shared/embedded/process-table.ts';
import { until } from '#shared/testing/until.ts';
import { directory } from './support/directory.ts';

/** A fresh directory, and a start whose store is stopped when the test ends. */
function place(test: Test) {
  const dataDir = `${directory(test)}/postgres`;
  const start = async (log?: (line: string) => void) => {
    const store = await startEmbeddedPostgres({ dataDir, ...(log && { log }) });
    test.teardown(() => store.stop());
    return store;
  };
  return { dataDir, start };
}

async function ask(url: string, query: string): Promise<postgres.Row[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return [...(await sql.unsafe(query))];
  } finally {
    await sql.end();
  }
}

void t.test('keeps data and URL over stop and start', async (t) => {
  const { start } = place(t);
  const first = await start();
  await ask(first.url, 'create table kept (n int); insert into kept values (7)');
  const server = identify(first.pid);
  await first.stop();
  t.equal(server && isRunning(server), false, 'stop leaves no server');

  const second = await start();
  t.equal(second.url, first.url);
  t.same(await ask(second.url, 'select n from kept'), [{ n: 7 }]);
});

void t.test('is durable, in UTC and reachable from this machine only', async (t) => {
  const { start } = place(t);
  const { url } = await start();
  const names = [
    'fsync',
    'synchronous_commit',
    'full_page_writes',
    'listen_addresses',
    'TimeZone',
    'max_connections',
  ];
  const rows = await ask(url, `select name, setting from pg_settings where name in ('${names.join("','")}')`);
  t.same(Object.fromEntries(rows.map((row) => [row['name'], row['setting']])), {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    listen_addresses: '127.0.0.1',
    TimeZone: 'UTC',
    max_connections: '200',
  });
  const database = await ask(
    url,
    'select datname, datcollate, datlocale from pg_database where datname = current_database()',
  );
  t.match(database, [{ datname: 'chargeway', datlocale: 'C.UTF-8' }]);
});

void t.test('listens on TCP only where the path of its directory is too long for a socket', async (t) => {
  const dataDir = `${directory(t)}/${'long'.repeat(25)}`;
  const store = await startEmbeddedPostgres({ dataDir });
  t.teardown(() => store.stop());
  const { url } = store;
  t.equal(new URL(url).search, '');
  t.same(await ask(url, 'select 1 as one'), [{ one: 1 }]);
});

void t.test(
  'starts over the socket of a killed server whose process id belongs to another process',
  async (t) => {
    const { start, dataDir } = place(t);
    const first = await start();
    await first.stop();
    const socket = new URL(first.url).port;
    writeFileSync(`${dataDir}/.s.PGSQL.${socket}.lock`, `${process.ppid}\n`);
    const second = await start();
    t.equal(second.url, first.url);
    t.same(await ask(second.url, 'select 1 as one'), [{ one: 1 }]);
  },
);

void t.test('refuses a wrong password and keeps the right one private', async (t) => {
  const { start, dataDir } = place(t);
  const { url } = await start();
  const wrong = new URL(url);
  wrong.password = 'wrong';
  await t.rejects(ask(wrong.href, 'select 1'), { code: '28P01' });
  t.equal(statSync(`${dataDir}.json`).mode & 0o777, 0o600);
});

void t.test('fails on a directory in use and names its user', async (t) => {
  const { start, dataDir } = place(t);
  const { url } = await start();
  await t.rejects(start(), { message: `${dataDir} is in use: process ${process.pid} runs a server on it` });
  t.same(await ask(url, 'select 1 as one'), [{ one: 1 }], 'the first goes on');
});

void t.test('restarts a server after kill -9 with all committed data', async (t) => {
  const { start } = place(t);
  const store = await start();
  await ask(store.url, 'create table kept (n int); insert into kept values (7)');
  const killed = store.pid;
  process.kill(killed, 'SIGKILL');
  await until('another process of PostgreSQL', () => store.pid !== killed);
  t.same(await ask(store.url, 'select n from kept'), [{ n: 7 }]);
});

void t.test('starts after an interrupted first start', async (t) => {
  const dir = directory(t);
  mkdirSync(`${dir}/postgres.new/base`, { recursive: true });
  writeFileSync(`${dir}/postgres.new/PG_VERSION`, '18');
  const store = await startEmbeddedPostgres({ dataDir: `${dir}/postgres` });
  t.teardown(() => store.stop());
  t.same(await ask(store.url, 'select 1 as one'), [{ one: 1 }]);
});

void t.test('starts when the pid file names an unrelated process', async (t) => {
  const { start, dataDir } = place(t);
  const first = await start();
  const file = `${dataDir}/postmaster.pid`;
  const lines = readFileSync(file, 'utf8').split('\n');
  await first.stop();
  writeFileSync(file, [String(process.pid), ...lines.slice(1)].join('\n'));

  const second = await start();
  t.same(await ask(second.url, 'select 1 as one'), [{ one: 1 }]);
});

void t.test('sets a new password on data without a password file', async (t) => {
  const { start, dataDir } = place(t);
  const first = await start();
  await ask(first.url, 'create table kept (n int); insert into kept values (7)');
  await first.stop();
  rmSync(`${dataDir}.json`);

  const second = await start();
  t.not(new URL(second.url).password, new URL(first.url).password);
  t.same(await ask(second.url, 'select n from kept'), [{ n: 7 }]);
});

void t.test(
  'starts for root in a folder that is closed to other accounts',
  { skip: process.getuid?.() !== 0 && 'only root starts it as another account' },
  async (t) => {
    const closed = `${directory(t)}/closed`;
    mkdirSync(closed, { mode: 0o700 });
    const start = async () => {
      const store = await startEmbeddedPostgres({ dataDir: `${closed}/postgres` });
      t.teardown(() => store.stop());
      return store;
    };
    const first = await start();
    await ask(first.url, 'create table kept as select 7 as n');
    await first.stop();
    const second = await start();
    t.same(await ask(second.url, 'select n from kept'), [{ n: 7 }]);
  },
);
