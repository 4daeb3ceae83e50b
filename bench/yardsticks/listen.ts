import type { TemplatedApp } from 'uWebSockets.js';
import { freePort } from '#shared/testing/free-port.ts';
import { ready } from './ready.ts';

/** Returns the sub-protocol that a server accepts: the first one offered. */
export function subProtocolOf(offered: string): string {
  return offered.split(',')[0]?.trim() ?? '';
}

/** Listens on loopback and reports the port to the bench. */
export async function listenOnFreePort(app: TemplatedApp): Promise<void> {
  const port = await freePort();
  app.listen('127.0.0.1', port, (socket) => {
    if (socket === false) throw new Error(`port ${port} is in use`);
    ready(port);
  });
}
