import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import type { Test } from 'tap';

/**
 * A way to a PostgreSQL server that can be frozen, as the server is by SIGSTOP: connections are accepted and kept, and no byte
 * passes until it thaws.
 */
export interface FreezableServer {
  databaseUrl: string;
  freeze(): void;
  thaw(): void;
}

export async function freezableServer(
  t: Pick<Test, 'teardown'>,
  databaseUrl: string,
): Promise<FreezableServer> {
  const { hostname, port } = new URL(databaseUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isFrozen = false;
  const listener = createServer((client) => {
    const pair = [client, connect(Number(port), hostname)] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        for (const other of pair) other.destroy();
        pairs.delete(pair);
      });
    }
    if (!isFrozen) join(pair);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of [...pairs].flat()) socket.destroy();
    listener.close();
  });
  const through = new URL(databaseUrl);
  through.hostname = '127.0.0.1';
  through.port = String((listener.address() as AddressInfo).port);
  return {
    databaseUrl: through.href,
    freeze() {
      isFrozen = true;
      for (const socket of [...pairs].flat()) {
        socket.unpipe();
        socket.pause();
      }
    },
    thaw() {
      isFrozen = false;
      for (const pair of pairs) join(pair);
    },
  };
}

function join([client, server]: readonly [Socket, Socket]): void {
  client.pipe(server);
  server.pipe(client);
}
