import { Session } from 'node:inspector/promises';
import { App } from 'uWebSockets.js';
import { listenOnFreePort, subProtocolOf } from './listen.ts';

/** Interval in ms of the checks whether connections still come. */
const checkEveryMs = 3000;

/** True when a connection was opened since the last check. */
let hasOpened = false;
/** True when connections were opened since garbage was collected. */
let isDue = false;

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
  open() {
    hasOpened = true;
  },
});

// Collects garbage as the product does once connections have come: both are measured by what they keep.
setInterval(() => {
  if (hasOpened) isDue = true;
  else if (isDue) {
    isDue = false;
    void collectGarbage();
  }
  hasOpened = false;
}, checkEveryMs).unref();

async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

await listenOnFreePort(app);
