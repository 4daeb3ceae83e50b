import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { freePort } from '#shared/testing/free-port.ts';
import { until } from '#shared/testing/until.ts';
import { allInOneEnvironment, ready } from './support/all-in-one.ts';
import { startProcess } from './support/system.ts';

/** The commands of all processes that name a directory: embedded stores carry it in theirs. */
async function processesOf(directory: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args']);
  return stdout.split('\n').filter((line) => line.includes(directory) && !line.startsWith('ps '));
}

void t.test(
  'npm start runs all parts, creates the first key once and leaves no process behind',
  async (t) => {
    const env = await allInOneEnvironment(t);
    const dataDir = env.DATA_DIR;
    const first = startProcess(t, 'deploy/start.ts', env);
    const said = await ready(first);
    t.match(said, `http://127.0.0.1:${env.PORT}/docs`);
    t.match(said, `ws://127.0.0.1:${env.OCPP_PORT}/ocpp/{uid}`);

    const path = join(dataDir, 'credentials.json');
    t.equal(statSync(path).mode & 0o777, 0o600, 'the keys are readable by their owner alone');
    const credentials = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
    t.same(Object.keys(credentials).toSorted(), ['emspKey', 'networkId', 'operatorKey']);
    t.match(said, credentials.operatorKey, 'the key is said once');

    const ask = (path: string, key: string) =>
      fetch(`http://127.0.0.1:${env.PORT}${path}`, { headers: { 'x-api-key': key } });
    const me = (await (await ask('/cpms/v1/me', credentials.operatorKey ?? '')).json()) as {
      data: { unrestricted: boolean };
    };
    t.equal(me.data.unrestricted, true);
    t.equal((await ask('/emsp/v1/chargers', credentials.emspKey ?? '')).status, 200);
    t.ok((await processesOf(dataDir)).length > 0);

    const other = startProcess(t, 'deploy/start.ts', {
      ...env,
      PORT: String(await freePort()),
      OCPP_PORT: String(await freePort()),
    });
    t.equal(await other.exited, 1, 'a second system on the same data is refused');
    t.match(other.output(), 'is in use');

    t.equal(await first.kill('SIGTERM'), 0);
    t.same(await processesOf(dataDir), [], 'no child is left');

    const second = startProcess(t, 'deploy/start.ts', env);
    const saidAgain = await ready(second);
    t.notMatch(saidAgain, credentials.operatorKey, 'the key is not said again');
    t.equal(
      (await ask('/cpms/v1/me', credentials.operatorKey ?? '')).status,
      200,
      'and it works on the same data',
    );
    // npm passes on a signal that the terminal sends to the whole group.
    second.child.kill('SIGINT');
    await until('it to stop', async () => second.output().includes('chargeway stops'));
    t.equal(await second.kill('SIGINT'), 0, 'SIGINT stops it as well, also where it comes twice');
    t.same(await processesOf(dataDir), []);
  },
);

void t.test('npm start names a port that is taken and an invalid variable', async (t) => {
  const env = await allInOneEnvironment(t);
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(Number(env.OCPP_PORT), '127.0.0.1', resolve));
  t.teardown(() => holder.close());
  const refused = async (changed: Record<string, string>): Promise<string> => {
    const system = startProcess(t, 'deploy/start.ts', { ...env, ...changed });
    t.equal(await system.exited, 1);
    return system.output();
  };
  t.match(await refused({}), `Port ${env.OCPP_PORT} is in use: another program listens there. Set OCPP_PORT`);
  t.match(await refused({ SHARDS: 'many' }), /SHARDS: must be a whole number from 1 to 64, not "many"/);
  const wrongUrl = await refused({ DATABASE_URL: 'mysql://user:secret@host/db' });
  t.match(wrongUrl, /DATABASE_URL: must be a URL that begins with postgres/);
  t.notMatch(wrongUrl, 'secret', 'a password in a wrong URL is not repeated');
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
