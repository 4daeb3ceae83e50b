import { App } from 'uWebSockets.js';
import type { Payload } from '#shared/simulator/payload.ts';
import { answerOf } from './answers.ts';
import { listenOnFreePort, subProtocolOf } from './listen.ts';

/** The floor: bare uWebSockets.js that parses each frame with JSON.parse and answers it, storing nothing. */
const app = App().ws('/*', {
  upgrade: (response, request, context) =>
    response.upgrade(
      {},
      request.getHeader('sec-websocket-key'),
      subProtocolOf(request.getHeader('sec-websocket-protocol')),
      request.getHeader('sec-websocket-extensions'),
      context,
    ),
  message(socket, message) {
    const [, id, action, payload] = JSON.parse(Buffer.from(message).toString('utf8')) as [
      number,
      string,
      string,
      Payload,
    ];
    socket.send(JSON.stringify([3, id, answerOf(action, payload)]));
  },
});
await listenOnFreePort(app);
