import { once } from 'node:events';
import { createServer } from 'node:net';
import t from 'tap';
import { openBus } from '#shared/bus/open.ts';
import { seedNetwork, seedToken } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import {
  connectionsOf,
  gatewayEnvironment,
  type RunningProcess,
  startFleet,
  startGatewayProcess,
  startProcess,
} from './support/system.ts';

const size = 40;

/** The processes that a gateway said it started, the newest of each number. */
function processesOf(gateway: RunningProcess): Map<number, number> {
  const lines = gateway
    .output()
    .split('\n')
    .filter((line) => line.includes('gateway process listening'));
  const started = lines.map((line) => JSON.parse(line) as { process: number; processPid: number });
  return new Map(started.map(({ process, processPid }) => [process, processPid]));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const untilGone = (pids: Iterable<number>) =>
  until('the processes to be gone', async () => [...pids].every((pid) => !isRunning(pid)));

void t.test('a gateway of several processes', async (t) => {
  const stores = await testStores(t);
  const { sql, redisUrl } = stores;
  const network = await seedNetwork(sql);
  const idToken = await seedToken(sql, network.id);
  const env: Record<string, string> = {
    ...(await gatewayEnvironment(t, stores)),
    GATEWAY_PROCESSES: '2',
    SHARDS: '1',
    LOG_LEVEL: 'info',
  };
  const gateway = await startGatewayProcess(t, env);
  const { ocppUrl } = gateway;
  const fleet = await startFleet(t, { sql, networkId: network.id, ocppUrl, size, idToken });
  const bus = await openBus({ redisUrl, localName: 'processes-test' });
  t.teardown(() => bus.close());
  // Other tests share the Redis.
  const uids = new Set(fleet.chargers.map(({ uid }) => uid));
  const present = async () => (await bus.presence.list()).filter(({ key }) => uids.has(key));

  await t.test('distributes chargers over processes and sums their metrics', async (t) => {
    t.equal(processesOf(gateway).size, 2);
    t.equal(await connectionsOf(env), size);
    const held = await until('all chargers to be present', async () => {
      const entries = await present();
      return entries.length >= size && entries;
    });
    const nodes = held.map(({ node }) => node);
    t.equal(nodes.length, size);
    t.equal(new Set(nodes).size, 2, 'both processes hold some');
    const metrics = await (await fetch(`http://127.0.0.1:${env['GATEWAY_METRICS_PORT']}/metrics`)).text();
    for (const shard of [0, 1]) {
      t.match(metrics, new RegExp(`chargeway_shard_loop_delay_seconds\\{.*shard="${shard}"`));
    }
  });

  await t.test('restarts a killed process, and its chargers reconnect', async (t) => {
    const before = processesOf(gateway);
    process.kill(before.get(1) ?? 0, 'SIGKILL');
    await until('the process to be started again', async () => {
      const now = processesOf(gateway);
      return now.get(1) !== before.get(1) && now.get(0) === before.get(0);
    });
    await until('all chargers to be back', async () => (await connectionsOf(env)) === size);
    await until('the claims of the dead process to be gone', async () => {
      const held = await present();
      return new Set(held.map(({ key }) => key)).size === size && held.length === size;
    });
    await Promise.all(fleet.stations.map((station) => station.stopSession()));
    const sessions = await sql<{ status: string }[]>`select status from sessions`;
    t.equal(sessions.length, size, 'every session is there, once');
    t.ok(sessions.every(({ status }) => status === 'COMPLETED'));
  });

  await t.test('stops with all its processes', async (t) => {
    const pids = [...processesOf(gateway).values()];
    t.ok(pids.every(isRunning));
    t.equal(await gateway.kill('SIGTERM'), 0);
    t.notOk(pids.some(isRunning));
  });

  await t.test('leaves no process behind when it is killed', async (t) => {
    const again = await startGatewayProcess(t, env);
    const pids = [...processesOf(again).values()];
    t.equal(pids.length, 2);
    await again.kill('SIGKILL');
    await untilGone(pids);
  });

  await t.test('reports why it cannot start', async (t) => {
    const foreign = createServer().listen(Number(env['OCPP_PORT']), '127.0.0.1');
    await once(foreign, 'listening');
    const refused = startProcess(t, 'gateway/main.ts', env);
    t.equal(await refused.exited, 1);
    t.match(refused.output(), `port ${env['OCPP_PORT']} on 127.0.0.1 is in use`);
    foreign.close();
    const embedded = startProcess(t, 'deploy/start/start.ts', env);
    t.equal(await embedded.exited, 1);
    t.match(embedded.output(), 'GATEWAY_PROCESSES: `npm start` is one process');
  });
});
