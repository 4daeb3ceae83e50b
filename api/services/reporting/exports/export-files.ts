import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ExportFormat } from '#shared/domain/reporting/export.ts';
import { withByteOrderMark } from './csv-bytes.ts';
import type { StoredFile } from '#shared/postgres/reporting/export-work.ts';

/** A file without an export that was not written to for that long (ms) is not being made. */
const abandonedAfterMs = 60 * 60_000;

/** The directory of an export's files. */
export function exportDirectory(root: string, uuid: string): string {
  return join(root, uuid);
}

/**
 * Writes a part, of which never more than a chunk is in memory, and flushes it. Each attempt has a file of its own, so that a
 * worker that lost its claim never writes into a file that counts. Nothing is left on disk when it fails.
 */
export async function writePartFile(
  root: string,
  uuid: string,
  name: string,
  format: ExportFormat,
  source: Readable,
): Promise<StoredFile> {
  const directory = exportDirectory(root, uuid);
  await mkdir(directory, { recursive: true, mode: 0o750 });
  const fileName = `${name}-${randomUUID()}.${format}`;
  const path = join(directory, fileName);
  try {
    const { sizeBytes, sha256, csvRows } = await writeFlushed(path, source, format === 'csv');
    await flushDirectory(directory);
    const rows = format === 'csv' ? csvRows : await parquetRows(path);
    return { fileName, rows, sizeBytes, sha256 };
  } catch (error) {
    source.destroy();
    await rm(path, { force: true });
    throw error;
  }
}

async function writeFlushed(path: string, source: Readable, isCsv: boolean) {
  const hash = createHash('sha256');
  const lines = new CsvLineCount();
  let sizeBytes = 0;
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of isCsv ? withByteOrderMark(source) : (source as AsyncIterable<Uint8Array>)) {
      sizeBytes += chunk.length;
      hash.update(chunk);
      if (isCsv) lines.add(chunk);
      yield chunk;
    }
  }
  const file = await open(path, 'wx', 0o640);
  try {
    await file.writeFile(measured());
    await file.sync();
  } finally {
    await file.close();
  }
  return { sizeBytes, sha256: hash.digest('hex'), csvRows: lines.ended - 1 };
}

/** The footer has the number of rows, and shows that the file is complete. */
async function parquetRows(path: string): Promise<number> {
  const { asyncBufferFromFile, parquetMetadataAsync } = await import('hyparquet');
  const { num_rows: rows } = await parquetMetadataAsync(await asyncBufferFromFile(path));
  return Number(rows);
}

/** Counts the lines of a CSV: line feeds outside of quotes. A quote within a field is doubled, so that it changes nothing. */
class CsvLineCount {
  ended = 0;
  #isQuoted = false;

  add(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (byte === 0x22) this.#isQuoted = !this.#isQuoted;
      else if (byte === 0x0a && !this.#isQuoted) this.ended += 1;
    }
  }
}

/** The name of a new file is on disk once its directory is. */
async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Removes a file, if it is there. */
export async function dropPartFile(root: string, uuid: string, fileName: string): Promise<void> {
  await rm(join(exportDirectory(root, uuid), fileName), { force: true });
}

/** Removes all files of an export. */
export async function dropExportFiles(root: string, uuid: string): Promise<void> {
  await rm(exportDirectory(root, uuid), { recursive: true, force: true });
}

/** Returns the exports that have a directory. */
export async function listExportDirectories(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(emptyWithout);
  return entries.filter((entry) => entry.isDirectory() && uuidForm.test(entry.name)).map(({ name }) => name);
}

/** Returns the files of an export that no worker writes to. */
export async function listIdleFiles(root: string, uuid: string): Promise<string[]> {
  const idle: string[] = [];
  for (const name of await readdir(exportDirectory(root, uuid)).catch(emptyWithout)) {
    const found = await stat(join(exportDirectory(root, uuid), name)).catch(() => null);
    if (found !== null && found.mtimeMs < Date.now() - abandonedAfterMs) idle.push(name);
  }
  return idle;
}

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A directory that is missing is empty. */
function emptyWithout(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
