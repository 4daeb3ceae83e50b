import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import type { Test } from 'tap';
import { withoutSocket } from '#shared/embedded/postgres/unix-socket.ts';

/**
 * A way to a PostgreSQL server that can be frozen, as the server is by SIGSTOP: connections are accepted and kept, and no byte
 * passes until it thaws. It can also be closed, as a server that has stopped: connections end and further ones are refused.
 */
export interface FreezableServer {
  databaseUrl: string;
  freeze(): void;
  thaw(): void;
  /** Lets new connections pass; frozen ones stay so, as when another machine takes the address of one that has vanished. */
  replace(): void;
  close(): Promise<void>;
  open(): Promise<void>;
  /** Number of connections that were accepted so far. */
  accepted(): number;
}

export async function freezableServer(
  t: Pick<Test, 'teardown'>,
  databaseUrl: string,
): Promise<FreezableServer> {
  const through = new URL(withoutSocket(databaseUrl));
  const { hostname, port } = through;
  const pairs = new Set<readonly [Socket, Socket]>();
  let isFrozen = false;
  let accepted = 0;
  const listener = createServer((client) => {
    accepted += 1;
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
  const cut = () => {
    for (const socket of [...pairs].flat()) socket.destroy();
    listener.close();
  };
  t.teardown(cut);
  const { port: ownPort } = listener.address() as AddressInfo;
  through.hostname = '127.0.0.1';
  through.port = String(ownPort);
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
    async close() {
      const closed = once(listener, 'close');
      cut();
      await closed;
    },
    async open() {
      listener.listen(ownPort, '127.0.0.1');
      await once(listener, 'listening');
    },
    accepted: () => accepted,
    replace() {
      isFrozen = false;
    },
  };
}

function join([client, server]: readonly [Socket, Socket]): void {
  client.pipe(server);
  server.pipe(client);
}
