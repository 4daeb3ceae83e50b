import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Each process chooses from ports of its own, which differ from those of processes that started shortly before and after it. */
const firstPort = 15_000 + (process.pid % 17) * 1000;

const chosen = new Set<number>();

/** A free TCP port of the loopback address, below those that the system hands out for outgoing connections, so that it stays free. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + randomInt(1000);
    if (chosen.has(port)) continue;
    chosen.add(port);
    const server = createServer();
    server.listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue; // taken
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
