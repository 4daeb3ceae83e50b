import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '#shared/testing/free-port.ts';
import { startOwnRedis, startRedisServer } from '#shared/testing/redis.ts';
import { until } from '#shared/testing/until.ts';

/** A master and a replica that three Sentinels watch. */
export interface TestSentinels {
  url: string;
  master: { pid: number; stop(): Promise<void> };
  stop(): Promise<void>;
}

/** Name of the master at the Sentinels. */
const name = 'main';

/**
 * Starts them on loopback. The Sentinels replace a master that is silent for a second.
 * @param directives further lines of the configuration of each Sentinel.
 */
export async function startRedisSentinels(directives: readonly string[] = []): Promise<TestSentinels> {
  const directory = await mkdtemp(join(tmpdir(), 'chargeway-redis-sentinel-'));
  const master = await startOwnRedis();
  const masterPort = new URL(master.url).port;
  const replica = await startOwnRedis({
    settings: ['--replicaof', `127.0.0.1 ${masterPort}`, '--repl-diskless-sync-delay', '0'],
  });
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(directory, masterPort, directives)));
  await Promise.all(sentinels.map(({ port }) => untilReady(port)));
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    url: `redis+sentinel://${hosts}/${name}`,
    master,
    stop: async () => {
      await Promise.all([master, replica, ...sentinels].map((server) => server.stop()));
      await rm(directory, { recursive: true });
    },
  };
}

async function startSentinel(directory: string, masterPort: string, directives: readonly string[]) {
  const port = await freePort();
  const file = join(directory, `sentinel-${port}.conf`);
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${directory}`,
    `sentinel monitor ${name} 127.0.0.1 ${masterPort} 2`,
    `sentinel down-after-milliseconds ${name} 1000`,
    `sentinel failover-timeout ${name} 5000`,
    ...directives,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const server = await startRedisServer([file, '--sentinel'], '+monitor master');
  return { port, ...server };
}

/** Resolves when a Sentinel knows the two others and the replica. */
async function untilReady(port: number): Promise<void> {
  const client = new Redis(port, '127.0.0.1');
  await until('a Sentinel that knows the others and the replica', async () => {
    const [fields] = (await client.call('SENTINEL', 'MASTERS')) as string[][];
    const valueOf = (field: string) => fields?.[fields.indexOf(field) + 1];
    return valueOf('num-other-sentinels') === '2' && valueOf('num-slaves') === '1';
  });
  client.disconnect();
}
