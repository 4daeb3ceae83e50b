import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { launchServer } from './clickhouse/launch.ts';
import { lockDirectory, type DirectoryLock } from './directory-lock.ts';
import { lockedStore } from './locked-store.ts';
import type { EndStep } from './process-table.ts';
import type { EmbeddedStore, StoreLog } from './store.ts';
import { supervise } from './supervise.ts';

/** The server lets running statements finish for 10 s. Killing it loses nothing that it acknowledged. */
const END_STEPS: readonly EndStep[] = [
  ['SIGTERM', 15_000],
  ['SIGKILL', 5_000],
];
/** Statements that run side by side. */
const SESSIONS = 4;

interface Options {
  port?: number;
  log?: StoreLog;
  engineArguments?: readonly string[];
}

/**
 * Starts ClickHouse on `dataDir`: the engine in a process of its own, behind ClickHouse's HTTP interface on
 * 127.0.0.1 with a new random password. It is started again, on the same port and data, when it dies,
 * and ends when this process does.
 * @param options.port the port to listen on; any free one when left out
 * @param options.engineArguments arguments of the engine, such as the file of its configuration
 * @throws Error when the package is missing, the directory is in use, or the port is taken.
 */
export async function startEmbeddedClickHouse(
  options: Options & { dataDir: string },
): Promise<EmbeddedStore> {
  const dataDir = resolve(options.dataDir);
  const lock = await lockDirectory(dataDir, END_STEPS);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return await startLocked(dataDir, lock, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startLocked(
  dataDir: string,
  lock: DirectoryLock,
  { port: wantedPort = 0, log = () => undefined, engineArguments = [] }: Options,
): Promise<EmbeddedStore> {
  const password = randomBytes(24).toString('base64url');
  let port = wantedPort;
  const server = await supervise({
    name: 'ClickHouse',
    endSteps: END_STEPS,
    log,
    launch: async () => {
      const start = { dataDir, port, password, sessions: SESSIONS, engineArguments };
      const launched = await launchServer(start, log, (pid) => lock.recordServer(pid));
      port = launched.port;
      return launched.child;
    },
  });
  return lockedStore(server, lock, `http://default:${password}@127.0.0.1:${port}/`);
}
