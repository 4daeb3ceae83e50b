import { randomBytes } from 'node:crypto';
import { createServer, connect, type Server } from 'node:net';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';

/** Name of a socket that marks a directory as used; a random part follows. Earlier releases used the name only. */
const socketName = 'lock';

/** Name of a socket that does not listen yet. */
const newName = 'new-lock';

/**
 * Exclusive use of a directory by one thread of one process: a listening socket in it. The operating system ends it
 * with its owner, however that ends.
 *
 * A starter first publishes a socket of its own, then looks at all others, and withdraws if one of them is alive. Of two
 * starters the later one sees the earlier one, so at most one stays; both withdraw if they start at once. A name is
 * never used again and stands for a socket that listens or is dead, so a dead one can be removed at any time.
 */
export class DirectoryLock {
  readonly #server: Server;
  readonly #directory: number;
  readonly #path: string;

  private constructor(server: Server, directory: number, path: string) {
    this.#server = server;
    this.#directory = directory;
    this.#path = path;
  }

  /** Locks a directory; returns null when another thread or process has it, or starts at the same time. */
  static async take(path: string): Promise<DirectoryLock | null> {
    const directory = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    // The path of a socket has at most 107 bytes.
    const shortPath = `/proc/self/fd/${directory}`;
    const id = randomBytes(8).toString('hex');
    const own = `${socketName}-${id}`;
    const server = createServer((socket) => socket.destroy());
    const lock = new DirectoryLock(server, directory, `${shortPath}/${own}`);
    try {
      server.listen(`${shortPath}/${newName}-${id}`);
      await once(server, 'listening');
      server.unref();
      await rename(`${shortPath}/${newName}-${id}`, `${shortPath}/${own}`);
      if (!(await hasLiveSocket(shortPath, own))) return lock;
    } catch (error) {
      await lock.release();
      throw error;
    }
    await lock.release();
    return null;
  }

  async release(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#path, { force: true });
    closeSync(this.#directory);
  }
}

/** Returns true when a socket other than this one marks the directory as used. Removes dead ones. */
async function hasLiveSocket(directory: string, own: string): Promise<boolean> {
  for (const name of await readdir(directory)) {
    if (name === own || !(name === socketName || name.startsWith(`${socketName}-`))) continue;
    const path = `${directory}/${name}`;
    if (await isAnswered(path)) return true;
    await rm(path, { force: true });
  }
  return false;
}

/** Returns false only when nothing listens on a socket, or when it is gone. */
async function isAnswered(socketPath: string): Promise<boolean> {
  const socket = connect(socketPath);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'ECONNREFUSED' && code !== 'ENOENT';
  } finally {
    socket.destroy();
  }
}
