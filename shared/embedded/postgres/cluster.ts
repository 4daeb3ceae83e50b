import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { commandAs, type ServerAccount } from './account.ts';
import type { PostgresBinaries } from './binaries.ts';

export const DATABASE = 'chargeway';
export const USER = 'chargeway';

/** Secrets that are kept between starts, in `<dataDir>.json`, readable by the owner only. */
export interface ClusterSecrets {
  password: string;
  /** The port of the last start, so that URLs people noted keep working. */
  port?: number;
}

/** The environment of every PostgreSQL program: nothing of ours, messages and times as the code expects them. */
export const SERVER_ENV = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

/**
 * Makes sure that a complete cluster with our database stands in `dataDir`, and returns its secrets.
 * It is built alongside and renamed into place, so a start that was killed half-way leaves nothing that looks whole.
 * @throws Error with the output of the program that failed.
 */
export async function ensureCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  account: ServerAccount,
  isDurable: boolean,
): Promise<ClusterSecrets> {
  const known = readSecrets(dataDir);
  const secrets = known ?? { password: randomBytes(24).toString('base64url') };
  if (!known) writeSecrets(dataDir, secrets);

  if (!existsSync(join(dataDir, 'PG_VERSION'))) {
    await buildCluster(dataDir, secrets.password, binaries, account, isDurable);
  } else if (!known) {
    // The data came without its password, for example from a backup: a new one is set. base64url needs no quoting.
    await runSingleUser(dataDir, `ALTER ROLE ${USER} PASSWORD '${secrets.password}'`, binaries, account);
  }
  return secrets;
}

export function writeSecrets(dataDir: string, secrets: ClusterSecrets): void {
  const file = `${dataDir}.json`;
  writeFileSync(`${file}.new`, JSON.stringify(secrets), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readSecrets(dataDir: string): ClusterSecrets | undefined {
  const file = `${dataDir}.json`;
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ClusterSecrets) : undefined;
}

async function buildCluster(
  dataDir: string,
  password: string,
  binaries: PostgresBinaries,
  account: ServerAccount,
  isDurable: boolean,
): Promise<void> {
  const unfinished = `${dataDir}.new`;
  const passwordFile = `${dataDir}.pw`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  handOver(unfinished, account);
  handOver(passwordFile, account);
  try {
    const options = [
      `--pgdata=${unfinished}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--no-sync',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The built-in locale sorts the same on every machine, whatever its C library.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ];
    await runProgram(binaries.initdb, options, account);
  } finally {
    rmSync(passwordFile);
  }
  await runSingleUser(unfinished, `CREATE DATABASE ${DATABASE}`, binaries, account, ['-F']);
  // All files are flushed once, before the name that makes them count.
  if (isDurable) await runProgram(binaries.initdb, ['--sync-only', `--pgdata=${unfinished}`], account);
  renameSync(unfinished, dataDir);
}

/** Runs one statement without a server and without a password (postgres(1), single-user mode). */
async function runSingleUser(
  dataDir: string,
  sql: string,
  binaries: PostgresBinaries,
  account: ServerAccount,
  options: readonly string[] = [],
): Promise<void> {
  const command = ['--single', ...options, '-D', dataDir, 'postgres'];
  const messages = await runProgram(binaries.postgres, command, account, sql);
  // Single-user mode reports a failed statement but still exits with 0.
  if (/^.*\b(ERROR|FATAL|PANIC): /m.test(messages)) throw new Error(`postgres --single failed: ${messages}`);
}

/** Runs a program to its end and returns what it wrote to stderr. */
async function runProgram(
  file: string,
  options: string[],
  account: ServerAccount,
  input = '',
): Promise<string> {
  const command = commandAs(account, file, options);
  const child = spawn(command.file, command.args, {
    ...command.options,
    env: SERVER_ENV,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'close');
  child.stdin.on('error', () => undefined); // it exited before it read its input; the exit code tells why
  child.stdin.end(input === '' ? '' : `${input}\n`);
  const [messages, [code]] = await Promise.all([text(child.stderr), ended]);
  if (code !== 0) throw new Error(`${file} failed (exit code ${String(code)}): ${messages}`);
  return messages;
}

function handOver(path: string, account: ServerAccount): void {
  if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid);
}
