import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Description of a backup; written last. */
interface Manifest {
  /** Version of the layout. */
  version: 1;
  createdAt: string;
  /** Position up to which the facts of sessions were certainly in ClickHouse when it was copied. */
  factsPosition: string;
}

const fileIn = (backup: string): string => join(backup, 'manifest.json');

/** Returns the directory of a backup that becomes `DATA_DIR`. */
export function dataIn(backup: string): string {
  return join(backup, 'data');
}

export async function writeManifest(backup: string, manifest: Manifest): Promise<void> {
  await writeFile(fileIn(backup), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
}

/** @throws {Error} when the directory is no backup that this version can restore. */
export async function readManifest(backup: string): Promise<Manifest> {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(await readFile(fileIn(backup), 'utf8')) as Manifest;
  } catch (cause) {
    throw new Error(`${backup} is no complete backup: it has no readable manifest.json`, { cause });
  }
  if (manifest.version !== 1) throw new Error(`${backup} was made by another version of the product`);
  return manifest;
}
