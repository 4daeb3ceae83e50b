import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { UpgradeRefused } from '#shared/simulator/handshake.ts';
import { connectWebSocket } from '#shared/simulator/websocket.ts';
import { listen } from '#gateway/socket/server.ts';
import { createLogger } from '#shared/log/log.ts';
import { freePort } from '#shared/testing/free-port.ts';

/** Number of sockets that connect at once, and how often. */
const burst = 200;
const bursts = 5;

/** Starts a server that authenticates asynchronously; `stop` returns its standard error. */
async function deferringServer(t: Test) {
  const entry = new URL('./support/deferring-server.ts', import.meta.url);
  const child = fork(entry, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const stderr = text(child.stderr!);
  t.teardown(() => child.kill());
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    url: `ws://127.0.0.1:${port}/ocpp`,
    stop(): Promise<string> {
      child.disconnect();
      return stderr;
    },
  };
}

/** Connects, sends a text, and resolves to the answer or the code of the close. */
async function exchange(url: string): Promise<string> {
  const first = Promise.withResolvers<string>();
  const socket = await connectWebSocket(
    { url, protocols: ['ocpp1.6'], handshakeTimeoutMs: 60_000 },
    {
      onText: (bytes) => first.resolve(bytes.toString()),
      onClose: (code) => first.resolve(`closed with ${code}`),
    },
  );
  socket.sendText('hello');
  const answer = await first.promise;
  await socket.terminate();
  return answer;
}

void t.test('keeps every socket whose authentication took a while, without a warning', async (t) => {
  const server = await deferringServer(t);
  const answers = new Set<string>();
  for (let round = 0; round < bursts; round += 1) {
    const all = await Promise.all(Array.from({ length: burst }, () => exchange(`${server.url}/CP`)));
    for (const answer of all) answers.add(answer);
  }
  t.same(answers, new Set(['CP hello 200']));
  await t.rejects(exchange(`${server.url}/UNKNOWN`), new UpgradeRefused(404, 'Not Found'));
  t.equal(await server.stop(), '');
});

void t.test('upgrades outside of the callbacks of other sockets', async (t) => {
  const port = await freePort();
  const known = Promise.withResolvers<void>();
  const server = await listen<string>({
    host: '127.0.0.1',
    port,
    maxMessageBytes: 1000,
    idleTimeoutSeconds: 60,
    trust: { trustedProxies: [], proxySecret: null },
    async authenticate({ uid }) {
      if (uid === 'CP-1') await known.promise;
      else {
        // The first is known in the callback of the second, the second later.
        known.resolve();
        await setImmediate();
      }
      return { accepted: true, protocol: 'ocpp1.6', identity: uid };
    },
    open: (identity, socket) => ({
      receive: (text) => socket.send(`${identity} ${text}`),
      closed: () => undefined,
    }),
    log: createLogger('test', 'silent'),
  });
  t.teardown(() => server.close());
  const first = exchange(`ws://127.0.0.1:${port}/ocpp/CP-1`);
  const answers = await Promise.all([first, exchange(`ws://127.0.0.1:${port}/ocpp/CP-2`)]);
  t.same(answers, ['CP-1 hello', 'CP-2 hello']);
});
