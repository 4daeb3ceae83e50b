import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

/** Named pipe that the engine writes a result to. */
interface ResultPipe {
  path: string;
  /** The bytes that were written. A writer that is ahead waits. */
  output: Readable;
  /** Ends `output` after the bytes that were written, also when no writer ever opened the pipe. */
  end(): void;
}

const run = promisify(execFile);

/** Makes a pipe. The caller reads `output` to its end: a writer without a reader would wait without end. */
export async function openResultPipe(): Promise<ResultPipe> {
  const path = join(tmpdir(), `chargeway-result-${randomUUID()}`);
  await run('mkfifo', ['-m', '600', path]);
  // Non-blocking: opening must not wait for the writer, and reading must not occupy a thread that the engine needs.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const output = new Socket({ fd, readable: true, writable: false });
  return {
    path,
    output,
    end() {
      closeWriter(path);
      unlinkSync(path);
    },
  };
}

/** Opens and closes the pipe: a reader sees the end when a writer has closed. */
function closeWriter(path: string): void {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch (error) {
    // The reader has seen the end of the engine's own writer, and closed.
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
  }
}
