import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import {
  commandAs,
  serverAccount,
  type ServerAccount,
  withPassage,
} from '#shared/embedded/postgres/account.ts';
import { postgresBinaries } from '#shared/embedded/postgres/binaries.ts';
import { DATABASE, ensureCluster, SERVER_ENV, USER } from '#shared/embedded/postgres/cluster.ts';
import { processesIn } from '#shared/embedded/process-table.ts';
import { openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';
import { migratePostgres } from '#shared/postgres/kernel/migrate.statements.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** One server of a pair. */
export interface PairedServer {
  url: string;
  /** `127.0.0.1:port`. */
  host: string;
  /** Connections of the test. */
  sql: Sql;
  /** Ends all processes of the server at once, as a loss of its machine does. */
  kill(): Promise<void>;
  /** Starts the killed server again, on its port and data. */
  restart(): Promise<void>;
}

/** A primary with the product's tables, and a standby that streams from it. */
export interface PostgresPair {
  primary: PairedServer;
  standby: PairedServer;
  /** Ends the streaming to the standby for good. */
  cutOff(): Promise<void>;
}

/**
 * Starts a primary and a standby, which are ended with the test. The standby begins as a copy of the empty primary.
 * @param options.synchronous true: the primary acknowledges a commit after the standby has stored it.
 */
export async function startPostgresPair(
  t: Pick<Test, 'teardown'>,
  options: { synchronous: boolean },
): Promise<PostgresPair> {
  const directory = mkdtempSync(join(tmpdir(), 'chargeway-test-pair-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const binaries = await postgresBinaries();
  const primaryDir = join(directory, 'primary');
  const standbyDir = join(directory, 'standby');
  const account = await withPassage(await serverAccount(), [binaries.postgres, primaryDir]);
  const { password } = await ensureCluster(primaryDir, binaries, account, false);
  // The server does not run yet; `cp -a` keeps the owner of its files.
  execFileSync('cp', ['-a', primaryDir, standbyDir]);

  const start = async (dataDir: string, port: number, settings: Record<string, string>) => {
    const launch = () => startServer(binaries.postgres, account, dataDir, port, settings);
    let server = await launch();
    const host = `127.0.0.1:${port}`;
    const url = `postgres://${USER}:${password}@${host}/${DATABASE}`;
    const sql = openPostgres(url, { name: 'chargeway-test-pair', connections: 2, timeoutMs: 60_000 });
    t.teardown(async () => {
      await sql.end({ timeout: 0 });
      await killServer(server, dataDir);
    });
    return {
      url,
      host,
      sql,
      kill: () => killServer(server, dataDir),
      async restart() {
        server = await launch();
      },
    };
  };
  const primaryPort = await freePort();
  const primary = await start(primaryDir, primaryPort, {});
  await migratePostgres(primary.sql);
  writeFileSync(join(standbyDir, 'standby.signal'), '');
  const source = `host=127.0.0.1 port=${primaryPort} user=${USER} password=${password}`;
  const standby = await start(standbyDir, await freePort(), {
    primary_conninfo: `${source} application_name=standby`,
  });
  if (options.synchronous) {
    await primary.sql`alter system set synchronous_standby_names = 'standby'`;
    await primary.sql`select pg_reload_conf()`;
  }
  return {
    primary,
    standby,
    async cutOff() {
      writeFileSync(join(primaryDir, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
      await primary.sql`select pg_reload_conf()`;
      await primary.sql`select pg_terminate_backend(pid) from pg_stat_replication`;
    },
  };
}

/** Makes a standby the primary; resolves when it accepts writes. */
export async function promote(standby: PairedServer): Promise<void> {
  await standby.sql`select pg_promote()`;
}

async function startServer(
  binary: string,
  account: ServerAccount,
  dataDir: string,
  port: number,
  settings: Record<string, string>,
): Promise<ChildProcess> {
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: 'off',
    wal_keep_size: '512MB',
    max_connections: '200',
    // A standby looks for its restarted primary at once.
    wal_retrieve_retry_interval: '200ms',
    ...settings,
  };
  const command = commandAs(account, binary, [
    '-D',
    dataDir,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const child = spawn(command.file, command.args, {
    ...command.options,
    env: SERVER_ENV,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const messages: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    messages.push(line);
    if (!/ready to accept (read-only )?connections/.test(line)) continue;
    // Read on, so that the server never waits for its own log.
    child.stderr.resume();
    return child;
  }
  throw new Error(`PostgreSQL did not start:\n${messages.join('\n')}`);
}

async function killServer(server: ChildProcess, dataDir: string): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  // The server first: it starts lost processes again.
  server.kill('SIGKILL');
  // A server refuses to start while a process of the last one still has its memory.
  const path = realpathSync(dataDir);
  await until('the processes of PostgreSQL to be gone', () => {
    const left = processesIn(path);
    for (const pid of left) killIfThere(pid);
    return Promise.resolve(left.length === 0);
  });
  await gone;
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process ended by itself.
  }
}
