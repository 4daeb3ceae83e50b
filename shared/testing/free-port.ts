import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A free TCP port of the loopback address, below those that the system hands out for outgoing connections, so that it stays free. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
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
