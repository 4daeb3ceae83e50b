import { App } from 'uWebSockets.js';
import { listenOnFreePort, subProtocolOf } from './listen.ts';

/** Bare uWebSockets.js that accepts upgrades and holds the connections. */
const app = App().ws('/*', {
  idleTimeout: 0,
  upgrade: (response, request, context) =>
    response.upgrade(
      {},
      request.getHeader('sec-websocket-key'),
      subProtocolOf(request.getHeader('sec-websocket-protocol')),
      request.getHeader('sec-websocket-extensions'),
      context,
    ),
});
await listenOnFreePort(app);
