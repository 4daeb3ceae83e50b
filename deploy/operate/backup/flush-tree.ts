import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { flushDirectory } from '#gateway/wal/segment-files.ts';

/**
 * Writes a directory and all that is in it to the disk, so that it survives a loss of power. The name of the directory itself is
 * durable after a flush of its parent. Returns the number of files and directories.
 */
export async function flushTree(path: string): Promise<number> {
  let flushed = 1;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) flushed += await flushTree(inside);
    else if (entry.isFile()) {
      await flushFile(inside);
      flushed += 1;
    }
  }
  // After its entries: their names are a part of it.
  await flushDirectory(path);
  return flushed;
}

async function flushFile(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
