import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '#shared/testing/free-port.ts';
import { startRedisServer } from '#shared/testing/redis.ts';
import { until } from '#shared/testing/until.ts';

/** Node of a cluster of a test. */
export interface ClusterNode {
  id: string;
  port: number;
  pid: number;
  /** Connection of the default user. */
  client: Redis;
  kill(): Promise<void>;
}

/** Redis Cluster of a test: three masters, and one replica, of the first of them. */
export interface TestCluster {
  url: string;
  /** Address of the ports for TLS. */
  tlsUrl: string;
  masters: readonly [ClusterNode, ClusterNode, ClusterNode];
  replica: ClusterNode;
  stop(): Promise<void>;
}

const slotRanges = [
  [0, 5460],
  [5461, 10_922],
  [10_923, 16_383],
] as const;

/**
 * Starts a Redis Cluster on loopback. Its nodes agree within 3 s that one of them failed.
 * @param options `settings`: further directives of each node; `withTls`: TLS between the nodes, and on a port of its own.
 */
export async function startRedisCluster(
  options: { settings?: readonly string[]; withTls?: boolean } = {},
): Promise<TestCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'chargeway-redis-cluster-'));
  const start = () => startNode(directory, options);
  const masters = await Promise.all([start(), start(), start()]);
  const replica = await start();
  const nodes = [...masters, replica];
  await Promise.all(
    masters.map(async ({ client }, index) => {
      await client.cluster('SET-CONFIG-EPOCH', index + 1);
      await client.cluster('ADDSLOTSRANGE', ...(slotRanges[index] ?? []));
    }),
  );
  for (const { port, tlsPort, busPort } of nodes) {
    await replica.client.call('CLUSTER', 'MEET', '127.0.0.1', tlsPort === 0 ? port : tlsPort, busPort);
  }
  await untilAll(nodes, 'every node knows the others', ({ client }) =>
    hasInfo(client, 'cluster_known_nodes:4'),
  );
  await replica.client.cluster('REPLICATE', masters[0].id);
  await untilAll(nodes, 'the cluster serves all slots', async ({ client }) => {
    const slots = (await client.cluster('SLOTS')) as unknown[][];
    // Start, end, and the nodes that serve the range.
    return (await hasInfo(client, 'cluster_state:ok')) && slots.flat().length === 3 * 3 + 1;
  });
  await until('the replica has its data', async () =>
    (await replica.client.info('replication')).includes('master_link_status:up'),
  );
  return {
    url: `redis+cluster://${masters.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    tlsUrl: `rediss+cluster://${masters.map(({ tlsPort }) => `127.0.0.1:${tlsPort}`).join(',')}`,
    masters,
    replica,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.kill()));
      await rm(directory, { recursive: true });
    },
  };
}

/** Moves slots with their keys from one master to another. */
export async function moveSlots(
  from: ClusterNode,
  to: ClusterNode,
  first: number,
  last: number,
): Promise<void> {
  for (let slot = first; slot <= last; slot += 1) {
    const keys = await from.client.cluster('GETKEYSINSLOT', slot, 1000);
    if (keys.length > 0) {
      await to.client.cluster('SETSLOT', slot, 'IMPORTING', from.id);
      await from.client.cluster('SETSLOT', slot, 'MIGRATING', to.id);
      await from.client.call('MIGRATE', '127.0.0.1', to.port, '', 0, 5000, 'KEYS', ...keys);
    }
    for (const { client } of [to, from]) await client.cluster('SETSLOT', slot, 'NODE', to.id);
  }
}

async function startNode(
  directory: string,
  { settings = [], withTls = false }: { settings?: readonly string[]; withTls?: boolean },
) {
  const port = await freePort();
  const tlsPort = withTls ? await freePort() : 0;
  const busPort = await freePort();
  const files = ['--dir', directory, '--cluster-config-file', `nodes-${port}.conf`, '--save', ''];
  const addresses = [
    '--bind',
    '127.0.0.1',
    '--port',
    `${port}`,
    '--tls-port',
    `${tlsPort}`,
    '--cluster-port',
    `${busPort}`,
  ];
  const cluster = ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'];
  const tls = withTls ? ['--tls-cluster', 'yes', '--tls-replication', 'yes'] : [];
  const delays = ['--cluster-node-timeout', '1000', '--repl-diskless-sync-delay', '0'];
  // A replica counts as available once it received something.
  const pings = ['--repl-ping-replica-period', '1'];
  const server = await startRedisServer([
    ...files,
    ...addresses,
    ...cluster,
    ...delays,
    ...pings,
    ...tls,
    ...settings,
  ]);
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => null });
  const kill = async () => {
    client.disconnect();
    await server.stop();
  };
  return { id: await client.cluster('MYID'), port, tlsPort, busPort, pid: server.pid, client, kill };
}

async function untilAll(
  nodes: ClusterNode[],
  what: string,
  ask: (node: ClusterNode) => Promise<boolean>,
): Promise<void> {
  await Promise.all(nodes.map((node) => until(what, () => ask(node))));
}

async function hasInfo(client: Redis, line: string): Promise<boolean> {
  return (await client.cluster('INFO')).includes(line);
}
