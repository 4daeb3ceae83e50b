import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import type { AppDeps } from '#api/app.ts';
import { firmwareApi, idOf } from '#api/test/support/firmware-api.ts';
import { mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

void t.test('the server bounds headers, silence and whole requests', async (t) => {
  const { server } = (await startTestApi(t)).app;
  t.equal(server.headersTimeout, 15_000);
  t.equal(server.timeout, 75_000);
  t.equal(server.requestTimeout, 900_000);
});

/** Time for a body in these tests, in ms. */
const bodyTimeoutMs = 2000;

async function listen({ app }: TestApi): Promise<() => Promise<Socket>> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
}

async function listeningApi(t: Test, changed: Partial<AppDeps> = {}) {
  const api = await startTestApi(t, { bodyTimeoutMs, ...changed });
  return { api, open: await listen(api) };
}

const head = (request: string, key: string, length: number, type = 'application/json') =>
  `${request} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

/** Sends the head of a request and the first bytes of its body; resolves to all that comes until the connection ends. */
async function stall(socket: Socket, start: string): Promise<string> {
  socket.write(`${start}{"a":`);
  return text(socket);
}

void t.test('answers 408 to a body that stalls, and closes the connection', async (t) => {
  const { api, open } = await listeningApi(t);
  const families = [
    ['POST /cpms/v1/chargers', await mintKey(api), '"error":{"code":"BODY_TIMEOUT"'],
    ['POST /emsp/v1/users', await mintKey(api, { apiFamily: 'emsp' }), '"code":"BODY_TIMEOUT","instance"'],
  ] as const;
  for (const [request, key, code] of families) {
    const answer = await stall(await open(), head(request, key, 100));
    t.match(answer, /^HTTP\/1\.1 408 .*\r\nconnection: close\r\n/is, request);
    t.ok(answer.includes(code), answer);
    t.match(answer, 'incomplete after 2 s');
  }
});

void t.test('answers 408 to a body that trickles', async (t) => {
  const { api, open } = await listeningApi(t);
  const socket = await open();
  const answer = stall(socket, head('POST /cpms/v1/chargers', await mintKey(api), 1000));
  const trickle = setInterval(() => socket.write(' '), bodyTimeoutMs / 20);
  socket.once('data', () => clearInterval(trickle));
  t.match(await answer, /^HTTP\/1\.1 408 /);
});

void t.test('closes the connection of a refused caller whose body stalls', async (t) => {
  const { open } = await listeningApi(t);
  for (const request of ['POST /cpms/v1/chargers', 'PUT /cpms/v1/firmware-images/x/content']) {
    const answer = await stall(await open(), head(request, 'wrong', 100));
    t.match(answer, /^HTTP\/1\.1 401 /, request);
    t.match(answer, /\r\nconnection: keep-alive\r\n/i, 'the body timeout ends it, not the answer');
  }
});

void t.test('keeps a connection whose requests were complete', async (t) => {
  const { api, open } = await listeningApi(t);
  const key = await mintKey(api);
  const socket = await open();
  const request = `${head('POST /cpms/v1/networks', key, 2)}{}`;
  socket.write(request);
  t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 400 /);
  // A body that stalls from now on ends after the limit of the first request.
  await stall(await open(), head('POST /cpms/v1/networks', key, 100));
  socket.write(request);
  t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 400 /);
  socket.destroy();
});

void t.test('takes a firmware image for longer than other bodies, while bytes come', async (t) => {
  const { api, key, announce } = await firmwareApi(t, {}, { bodyTimeoutMs });
  const open = await listen(api);
  const url = `PUT /cpms/v1/firmware-images/${idOf(await announce())}/content`;
  const upload = await open();
  upload.write(`${head(url, key, 4, 'application/octet-stream')}ab`);
  // A body that stalls from now on is answered after the upload has exceeded the limit, too.
  const answer = await stall(await open(), head('POST /cpms/v1/chargers', key, 100));
  t.match(answer, /^HTTP\/1\.1 408 /);
  upload.write('cd');
  t.match(String((await once(upload, 'data'))[0]), /^HTTP\/1\.1 200 /);
  upload.destroy();
});

void t.test('closes the connection of a firmware image that stalls', async (t) => {
  const { api, key, announce } = await firmwareApi(t);
  api.app.server.setTimeout(bodyTimeoutMs);
  const open = await listen(api);
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
