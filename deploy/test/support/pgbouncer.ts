import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { commandAs, serverAccount } from '#shared/embedded/postgres/account.ts';
import { withoutSocket } from '#shared/embedded/postgres/unix-socket.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { programPath } from '#shared/testing/programs.ts';

/** Starts PgBouncer in transaction mode before a PostgreSQL server, and returns the URL of the same database through it. */
export async function startPgBouncer(t: Pick<Test, 'teardown'>, databaseUrl: string): Promise<string> {
  const server = new URL(withoutSocket(databaseUrl));
  const directory = mkdtempSync(join(tmpdir(), 'chargeway-pgbouncer-'));
  chmodSync(directory, 0o755);
  const port = await freePort();
  const users = join(directory, 'users.txt');
  writeFileSync(users, `"${server.username}" "${server.password}"\n`);
  const configuration = join(directory, 'pgbouncer.ini');
  writeFileSync(
    configuration,
    `[databases]
* = host=${server.hostname} port=${server.port} connect_query='set statement_timeout = 13500; set idle_in_transaction_session_timeout = 30000'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 5
`,
  );
  // PgBouncer does not start as root.
  const command = commandAs(await serverAccount(), programPath('pgbouncer'), [configuration]);
  const child = spawn(command.file, command.args, {
    ...command.options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  });
  let output = '';
  for await (const chunk of child.stderr) {
    output += String(chunk);
    if (!output.includes('process up')) continue;
    child.stderr.resume();
    server.port = String(port);
    return server.href;
  }
  throw new Error(`pgbouncer ended:\n${output}`);
}
