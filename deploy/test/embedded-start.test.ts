import { existsSync, readFileSync, statSync, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { freePort } from '#shared/testing/free-port.ts';
import { until } from '#shared/testing/until.ts';
import { allInOneEnvironment, ready } from './support/all-in-one.ts';
import { type RunningProcess, startProcess } from './support/system.ts';

interface Listed {
  pid: number;
  parent: number;
  command: string;
}

async function listProcesses(): Promise<Listed[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args=']);
  return [...stdout.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, pid, parent, command = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    command,
  }));
}

/** Sends a signal to `npm start`, which must end with code 0 and leave no process. Returns the number of processes that it had started. */
async function stopsCleanly(
  t: Test,
  system: RunningProcess,
  signal: NodeJS.Signals,
  dataDir: string,
): Promise<number> {
  const children = (await listProcesses()).filter(({ parent }) => parent === system.child.pid);
  t.equal(await system.kill(signal), 0);
  const left = (await listProcesses()).filter(
    // Servers that were started meanwhile: the command of PostgreSQL names its directory.
    ({ pid, command }) => children.some((each) => each.pid === pid) || command.includes(dataDir),
  );
  t.same(left, []);
  return children.length;
}

void t.test('npm start on embedded stores', async (t) => {
  const env = await allInOneEnvironment(t);
  const dataDir = env.DATA_DIR;
  const backup = join(dataDir, '../backup');
  const path = join(dataDir, 'credentials.json');
  const ask = (path: string, key = '') =>
    fetch(`http://127.0.0.1:${env.PORT}${path}`, { headers: { 'x-api-key': key } });

  await t.test('leaves no process behind after SIGTERM while the stores start', async (t) => {
    await mkdir(dataDir, { recursive: true });
    const initializing = Promise.withResolvers<void>();
    const watcher = watch(dataDir, (_, name) => name === 'postgres.new' && initializing.resolve());
    t.teardown(() => watcher.close());
    const interrupted = startProcess(t, 'deploy/start/start.ts', env);
    await Promise.race([initializing.promise, interrupted.exited]);
    t.ok((await stopsCleanly(t, interrupted, 'SIGTERM', dataDir)) > 0);
    t.notOk(existsSync(path), 'it had not started');
  });

  const first = startProcess(t, 'deploy/start/start.ts', env);
  const said = await ready(first);
  const credentials = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  const { operatorKey = '', emspKey = '' } = credentials;

  await t.test('runs all parts', async (t) => {
    t.match(said, `http://127.0.0.1:${env.PORT}/docs`);
    t.match(said, `ws://127.0.0.1:${env.OCPP_PORT}/ocpp/{uid}`);
    const me = (await (await ask('/cpms/v1/me', operatorKey)).json()) as { data: { unrestricted: boolean } };
    t.equal(me.data.unrestricted, true);
    t.equal((await ask('/emsp/v1/chargers', emspKey)).status, 200);
  });

  await t.test('keeps the first key in a private file and prints it', async (t) => {
    t.equal(statSync(path).mode & 0o777, 0o600, 'the keys are readable by their owner only');
    t.same(Object.keys(credentials).toSorted(), ['emspKey', 'networkId', 'operatorKey']);
    t.match(said, operatorKey);
  });

  await t.test('refuses a data directory that is in use', async (t) => {
    const ports = { PORT: String(await freePort()), OCPP_PORT: String(await freePort()) };
    const other = startProcess(t, 'deploy/start/start.ts', { ...env, ...ports });
    t.equal(await other.exited, 1);
    t.match(other.output(), 'is in use');
  });

  await t.test('is backed up while it runs', async (t) => {
    const run = startProcess(t, 'deploy/operate/backup/backup.ts', { DATA_DIR: dataDir }, [backup]);
    t.equal(await run.exited, 0, run.output());
  });

  await t.test('leaves no process behind after SIGTERM', async (t) => {
    t.ok((await stopsCleanly(t, first, 'SIGTERM', dataDir)) >= 2, 'both stores ran');
  });

  await t.test('starts again with the same key and stops on two SIGINT', async (t) => {
    const second = startProcess(t, 'deploy/start/start.ts', env);
    t.notMatch(await ready(second), operatorKey, 'the key is printed once');
    t.equal((await ask('/cpms/v1/me', operatorKey)).status, 200);
    // npm passes on a signal that the terminal sends to the whole group.
    second.child.kill('SIGINT');
    await until('it to stop', async () => second.output().includes('chargeway stops'));
    await stopsCleanly(t, second, 'SIGINT', dataDir);
  });

  await t.test('starts from a restored backup', async (t) => {
    const restored = { ...env, DATA_DIR: join(dataDir, '../restored') };
    const run = startProcess(t, 'deploy/operate/backup/restore.ts', { DATA_DIR: restored.DATA_DIR }, [
      backup,
    ]);
    t.equal(await run.exited, 0, run.output());
    const copy = startProcess(t, 'deploy/start/start.ts', restored);
    await ready(copy);
    t.equal((await ask('/cpms/v1/me', operatorKey)).status, 200);
    t.equal(await copy.kill('SIGTERM'), 0);
  });
});

void t.test('npm start leaves no process behind after SIGTERM while it waits for a store', async (t) => {
  const env = await allInOneEnvironment(t);
  const unreachable = { DATABASE_URL: 'postgres://127.0.0.1:1/chargeway', LOG_LEVEL: 'info' };
  const waiting = startProcess(t, 'deploy/start/start.ts', { ...env, ...unreachable });
  await until('a wait for PostgreSQL', async () => waiting.output().includes('PostgreSQL is unavailable'));
  t.ok((await stopsCleanly(t, waiting, 'SIGTERM', env.DATA_DIR)) > 0, 'ClickHouse ran');
});

void t.test('npm start names a port that is taken and an invalid variable', async (t) => {
  const env = await allInOneEnvironment(t);
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(Number(env.OCPP_PORT), '127.0.0.1', resolve));
  t.teardown(() => holder.close());
  const refused = async (changed: Record<string, string>): Promise<string> => {
    const system = startProcess(t, 'deploy/start/start.ts', { ...env, ...changed });
    t.equal(await system.exited, 1);
    return system.output();
  };
  t.match(await refused({}), `Port ${env.OCPP_PORT} is in use: another program listens there. Set OCPP_PORT`);
  const wrong = await refused({ SHARDS: 'many', DATABASE_URL: 'mysql://user:secret@host/db' });
  t.match(wrong, /SHARDS: must be a whole number from 1 to 64, not "many"/);
  t.match(wrong, /DATABASE_URL: must be a URL that begins with postgres/);
  t.notMatch(wrong, 'secret', 'a password in a wrong URL is not repeated');
});

void t.test('gateway and API processes name the stores that are not configured', async (t) => {
  const env = await allInOneEnvironment(t);
  for (const entry of ['gateway/main.ts', 'api/main.ts']) {
    const started = startProcess(t, entry, { ...env, REDIS_URL: 'redis://127.0.0.1:1' });
    t.equal(await started.exited, 1);
    t.match(started.output(), /DATABASE_URL: must be set[^]*CLICKHOUSE_URL: must be set/);
    t.notMatch(started.output(), 'REDIS_URL');
  }
});
