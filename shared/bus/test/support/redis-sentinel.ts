import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '#shared/testing/free-port.ts';
import { startOwnRedis, startRedisServer, type TestRedis } from '#shared/testing/redis.ts';
import { until } from '#shared/testing/until.ts';

type Server = TestRedis & { pid: number };

/** A master and a replica that three Sentinels watch. */
export interface TestSentinels {
  url: string;
  /** First master. */
  master: Server;
  /** Both servers. Their ports do not change. */
  servers(): readonly Server[];
  /** Returns the server that the Sentinels name as the master. */
  currentMaster(): Promise<Server>;
  /** Kills the master, waits until the Sentinels have replaced it, and starts it again as a replica. */
  replaceMaster(): Promise<void>;
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
  const masterPort = String(portOf(master));
  const startReplica = (of: Server, port?: number) =>
    startOwnRedis({
      ...(port !== undefined && { port }),
      settings: ['--replicaof', `127.0.0.1 ${portOf(of)}`, '--repl-diskless-sync-delay', '0'],
    });
  let servers = [master, await startReplica(master)];
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(directory, masterPort, directives)));
  await Promise.all(sentinels.map(({ port }) => untilReady(port)));
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const currentMaster = async (): Promise<Server> => {
    const port = await readMasterPort(sentinels[0]?.port ?? 0);
    const found = servers.find((server) => portOf(server) === port);
    if (found === undefined) throw new Error(`the Sentinels name an unknown master at port ${port}`);
    return found;
  };
  return {
    url: `redis+sentinel://${hosts}/${name}`,
    master,
    servers: () => servers,
    currentMaster,
    async replaceMaster() {
      const lost = await currentMaster();
      await lost.stop();
      const next = await until('another master', async () => {
        const named = await currentMaster();
        return named !== lost && named;
      });
      servers = [next, await startReplica(next, portOf(lost))];
    },
    stop: async () => {
      await Promise.all([...servers, ...sentinels].map((server) => server.stop()));
      await rm(directory, { recursive: true });
    },
  };
}

function portOf({ url }: Server): number {
  return Number(new URL(url).port);
}

async function readMasterPort(sentinelPort: number): Promise<number> {
  const client = new Redis(sentinelPort, '127.0.0.1');
  try {
    const [, port] = (await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name)) as string[];
    return Number(port);
  } finally {
    client.disconnect();
  }
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
