import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Bus } from '#shared/bus/contract.ts';
import { createLocalBus } from '#shared/bus/local.ts';
import { createRedisBus } from '#shared/bus/redis.ts';
import { startTestRedis } from '#shared/testing/redis.ts';
import { until } from '#shared/testing/until.ts';
import type { ForeignOptions } from './foreign-member.ts';
import type { TestCluster } from './redis-cluster.ts';

/** Presence of a member ends after this time (ms) where a test waits for its end. */
export const presenceTtlMs = 1200;

/** And after this one (ms) elsewhere: machines that run tests stand still for seconds at times. */
const steadyTtlMs = 60_000;

/** Deadline (ms) of a request that must end before: no test lasts so long. */
export const noDeadlineMs = 2 ** 31 - 1;

/** A member that shares nothing with the test's thread, and can die without a word. */
export interface ForeignMember {
  kill(): Promise<void>;
}

/** One implementation of the bus, with members as many as a test wants. */
export interface Rig {
  name: string;
  open(node?: string): Promise<Bus>;
  /** A member `node` in a thread or process of its own: holds `foreign-key`, answers on `foreign-echo`. */
  openForeign(node: string): Promise<ForeignMember>;
  close(): Promise<void>;
}

/** In which a member that was asked on `foreign-block` blocks its thread until it is woken. */
export interface LocalRig extends Rig {
  wakeForeign(): void;
}

const foreignProgram = new URL('./foreign-member.ts', import.meta.url);

/** Threads of this process, one of them the hub. */
export async function localRig(presenceTtlMs = steadyTtlMs): Promise<LocalRig> {
  const name = randomUUID();
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const hub = await createLocalBus({ name, presenceTtlMs, hub: true });
  return {
    name: 'local',
    open: (node) => createLocalBus({ name, node, presenceTtlMs }),
    openForeign: async (node) => {
      const workerData: ForeignOptions = { node, presenceTtlMs, localName: name, gate };
      const worker = new Worker(foreignProgram, { workerData });
      await once(worker, 'message');
      return { kill: async () => void (await worker.terminate()) };
    },
    wakeForeign: () => {
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
    },
    close: () => hub.close(),
  };
}

/** A real Redis: the one of TEST_REDIS_URL, else one of our own. Keys are apart from those of other runs. */
export async function redisRig(presenceTtlMs = steadyTtlMs): Promise<Rig> {
  const given = process.env['TEST_REDIS_URL'];
  const server = given === undefined ? await startTestRedis() : null;
  return networkRig('redis', server?.url ?? given ?? '', presenceTtlMs, async () => server?.stop());
}

/** A real Redis Cluster, which its owner stops. */
export function clusterRig(cluster: TestCluster, presenceTtlMs = steadyTtlMs): Rig {
  return networkRig('redis cluster', cluster.url, presenceTtlMs, () => Promise.resolve());
}

function networkRig(name: string, server: string, presenceTtlMs: number, close: () => Promise<void>): Rig {
  const url = `${server}?prefix=test-${randomUUID()}`;
  return {
    name,
    open: (node) => createRedisBus({ url, node, presenceTtlMs }),
    openForeign: async (node) => {
      const options: ForeignOptions = { node, presenceTtlMs, url };
      const child = fork(foreignProgram, [JSON.stringify(options)]);
      await once(child, 'message');
      return {
        kill: async () => {
          const exited = once(child, 'exit');
          child.kill('SIGKILL');
          await exited;
        },
      };
    },
    close,
  };
}

/** Asks until `question` answers without an error and not with `undefined`. */
export function eventually<T>(question: () => Promise<T | undefined>): Promise<T> {
  return until('an answer of the bus', () => question().catch(() => undefined));
}

/** Returns the time in milliseconds until `action` settles. */
export async function elapsed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}
