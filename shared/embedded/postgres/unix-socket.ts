import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Longest path of a socket in bytes: 103 on macOS, 107 on Linux. */
const maxPathBytes = 103;

const socketName = (port: number | string): string => `.s.PGSQL.${port}`;

/** Returns the directory of the server's socket: its data directory. Null: the path is too long for a socket. */
export function socketDirectory(dataDir: string): string | null {
  return Buffer.byteLength(join(dataDir, socketName('65535'))) > maxPathBytes ? null : dataDir;
}

/** Returns the parameter of a URL that leads to the socket, as libpq reads it. Empty: the server has none. */
export function socketParameter(dataDir: string, port: number): string {
  return existsSync(join(dataDir, socketName(port))) ? `?host=${encodeURIComponent(dataDir)}` : '';
}

/** Returns the URL of the same server by host and port, in whose place a proxy can be. */
export function withoutSocket(url: string): string {
  const tcp = new URL(url);
  tcp.searchParams.delete('host');
  return tcp.href;
}

/** Removes the sockets of a killed server: a server that finds their lock files may not start. */
export function removeSockets(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(socketName(''))) rmSync(join(dataDir, name));
  }
}
