import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { StoreLog } from '#shared/embedded/store.ts';
import { commandAs, type ServerAccount } from './account.ts';
import { SERVER_ENV } from './cluster.ts';
import { disownPidFile, endOrphans } from './leftovers.ts';
import { removeSockets } from './unix-socket.ts';

export interface ServerStart {
  binary: string;
  dataDir: string;
  port: number;
  /** Directory of the Unix socket; null: TCP only. */
  socketDirectory: string | null;
  account: ServerAccount;
  /** True when commits survive a crash of the machine; they always survive a crash of the server. */
  isDurable: boolean;
  log: StoreLog;
  /** Called with the process id at once, before the server is ready. */
  onSpawn(pid: number): void;
}

/** Backends outlive a killed postmaster for a moment and hold its shared memory. */
const LEFTOVER_WAIT_MS = 10_000;

/**
 * Starts the server and resolves when it accepts connections, after any crash recovery.
 * @throws PortTakenError, or an Error with the server's last messages.
 */
export async function launchServer(options: ServerStart): Promise<ChildProcess> {
  let start = options;
  disownPidFile(start.dataDir);
  removeSockets(start.dataDir);
  const deadline = Date.now() + LEFTOVER_WAIT_MS;
  for (;;) {
    const outcome = await tryLaunch(start);
    if (typeof outcome !== 'string') return outcome;
    if (/could not create any TCP\/IP sockets/.test(outcome)) throw new PortTakenError(outcome);
    // Some file systems, such as shared folders of virtual machines, have no sockets.
    if (/could not create any Unix-domain sockets/.test(outcome)) {
      start = { ...start, socketDirectory: null };
      continue;
    }
    if (!/still in use/.test(outcome) || Date.now() > deadline) {
      throw new Error(`PostgreSQL did not start: ${outcome}`);
    }
    await endOrphans(start.dataDir);
    await delay(100);
  }
}

/** Someone took the port between the look for a free one and the start. */
export class PortTakenError extends Error {}

/** The ready server, or its messages when it ended before. */
function tryLaunch(start: ServerStart): Promise<ChildProcess | string> {
  const command = commandAs(start.account, start.binary, serverOptions(start));
  const child = spawn(command.file, command.args, {
    ...command.options,
    env: SERVER_ENV,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its own process group: Ctrl-C in the terminal reaches us, and we stop it in order.
    detached: true,
  });
  if (child.pid !== undefined) start.onSpawn(child.pid);
  return new Promise((resolve, reject) => {
    const messages: string[] = [];
    let ready = false;
    createInterface({ input: child.stderr }).on('line', (line) => {
      start.log(line);
      if (ready) return;
      messages.push(line);
      if (!line.includes('database system is ready to accept connections')) return;
      ready = true;
      resolve(child);
    });
    child.once('error', reject);
    child.once('close', () => resolve(messages.join('\n')));
  });
}

function serverOptions({ dataDir, port, socketDirectory, isDurable }: ServerStart): string[] {
  const durable = isDurable ? 'on' : 'off';
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: socketDirectory === null ? '' : `"${socketDirectory}"`,
    max_connections: 200,
    // Acknowledged data must survive a crash, whatever postgresql.conf contains.
    fsync: durable,
    synchronous_commit: 'on',
    full_page_writes: durable,
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    logging_collector: 'off',
  };
  return ['-D', dataDir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
