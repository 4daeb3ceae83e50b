import t from 'tap';
import { connectWebSocket } from '#shared/simulator/websocket.ts';
import { listen } from '#gateway/socket/server.ts';
import { createLogger } from '#shared/log/log.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { until } from '#shared/testing/until.ts';

void t.test('reports the close of a socket that is closed while it opens', async (t) => {
  const port = await freePort();
  const events: string[] = [];
  const server = await listen<string>({
    host: '127.0.0.1',
    port,
    maxMessageBytes: 1000,
    idleTimeoutSeconds: 60,
    trust: { trustedProxies: [], proxySecret: null },
    authenticate: ({ uid }) => ({ accepted: true, protocol: 'ocpp1.6', identity: uid }),
    open(identity, socket) {
      socket.close(1008, 'not wanted');
      events.push(`${identity} opened`);
      return {
        receive: () => undefined,
        closed: () => events.push(`${identity} closed`),
      };
    },
    log: createLogger('test', 'silent'),
  });
  t.teardown(() => server.close());

  const closing = Promise.withResolvers<[number, string]>();
  await connectWebSocket(
    { url: `ws://127.0.0.1:${port}/ocpp/CP-1`, protocols: ['ocpp1.6'], handshakeTimeoutMs: 60_000 },
    { onText: () => undefined, onClose: (code, reason) => closing.resolve([code, reason]) },
  );
  t.strictSame(await closing.promise, [1008, 'not wanted']);
  await until('the events', () => Promise.resolve(events.length > 1));
  t.strictSame(events, ['CP-1 opened', 'CP-1 closed']);
});

void t.test(
  'logs the refusal of a socket without a common sub-protocol, as of other refused chargers',
  async (t) => {
    const port = await freePort();
    const refused: unknown[] = [];
    const log = createLogger('test', 'silent');
    const server = await listen<string>({
      host: '127.0.0.1',
      port,
      maxMessageBytes: 1000,
      idleTimeoutSeconds: 60,
      trust: { trustedProxies: [], proxySecret: null },
      authenticate: ({ protocols }) =>
        protocols.includes('soap')
          ? { accepted: true, protocol: null }
          : { accepted: false, status: '404 Not Found', reason: 'unknown' },
      open: () => ({ receive: () => undefined, closed: () => undefined }),
      log: Object.assign(Object.create(log), {
        info: (facts: unknown, text: string) => refused.push([text, facts]),
      }),
    });
    t.teardown(() => server.close());
    const connect = async (protocol: string): Promise<unknown> => {
      const closing = Promise.withResolvers<number>();
      const url = `ws://127.0.0.1:${port}/ocpp/CP-1`;
      await connectWebSocket(
        { url, protocols: [protocol], handshakeTimeoutMs: 60_000 },
        { onText: () => undefined, onClose: (code) => closing.resolve(code) },
      ).catch(() => closing.resolve(0));
      return closing.promise;
    };
    t.equal(await connect('soap'), 1002);
    t.equal(await connect('ocpp1.6'), 0);
    const charger = { charger: 'CP-1', from: '127.0.0.1' };
    t.same(refused, [
      ['charger refused', { ...charger, reason: 'no common OCPP version' }],
      ['charger refused', { ...charger, reason: 'unknown' }],
    ]);
  },
);
