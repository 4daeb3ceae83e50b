import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import postgres from 'postgres';
import t, { type Test } from 'tap';
import { startEmbeddedPostgres } from '#shared/embedded/postgres.ts';
import { serverAccount } from '#shared/embedded/postgres/account.ts';
import { identify } from '#shared/embedded/process-table.ts';
import { directory } from './support/directory.ts';
import { spawnOwner } from './support/spawn-owner.ts';
import { until } from '#shared/testing/until.ts';

/**
 * Starts both stores, keeps a row in PostgreSQL, and kills the owner and PostgreSQL together by signal 9. Before that
 * `meanwhile` runs with a client of the server.
 */
async function killedTogether(
  t: Test,
  meanwhile: (sql: postgres.Sql) => Promise<unknown> = () => Promise.resolve(),
): Promise<string> {
  const dir = directory(t);
  const owner = await spawnOwner(dir);
  const sql = postgres(owner.postgres.url, { max: 1 });
  await sql`create table kept as select 7 as n`;
  await meanwhile(sql);
  const ended = once(owner.child, 'exit');
  owner.child.kill('SIGKILL');
  process.kill(owner.postgres.pid, 'SIGKILL');
  await ended;
  await sql.end({ timeout: 0 });
  return `${dir}/postgres`;
}

/** Replaces the id in the pid file that a killed server left. */
function leavePidOf(dataDir: string, pid: number): void {
  const file = `${dataDir}/postmaster.pid`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(pid)));
}

/** Starts a process as the account that PostgreSQL runs as: only those keep it from starting. */
async function spawnAsServer(
  t: Test,
  file: string,
  args: string[],
  argv0: string = file,
): Promise<ChildProcess> {
  const { uid, gid } = await serverAccount();
  const account = uid === undefined || gid === undefined ? {} : { uid, gid };
  const child = spawn(file, args, { ...account, argv0, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

async function startsWithItsData(t: Test, dataDir: string): Promise<void> {
  const store = await startEmbeddedPostgres({ dataDir });
  t.teardown(() => store.stop());
  const sql = postgres(store.url, { max: 1 });
  t.teardown(() => sql.end());
  t.same([...(await sql`select n from kept`)], [{ n: 7 }]);
}

void t.test('PostgreSQL starts when its left pid file names another program called postgres', async (t) => {
  const dataDir = await killedTogether(t);
  const other = await spawnAsServer(t, 'sleep', ['600'], 'postgres');
  leavePidOf(dataDir, other.pid ?? 0);
  await startsWithItsData(t, dataDir);
  t.equal(other.exitCode, null, 'the other program was not stopped');
});

void t.test('PostgreSQL starts when its left pid file names a zombie', async (t) => {
  const dataDir = await killedTogether(t);
  // The shell becomes a program that does not reap its child.
  const parent = await spawnAsServer(t, 'sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 600']);
  const [pid] = (await once(createInterface({ input: parent.stdout! }), 'line')) as [string];
  await until('the end of the process', () => identify(Number(pid)) === undefined);
  t.ok(process.kill(Number(pid), 0), 'it still has its id');
  leavePidOf(dataDir, Number(pid));
  await startsWithItsData(t, dataDir);
});

void t.test('PostgreSQL starts when a stopped backend of the killed server is left', async (t) => {
  const dataDir = await killedTogether(t, async (sql) => {
    const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    process.kill(backend?.pid ?? 0, 'SIGSTOP');
  });
  await startsWithItsData(t, dataDir);
});

void t.test('PostgreSQL is not started alongside a server that runs on its directory', async (t) => {
  const dataDir = `${directory(t)}/postgres`;
  const store = await startEmbeddedPostgres({ dataDir });
  t.teardown(() => store.stop());
  // As if the server had been started by hand: it has no lock of ours.
  rmSync(`${dataDir}.lock`);
  await t.rejects(startEmbeddedPostgres({ dataDir }), {
    message: `${dataDir} is in use: process ${store.pid} is a PostgreSQL server on it. Stop it, or set DATABASE_URL`,
  });
  const sql = postgres(store.url, { max: 1 });
  t.teardown(() => sql.end());
  t.same([...(await sql`select 1 as one`)], [{ one: 1 }], 'the running server goes on');
});
