import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LineTable } from '#shared/clickhouse/insert-lines.ts';
import { flushDirectory, setAsidePath, type SetAsideReason } from './segment-files.ts';
import { encodeFrameHeader, encodeSegmentHeader } from './segment-format.ts';

/**
 * Opens files so that a write returns when its data is on the disk (as `write` and `fdatasync` in one call), and only
 * new ones.
 */
const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_DSYNC;

/** Segment file that is being written. */
export class SegmentWriter {
  readonly path: string;
  readonly #file: FileHandle;
  #bytes: number;
  #hasFailed = false;

  private constructor(path: string, file: FileHandle, bytes: number) {
    this.path = path;
    this.#file = file;
    this.#bytes = bytes;
  }

  /** Creates a segment; when it resolves, its name and header are on the disk. Leaves no file when it fails. */
  static async create(path: string, table: LineTable): Promise<SegmentWriter> {
    const file = await open(path, flags, 0o600);
    try {
      const header = encodeSegmentHeader(table);
      await writeAll(file, [header], 0);
      await flushDirectory(dirname(path));
      return new SegmentWriter(path, file, header.length);
    } catch (error) {
      // Each attempt has a name of its own, so its file would stay.
      await rm(path, { force: true }).catch(() => undefined);
      await file.close().catch(() => undefined);
      throw error;
    }
  }

  /** Bytes of the complete frames, with the header. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Appends a frame; when it resolves, the frame is on the disk. After a failure the segment takes no more: the
   * operating system may have dropped the data, and a second flush would report success.
   */
  async append(contents: readonly Uint8Array[]): Promise<void> {
    if (this.#hasFailed) throw new Error('a write to this segment failed before');
    const header = encodeFrameHeader(contents);
    try {
      this.#bytes += await writeAll(this.#file, [header, ...contents], this.#bytes);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  /** Closes the file; what a failed write left behind the last frame is cut off, if the disk allows it. */
  async close(): Promise<void> {
    if (this.#hasFailed) await this.#file.truncate(this.#bytes).catch(() => undefined);
    await this.#file.close();
  }
}

/** Writes frames that need an operator to a segment that is not loaded again; returns its path. */
export async function writeSetAside(
  of: string,
  reason: SetAsideReason,
  table: LineTable,
  frames: readonly Uint8Array[],
): Promise<string> {
  const path = setAsidePath(of, reason);
  // Of a run that ended before the segment that it is of was removed.
  await rm(path, { force: true });
  const writer = await SegmentWriter.create(path, table);
  for (const frame of frames) await writer.append([frame]);
  await writer.close();
  return path;
}

async function writeAll(file: FileHandle, chunks: readonly Uint8Array[], at: number): Promise<number> {
  const wanted = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  const { bytesWritten } = await file.writev([...chunks], at);
  // A disk that becomes full takes a part.
  if (bytesWritten !== wanted) {
    throw Object.assign(new Error(`the disk took ${bytesWritten} of ${wanted} bytes`), { code: 'ENOSPC' });
  }
  return wanted;
}
