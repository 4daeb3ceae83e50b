import { access, copyFile, lchown, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Copies a directory whose files may end while it is copied: those are left out.
 * @param isCopied decides by the path relative to `from`; a directory that is not copied is left out as a whole.
 * @throws {Error} when `from` does not exist.
 */
export async function copyTree(
  from: string,
  to: string,
  isCopied: (path: string, isDirectory: boolean) => boolean = () => true,
): Promise<void> {
  await access(from);
  await mkdir(to, { recursive: true, mode: 0o700 });
  await copyEntries(from, to, '', isCopied);
}

async function copyEntries(
  from: string,
  to: string,
  path: string,
  isCopied: (path: string, isDirectory: boolean) => boolean,
): Promise<void> {
  const entries = await unlessGone(readdir(join(from, path), { withFileTypes: true }));
  for (const entry of entries ?? []) {
    const inside = join(path, entry.name);
    const [source, target] = [join(from, inside), join(to, inside)];
    if (!isCopied(inside, entry.isDirectory())) continue;
    if (entry.isDirectory()) {
      await mkdir(target, { recursive: true, mode: 0o700 });
      await copyEntries(from, to, inside, isCopied);
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(source), target);
    } else if (entry.isFile()) {
      await unlessGone(copyFile(source, target));
    }
  }
}

/** Copies one file, and makes its directory. */
export async function copyInto(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to);
}

/** Gives a directory and all that is in it to an account. */
export async function giveTree(path: string, { uid, gid }: { uid?: number; gid?: number }): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  await lchown(path, uid, gid);
  const entries = await readdir(path, { recursive: true });
  for (const entry of entries) await lchown(join(path, entry), uid, gid);
}

async function unlessGone<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
