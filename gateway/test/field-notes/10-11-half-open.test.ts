import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import t from 'tap';
import { listen } from '#gateway/socket/server.ts';
import { connectRaw } from '#gateway/test/support/raw-charger.ts';
import { createLogger } from '#shared/log/log.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { until } from '#shared/testing/until.ts';
import { dialects } from './support/dialect.ts';
import { openScene } from './support/scene.ts';

/** A mobile network between a charger and the gateway, which can stop to carry anything without a word. */
async function network(t: { teardown(work: () => void): void }, port: number) {
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connectTcp(port, '127.0.0.1');
    sockets.push(near, far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  t.teardown(() => {
    cut();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    /** Both ends believe that they are connected. */
    freeze(): void {
      for (const socket of sockets) socket.pause();
    },
    /** The gateway learns at last. */
    cut,
  };
}

void t.test('field note 10: replaces a half-open socket by a new one', async (t) => {
  const scene = await openScene(t);
  const { bus, ocppUrl } = scene.rig;

  for (const dialect of dialects) {
    await t.test(`${dialect.version}: keeps the new socket when the old one closes late`, async (t) => {
      const charger = await scene.charger();
      const between = await network(t, Number(new URL(ocppUrl).port));
      await connectRaw({ ocppUrl: `ws://127.0.0.1:${between.port}/ocpp` }, charger, dialect.version);
      const old = await until('presence', () => bus.presence.lookup(charger.uid));
      between.freeze();

      const fresh = await scene.socket(charger, dialect);
      const claim = await until('the claim of the new socket', async () => {
        const now = await bus.presence.lookup(charger.uid);
        return now !== null && now.connectionId !== old.connectionId && now;
      });
      t.match(await fresh.call('1', 'Heartbeat', {}), [3, '1', Object]);
      between.cut();
      for (let n = 0; n < 3; n += 1) {
        const reset = scene.rig.command(charger.uid, { type: 'reset', kind: 'Soft' });
        const [, id] = await fresh.next();
        fresh.send(JSON.stringify([3, id, { status: 'Accepted' }]));
        t.match(await reset, { ok: true });
      }
      t.same(await bus.presence.lookup(charger.uid), claim, 'it is still the new one');
    });
  }
});

void t.test('field note 11: closes a half-open socket within the ping budget', async (t) => {
  const port = await freePort();
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const idleTimeoutSeconds = 9;
  const server = await listen({
    host: '127.0.0.1',
    port,
    maxMessageBytes: 1024,
    idleTimeoutSeconds,
    trust: { trustedProxies: [], proxySecret: null },
    authenticate: async () => ({ accepted: true, protocol: 'ocpp1.6', identity: {} }),
    open: () => {
      opened.resolve();
      return { receive: () => undefined, closed: () => closed.resolve() };
    },
    log: createLogger('half-open', 'silent'),
  });
  t.teardown(() => server.close());
  const between = await network(t, port);
  const charger = { id: 0, uuid: '', uid: 'half-open', password: '' };
  await connectRaw({ ocppUrl: `ws://127.0.0.1:${between.port}/ocpp` }, charger, 'ocpp1.6');
  await opened.promise;
  between.freeze();
  // Counted, not timed: a blocked thread finds no charger meanwhile.
  let seconds = 0;
  const clock = setInterval(() => (seconds += 1), 1000);
  await closed.promise;
  clearInterval(clock);
  t.ok(seconds < idleTimeoutSeconds + 5, `${seconds} s`);
});
