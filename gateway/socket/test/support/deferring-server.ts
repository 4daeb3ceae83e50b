import { setImmediate } from 'node:timers/promises';
import { listen } from '#gateway/socket/server.ts';
import { createLogger } from '#shared/log/log.ts';
import { freePort } from '#shared/testing/free-port.ts';

/** Sizes in bytes of the memory that a socket takes while it opens: among them that of any block just released. */
const sizes = Array.from({ length: 200 }, (_, index) => 65 + index);

/** Bits that made uWebSockets.js close a socket whose released memory they were written to. */
const closingBits = 0x10;

// A process of its own, because uWebSockets.js writes its warnings to standard error.
const port = await freePort();
let taken: Uint8Array[] = [];
const server = await listen<string>({
  host: '127.0.0.1',
  port,
  maxMessageBytes: 1000,
  idleTimeoutSeconds: 60,
  trust: { trustedProxies: [], proxySecret: null },
  async authenticate({ uid }) {
    // Until the request's callback has returned, as a read of a store does.
    await setImmediate();
    if (uid === 'UNKNOWN') return { accepted: false, status: '404 Not Found' };
    return { accepted: true, protocol: 'ocpp1.6', identity: uid };
  },
  open(identity, socket) {
    taken = sizes.map((size) => new Uint8Array(size).fill(closingBits));
    return {
      receive: (text) => socket.send(`${identity} ${text} ${taken.length}`),
      closed: () => undefined,
    };
  },
  log: createLogger('test', 'silent'),
});
process.once('disconnect', () => server.close());
process.send?.({ port });
