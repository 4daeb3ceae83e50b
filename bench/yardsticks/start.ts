import { fork } from 'node:child_process';
import { once } from 'node:events';
import { processUsage, type Usage } from '#bench/system/process-usage.ts';

/** Yardsticks that are servers: a file of this folder each. */
export type YardstickName = 'frames' | 'ocpp-rpc' | 'upgrades' | 'fastify' | 'statements';

/** A bare server in a process of its own on loopback. */
export interface Yardstick {
  /** WebSocket address of the servers that speak OCPP, in the form of the product's. */
  readonly ocppUrl: string;
  readonly httpUrl: string;
  usage(): Usage;
  /** Sets the body that the HTTP server answers. */
  setBody(body: string): void;
  stop(): Promise<void>;
}

/**
 * Starts a yardstick and resolves when it listens.
 * @param env further environment variables of its process.
 */
export async function startYardstick(
  name: YardstickName,
  env: Record<string, string> = {},
): Promise<Yardstick> {
  const child = fork(new URL(`./${name}.ts`, import.meta.url), { env: { ...process.env, ...env } });
  const exited = once(child, 'exit');
  const [message] = (await Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error(`the yardstick ${name} ended before it listened`))),
  ])) as [{ port: number }];
  const { pid } = child;
  if (pid === undefined) throw new Error(`the yardstick ${name} has no process id`);
  return {
    ocppUrl: `ws://127.0.0.1:${message.port}/ocpp`,
    httpUrl: `http://127.0.0.1:${message.port}`,
    usage: () => processUsage(pid),
    setBody: (body) => void child.send({ body }),
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
