import { createServer, connect, type Server } from 'node:net';
import { once } from 'node:events';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';

/** Name of the socket that marks a directory as used. */
const socketName = 'lock';

/**
 * Exclusive use of a directory by one thread of one process: a listening socket in it. The operating system ends it
 * with its owner, however that ends; the file that stays answers nobody and is replaced.
 */
export class DirectoryLock {
  readonly #server: Server;
  readonly #directory: number;

  private constructor(server: Server, directory: number) {
    this.#server = server;
    this.#directory = directory;
  }

  /** Locks a directory; returns null when another thread or process has it. */
  static async take(path: string): Promise<DirectoryLock | null> {
    const directory = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    // The path of a socket has at most 107 bytes.
    const socketPath = `/proc/self/fd/${directory}/${socketName}`;
    const server = (await listening(socketPath)) ?? (await replaced(socketPath));
    if (server === null) {
      closeSync(directory);
      return null;
    }
    server.unref();
    return new DirectoryLock(server, directory);
  }

  async release(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
    closeSync(this.#directory);
  }
}

/** Replaces the socket of an owner that ended; returns null when it lives. */
async function replaced(socketPath: string): Promise<Server | null> {
  if (await isAnswered(socketPath)) return null;
  unlinkSync(socketPath);
  return listening(socketPath);
}

/** Returns null when the socket exists. */
async function listening(socketPath: string): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy());
  server.listen(socketPath);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null;
    throw error;
  }
}

async function isAnswered(socketPath: string): Promise<boolean> {
  const socket = connect(socketPath);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
