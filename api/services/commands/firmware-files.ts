import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DomainError } from '#shared/domain/kernel/errors.ts';

/** A file that was not finished for that long (ms) never will be: its process died. */
const abandonedAfterMs = 24 * 60 * 60 * 1000;

/** Bytes that were taken, on disk under a name of their own. */
export interface ReceivedFile {
  path: string;
  sizeBytes: number;
  /** SHA-256, hex. */
  checksum: string;
}

/** The bytes of an image are the file with its uuid as the name. */
export function firmwareFile(directory: string, uuid: string): string {
  return join(directory, uuid);
}

/**
 * Takes the bytes of an image to disk as they come, never more than a chunk of them in memory. They are flushed when
 * this resolves; they are the image's once the file has its name (`keepFile`).
 * @throws {DomainError} BODY_TOO_LARGE, BAD_REQUEST when the client went away; nothing is left on disk then.
 */
export async function receiveFile(
  directory: string,
  uuid: string,
  source: Readable,
  maxBytes: number,
): Promise<ReceivedFile> {
  await mkdir(directory, { recursive: true, mode: 0o750 });
  const path = join(directory, `${uuid}.${randomUUID()}.part`);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const chunk of chunksOf(source)) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      hash.update(chunk);
      yield chunk;
    }
  }
  try {
    const file = await open(path, 'wx', 0o640);
    try {
      await file.writeFile(measured());
      await file.sync();
    } finally {
      await file.close();
    }
    return { path, sizeBytes, checksum: hash.digest('hex') };
  } catch (error) {
    await dropFile(path);
    throw error;
  }
}

/** The source is left open when reading ends early: its socket has the answer to carry. */
async function* chunksOf(source: Readable): AsyncGenerator<Buffer> {
  const chunks = source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  try {
    yield* chunks;
  } catch (error) {
    throw new DomainError('BAD_REQUEST', 'The upload ended before it was complete.', {
      cause: error instanceof Error ? error.message : String(error),
    });
  }
}

/** Makes received bytes those of an image, whatever was there before; what is named is on disk. */
export async function keepFile(directory: string, uuid: string, { path }: ReceivedFile): Promise<void> {
  await rename(path, firmwareFile(directory, uuid));
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Removes a file, if it is there. */
export async function dropFile(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Returns the images whose bytes are in a directory, and the paths of abandoned files. */
export async function listFiles(directory: string): Promise<{ uuids: string[]; abandoned: string[] }> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const uuids = names.filter((name) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name));
  const abandoned: string[] = [];
  for (const name of names.filter((candidate) => candidate.endsWith('.part'))) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs < Date.now() - abandonedAfterMs) abandoned.push(path);
  }
  return { uuids, abandoned };
}

export function tooLarge(maxBytes: number): DomainError {
  return new DomainError('BODY_TOO_LARGE', `An image may have ${maxBytes} bytes (FIRMWARE_MAX_BYTES).`, {
    maxBytes,
  });
}
