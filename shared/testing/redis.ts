import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';
import { programPath } from './programs.ts';

/** A Redis for a test; `pid` is null when it was there before. */
export interface TestRedis {
  url: string;
  pid: number | null;
  stop(): Promise<void>;
}

const readyTimeoutMs = 30_000;

/**
 * Returns a real Redis: the one of REDIS_URL, else a server of our own.
 * @throws {Error} with the command that installs redis-server, when it is missing.
 */
export async function startTestRedis(): Promise<TestRedis> {
  const url = process.env['REDIS_URL'];
  if (url !== undefined && url !== '') return { url, pid: null, stop: () => Promise.resolve() };
  return startOwnRedis();
}

/** Options of a server of our own. */
interface OwnRedis {
  port?: number;
  /** Further directives, as command line arguments. */
  settings?: readonly string[];
}

/**
 * A server of our own on loopback, on `port` or a free one, that keeps nothing on disk. `stop` kills it
 * without notice, as an outage does.
 */
export async function startOwnRedis(options: OwnRedis = {}): Promise<TestRedis & { pid: number }> {
  const port = options.port ?? (await freePort());
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = await startRedisServer([...settings, '--daemonize', 'no', ...(options.settings ?? [])]);
  return { url: `redis://127.0.0.1:${port}`, ...server };
}

/** Starts redis-server and waits for the line of its log that says it is ready. `stop` kills it. */
export async function startRedisServer(
  parameters: readonly string[],
  readyLine = 'Ready to accept connections',
): Promise<{ pid: number; stop(): Promise<void> }> {
  const child = spawn(programPath('redis-server'), parameters, {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killWithUs = () => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      process.off('exit', killWithUs);
      resolve();
    });
  });
  const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error));
  await Promise.race([ready(child, readyLine), failed]);
  if (child.pid === undefined) throw new Error('redis-server has no process id');
  return {
    pid: child.pid,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function ready(
  child: ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> },
  readyLine: string,
): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), readyTimeoutMs);
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (!line.includes(readyLine)) continue;
    clearTimeout(timer);
    // Read on, so that the server never waits for its own log.
    child.stdout.resume();
    return;
  }
  clearTimeout(timer);
  throw new Error(`redis-server did not start:\n${said.join('\n')}`);
}
