import { existsSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The account that runs the server; empty means our own. */
export interface ServerAccount {
  uid?: number;
  gid?: number;
  /** A folder on the way that only root may enter. */
  closedFolder?: string;
}

/**
 * PostgreSQL refuses to run as root. Root therefore runs it as the account `postgres`, which is
 * created when it is missing; anyone else runs it as themselves.
 * @throws Error when root can neither find nor create the account.
 */
export async function serverAccount(): Promise<ServerAccount> {
  if (process.getuid?.() !== 0) return {};
  const known = await lookUp();
  if (known) return known;
  try {
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      'postgres',
    ]);
  } catch (cause) {
    throw new Error(
      'PostgreSQL does not run as root and the account "postgres" could not be created. ' +
        'Create it, start as another user, or set DATABASE_URL.',
      { cause },
    );
  }
  const created = await lookUp();
  if (!created) throw new Error('the account "postgres" was created but is not found');
  return created;
}

async function lookUp(): Promise<ServerAccount | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** Parameters to spawn a program as an account: the command, its arguments and the options that name the account. */
interface AccountCommand {
  file: string;
  args: string[];
  options: { uid?: number; gid?: number };
}

/** The command that runs `file` as the account, through `closedFolder` where there is one on the way. */
export function commandAs(account: ServerAccount, file: string, args: string[]): AccountCommand {
  const { uid, gid, closedFolder } = account;
  if (uid === undefined || gid === undefined) return { file, args, options: {} };
  if (closedFolder === undefined) return { file, args, options: { uid, gid } };
  // setpriv(1) keeps one capability of root for the account: to pass folders that are closed to it. The server's
  // own checks ask access(2), which drops capabilities unless the secure bit says otherwise (capabilities(7)).
  const keep = [
    '--securebits',
    '+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  return {
    file: 'setpriv',
    args: [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...keep, '--', file, ...args],
    options: {},
  };
}

/**
 * The account, with what is in its way to the paths: root's home, for one, is closed to others.
 * @throws Error that names the folder when this system has no way through it.
 */
export async function withPassage(account: ServerAccount, paths: string[]): Promise<ServerAccount> {
  const closedFolder = paths
    .map((path) => closedOnTheWay(path, account))
    .find((folder) => folder !== undefined);
  if (closedFolder === undefined) return account;
  const passing = { ...account, closedFolder };
  const { file, args } = commandAs(passing, 'true', []);
  try {
    await run(file, args);
  } catch (cause) {
    throw new Error(
      `PostgreSQL does not run as root but as "postgres", which cannot enter ${closedFolder}. ` +
        'Start as another user, move out of that folder, or set DATABASE_URL.',
      { cause },
    );
  }
  return passing;
}

function closedOnTheWay(path: string, account: ServerAccount): string | undefined {
  if (account.uid === undefined) return undefined;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(folder) && !mayEnter(statSync(folder), account)) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function mayEnter({ mode, uid, gid }: Stats, account: ServerAccount): boolean {
  if (uid === account.uid) return (mode & 0o100) !== 0;
  return (mode & (gid === account.gid ? 0o010 : 0o001)) !== 0;
}
