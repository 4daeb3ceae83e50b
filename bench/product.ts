import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * Size of a network's history: the number of sessions, and of readings in each; the newest ones have more.
 */
export interface HistorySize {
  drivers: number;
  sessions: number;
  readings: number;
  meteredSessions: number;
  manyReadings: number;
}

/** The product under load: a process of its own, started as a user starts it, on a directory of its own. */
export interface Product {
  apiUrl: string;
  ocppUrl: string;
  operatorKey: string;
  emspKey: string;
  /** Tokens that may charge. */
  tokens: string[];
  /** ms from the start of the process until it was ready. */
  readyMs: number;
  /** CPU time of the product's own process so far, in seconds; its stores are processes of their own. */
  cpuSeconds(): number;
  /** Resident memory of that process, in bytes. */
  residentBytes(): number;
  /** Returns the product's own metrics, in Prometheus' text format. */
  metrics(): Promise<string>;
  /** Fills its network with a year of sessions: copies of its completed ones. */
  fillHistory(size: HistorySize): Promise<void>;
  /** Ends the process by kill -9 and starts it again on the same data; resolves when it is ready. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const readyWithinMs = 60_000;

/** Starts the product and waits until it is ready. */
export async function startProduct(): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), 'chargeway-bench-'));
  const [port, ocppPort] = [await freePort(), await freePort()];
  const env = {
    PATH: process.env.PATH ?? '',
    // PostgreSQL does not run as root: its account must be able to reach the directory.
    DATA_DIR: join(dataDir, 'data'),
    PORT: String(port),
    OCPP_PORT: String(ocppPort),
    LOG_LEVEL: 'warn',
  };
  await promisify(execFile)('chmod', ['711', dataDir]);
  const startedAt = performance.now();
  const apiUrl = `http://127.0.0.1:${port}`;
  let running = await startProcess(env, apiUrl);
  const readyMs = performance.now() - startedAt;
  const runBeside = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, ['deploy/run.js', ...args], { env })).stdout;
  const { tokens } = JSON.parse(await runBeside('deploy/demo/seed-only.ts')) as { tokens: string[] };
  const credentials = JSON.parse(readFileSync(join(env.DATA_DIR, 'credentials.json'), 'utf8')) as {
    operatorKey: string;
    emspKey: string;
  };
  return {
    apiUrl,
    ocppUrl: `ws://127.0.0.1:${ocppPort}/ocpp`,
    ...credentials,
    tokens,
    readyMs,
    cpuSeconds: () => cpuSeconds(running.pid),
    residentBytes: () => residentBytes(running.pid),
    metrics: async () => (await fetch(`${apiUrl}/metrics`)).text(),
    async fillHistory(size) {
      await runBeside('deploy/demo/history-only.ts', JSON.stringify(size));
    },
    async restart() {
      await running.end('SIGKILL');
      running = await startProcess(env, apiUrl);
    },
    async stop() {
      await running.end('SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

interface ProductProcess {
  pid: number;
  end(signal: NodeJS.Signals): Promise<void>;
}

async function startProcess(env: Record<string, string>, apiUrl: string): Promise<ProductProcess> {
  const deadline = performance.now() + readyWithinMs;
  const child = spawn(process.execPath, ['deploy/run.js', 'deploy/start.ts'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  const { pid } = child;
  if (pid === undefined) throw new Error('the product could not be started');
  while (!(await isReady(apiUrl))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error('the product did not become ready');
    }
    await wait(20);
  }
  return {
    pid,
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

async function isReady(apiUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${apiUrl}/health/ready`)).ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Linux counts in ticks of 10 ms (USER_HZ is 100 on every platform that Node.js runs on). */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function residentBytes(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) * 1024;
}
