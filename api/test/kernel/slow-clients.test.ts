import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import type { AppDeps } from '#api/app.ts';
import { bodyTimeoutMs } from '#api/plugins/body-timeout.ts';
import { firmwareApi, idOf } from '#api/test/support/firmware-api.ts';
import { mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { until } from '#shared/testing/until.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

void t.test('the server bounds headers, silence and whole requests', async (t) => {
  const { server } = (await startTestApi(t)).app;
  t.equal(server.headersTimeout, 15_000);
  t.equal(server.timeout, 75_000);
  t.equal(server.requestTimeout, 900_000);
});

async function listen({ app }: TestApi) {
  const requests: IncomingMessage[] = [];
  app.server.on('request', (request) => requests.push(request));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    open: async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    },
    /** Resolves when the application reads the body of the newest request, the `count`th. */
    reads: (count: number) =>
      until('the application to read the body', () => {
        const request = requests[count - 1];
        return request !== undefined && request.listenerCount('error') > 0 && request;
      }),
  };
}

async function listeningApi(t: Test, changed: Partial<AppDeps> = {}) {
  const clock = new VirtualClock();
  const api = await startTestApi(t, { clock, ...changed });
  return { api, clock, ...(await listen(api)) };
}

const head = (request: string, key: string, length: number, type = 'application/json') =>
  `${request} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

void t.test('answers 408 to a body that stalls, and closes the connection', async (t) => {
  const { api, clock, open, reads } = await listeningApi(t);
  const families = [
    ['POST /cpms/v1/chargers', await mintKey(api), '"error":{"code":"BODY_TIMEOUT"'],
    ['POST /emsp/v1/users', await mintKey(api, { apiFamily: 'emsp' }), '"code":"BODY_TIMEOUT","instance"'],
  ] as const;
  for (const [index, [request, key, code]] of families.entries()) {
    const socket = await open();
    socket.write(`${head(request, key, 100)}{"a":`);
    await reads(index + 1);
    clock.advance(bodyTimeoutMs);
    const answer = await text(socket);
    t.match(answer, /^HTTP\/1\.1 408 .*\r\nconnection: close\r\n/is, request);
    t.ok(answer.includes(code), answer);
    t.match(answer, 'incomplete after 30 s');
  }
});

void t.test('answers 408 to a body that trickles', async (t) => {
  const { api, clock, open, reads } = await listeningApi(t);
  const socket = await open();
  socket.write(head('POST /cpms/v1/chargers', await mintKey(api), 1000));
  const request = await reads(1);
  for (let piece = 1; piece <= 10; piece += 1) {
    const before = request.socket.bytesRead;
    socket.write(' ');
    await until('the piece', () => request.socket.bytesRead > before);
    t.equal(socket.bytesRead, 0, 'no answer yet');
    clock.advance(bodyTimeoutMs / 10);
  }
  t.match(await text(socket), /^HTTP\/1\.1 408 /);
});

void t.test('closes the connection of a refused caller whose body stalls', async (t) => {
  const { clock, open } = await listeningApi(t);
  for (const request of ['POST /cpms/v1/chargers', 'PUT /cpms/v1/firmware-images/x/content']) {
    const socket = await open();
    const all = text(socket);
    socket.write(`${head(request, 'wrong', 100)}{"a":`);
    await until('the refusal', () => socket.bytesRead > 0);
    clock.advance(bodyTimeoutMs);
    const answer = await all;
    t.match(answer, /^HTTP\/1\.1 401 /, request);
    t.match(answer, /\r\nconnection: keep-alive\r\n/i, 'the body timeout ends it, not the answer');
  }
});

void t.test('keeps a connection whose requests were complete', async (t) => {
  const { api, clock, open, reads } = await listeningApi(t);
  const key = await mintKey(api);
  const socket = await open();
  const request = `${head('POST /cpms/v1/networks', key, 2)}{}`;
  socket.write(request);
  t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 400 /);
  const stalled = await open();
  stalled.write(`${head('POST /cpms/v1/networks', key, 100)}{"a":`);
  await reads(2);
  clock.advance(bodyTimeoutMs);
  t.match(await text(stalled), /^HTTP\/1\.1 408 /);
  socket.write(request);
  t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 400 /);
  socket.destroy();
});

void t.test('takes a firmware image for longer than other bodies, while bytes come', async (t) => {
  const clock = new VirtualClock();
  const { api, key, announce } = await firmwareApi(t, {}, { clock });
  const { open, reads } = await listen(api);
  const image = idOf(await announce());
  const upload = await open();
  upload.write(
    `${head(`PUT /cpms/v1/firmware-images/${image}/content`, key, 4, 'application/octet-stream')}ab`,
  );
  await reads(1);
  const stalled = await open();
  stalled.write(`${head('POST /cpms/v1/chargers', key, 100)}{"a":`);
  await reads(2);
  clock.advance(bodyTimeoutMs);
  t.match(await text(stalled), /^HTTP\/1\.1 408 /);
  upload.write('cd');
  t.match(String((await once(upload, 'data'))[0]), /^HTTP\/1\.1 200 /);
  upload.destroy();
});

void t.test('closes the connection of a firmware image that stalls', async (t) => {
  const { api, key, announce } = await firmwareApi(t);
  api.app.server.setTimeout(2000);
  const { open } = await listen(api);
  const url = `PUT /cpms/v1/firmware-images/${idOf(await announce())}/content`;
  const upload = await open();
  upload.write(`${head(url, key, 4, 'application/octet-stream')}ab`);
  await once(upload.resume(), 'close');
  t.pass('it is closed');
});

void t.test('closes a connection beyond the limit, and takes one again when another ends', async (t) => {
  const { api, open } = await listeningApi(t, { maxConnections: 1 });
  const first = await open();
  const second = await open();
  second.on('error', () => undefined);
  await once(second.resume(), 'close');
  const ended = new Promise((resolve) => {
    api.app.server.getConnections((_error, count) => resolve(count));
  });
  t.equal(await ended, 1);
  const request = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  first.write(request);
  t.match(await text(first), /^HTTP\/1\.1 200 /);
  const third = await open();
  third.write(request);
  t.match(await text(third), /^HTTP\/1\.1 200 /);
});
