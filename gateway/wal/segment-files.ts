import { constants } from 'node:fs';
import { mkdir, open, readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** End of a segment's name. Names sort by time. */
export const segmentSuffix = '.segment';

/** Returns the paths of the segments in a directory, oldest first. */
export async function listSegments(directory: string): Promise<string[]> {
  const names = await readdir(directory);
  return names
    .filter((name) => name.endsWith(segmentSuffix))
    .toSorted()
    .map((name) => join(directory, name));
}

/** Returns the paths of the segments that were set aside in a directory, in this run or an earlier one. */
export async function listSetAside(directory: string): Promise<string[]> {
  const names = await readdir(directory);
  return names
    .filter((name) => name.includes(`${segmentSuffix}.`))
    .toSorted()
    .map((name) => join(directory, name));
}

/** Creates a directory; when it resolves, its name is on the disk. */
export async function createDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await flushDirectory(dirname(path));
}

/**
 * Reason why a segment needs an operator: a part of it is damaged and the rest was loaded; nothing, or not every
 * session, can be read from it; ClickHouse refused its rows.
 */
export type SetAsideReason = 'damaged' | 'unreadable' | 'refused';

/** Returns the path of what is set aside of a segment. */
export function setAsidePath(path: string, reason: SetAsideReason): string {
  return `${path}.${reason}`;
}

/** Sets aside a segment that needs an operator: it stays on the disk and is not loaded again. */
export async function setAside(path: string, reason: SetAsideReason): Promise<string> {
  const kept = setAsidePath(path, reason);
  await rename(path, kept);
  return kept;
}

/** Makes the segments in a directory that ClickHouse refused loadable again: a later version may take their rows. */
export async function restoreRefused(directory: string): Promise<void> {
  const ending = setAsidePath('', 'refused');
  for (const path of await listSetAside(directory)) {
    if (path.endsWith(ending)) await rename(path, path.slice(0, -ending.length));
  }
}

/** Makes the names in a directory durable. */
export async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
