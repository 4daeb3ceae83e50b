import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import {
  App,
  type HttpResponse,
  us_listen_socket_close,
  us_socket_local_port,
  type WebSocket,
} from 'uWebSockets.js';

/** Runs upgrades that are answered after their callback has returned. */
export interface UpgradeCork {
  run(response: HttpResponse, upgrade: () => void): void;
  close(): void;
}

/**
 * Opens a cork for deferred upgrades.
 *
 * uWebSockets.js wants a deferred upgrade to run in `response.cork`, and warns on standard error otherwise. But after the
 * upgrade that function reads flags of the response from memory that is no longer the response's, and closes the new
 * socket (1006) when a certain bit is set there. Upstream has a fix, no release of `uws-pack` does:
 * https://github.com/uNetworking/uWebSockets/pull/1929. The function reads nothing while another socket of the thread is
 * corked. This other socket is a connection of the thread to itself.
 */
export async function openUpgradeCork(): Promise<UpgradeCork> {
  const app = App();
  // No other process knows the path.
  const path = `/${randomUUID()}`;
  const opened = Promise.withResolvers<WebSocket<unknown>>();
  let isOpen = true;
  app.ws(path, {
    idleTimeout: 0,
    open: (ws) => opened.resolve(ws),
    close: () => {
      isOpen = false;
    },
  });
  const { promise: listening, resolve } = Promise.withResolvers<
    Parameters<typeof us_listen_socket_close>[0] | false
  >();
  app.listen('127.0.0.1', 0, resolve);
  const listener = await listening;
  if (listener === false) throw new Error('no port of 127.0.0.1 may be used');
  try {
    const client = connect(us_socket_local_port(listener), '127.0.0.1').unref();
    await once(client, 'connect');
    client.on('error', () => client.destroy()).resume();
    client.write(upgradeRequest(path));
    const other = await opened.promise;
    return {
      run(response, upgrade) {
        if (isOpen) other.cork(() => response.cork(upgrade));
        else upgrade();
      },
      close: () => app.close(),
    };
  } catch (error) {
    app.close();
    throw error;
  } finally {
    us_listen_socket_close(listener);
  }
}

function upgradeRequest(path: string): string {
  return [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    '\r\n',
  ].join('\r\n');
}
