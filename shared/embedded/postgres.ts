import { resolve } from 'node:path';
import { lockDirectory } from './directory-lock.ts';
import { freePort } from './free-port.ts';
import { lockedStore } from './locked-store.ts';
import { serverAccount, withPassage } from './postgres/account.ts';
import { postgresBinaries } from './postgres/binaries.ts';
import { type ClusterSecrets, DATABASE, ensureCluster, USER, writeSecrets } from './postgres/cluster.ts';
import { socketDirectory, socketParameter } from './postgres/unix-socket.ts';
import { launchServer, PortTakenError, type ServerStart } from './postgres/server.ts';
import type { EndStep } from './process-table.ts';
import type { EmbeddedStore, StoreLog } from './store.ts';
import { supervise, type Supervised } from './supervise.ts';

/** Fast shutdown: sessions are ended, data is written; then immediate shutdown, then the hammer (postgres(1)). */
const END_STEPS: readonly EndStep[] = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];
const PORT_ATTEMPTS = 5;

/**
 * Starts a PostgreSQL server on `dataDir`, created on the first start, with the database `chargeway`.
 * It listens on 127.0.0.1, on the port of the last start while that is free, and on a Unix socket, which takes a third less CPU time
 * for a statement. It is started again when it dies. A server that a killed process left running is stopped first.
 * @throws Error when the package is missing, the directory is in use, or the server does not start.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log?: StoreLog;
  /** false: only the server's own crash is survived, not the machine's. Tests need no more. */
  isDurable?: boolean;
}): Promise<EmbeddedStore> {
  const dataDir = resolve(options.dataDir);
  const { isDurable = true } = options;
  const binaries = await postgresBinaries();
  const lock = await lockDirectory(dataDir, END_STEPS);
  try {
    const account = await withPassage(await serverAccount(), [binaries.postgres, dataDir]);
    const secrets = await ensureCluster(dataDir, binaries, account, isDurable);
    const { server, port } = await startOnFreePort(dataDir, secrets, {
      binary: binaries.postgres,
      dataDir,
      socketDirectory: socketDirectory(dataDir),
      account,
      isDurable,
      log: options.log ?? (() => undefined),
      onSpawn: (pid) => lock.recordServer(pid),
    });
    const url = `postgres://${USER}:${secrets.password}@127.0.0.1:${port}/${DATABASE}${socketParameter(dataDir, port)}`;
    return lockedStore(server, lock, url);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startOnFreePort(
  dataDir: string,
  secrets: ClusterSecrets,
  start: Omit<ServerStart, 'port'>,
): Promise<{ server: Supervised; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(secrets.port);
    writeSecrets(dataDir, { ...secrets, port });
    try {
      const server = await supervise({
        name: 'PostgreSQL',
        launch: () => launchServer({ ...start, port }),
        endSteps: END_STEPS,
        log: start.log,
      });
      return { server, port };
    } catch (error) {
      if (!(error instanceof PortTakenError) || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}
