import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Returns the secret that seals what the database holds: the configured one, or that of a file, which is made when it is not there.
 * Processes that start at once end up with the same one.
 */
export async function openSealingKey({
  sealingKey,
  dataDir,
}: {
  sealingKey: string | null;
  dataDir: string;
}): Promise<string> {
  if (sealingKey !== null) return sealingKey;
  const path = join(dataDir, 'sealing.key');
  const existing = await readKey(path);
  if (existing !== null) return existing;
  try {
    await makeKey(path);
  } catch (error) {
    throw new Error(`cannot write ${path}: set SEALING_KEY`, { cause: error });
  }
  return (await readKey(path)) ?? '';
}

async function makeKey(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const made = `${path}-${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(made, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
    // Unlike a rename, a link never replaces the file of a process that was faster.
    await link(made, path).catch((error: unknown) => {
      if (!isCode(error, 'EEXIST')) throw error;
    });
  } finally {
    await rm(made, { force: true });
  }
}

async function readKey(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
