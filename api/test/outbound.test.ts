import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { Outbound } from '#api/services/outbound.ts';

const send = (outbound: Outbound, url: string, timeoutMs = 60_000) =>
  outbound.send({ method: 'PUT', url, headers: { 'x-a': 'b' }, body: '{}', timeoutMs });

void t.test('calls to others reach public addresses only, are bounded, and follow nothing', async (t) => {
  const server = createServer((request, response) => {
    if (request.url === '/slow') return;
    if (request.url === '/large') response.end('x'.repeat(5 * 1024 * 1024));
    else if (request.url === '/moved') response.writeHead(302, { location: '/' }).end('moved');
    else response.end(`${request.method} ${String(request.headers['x-a'])}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => (server.closeAllConnections(), server.close()));
  const { port } = server.address() as AddressInfo;
  const strict = new Outbound([]);
  const open = new Outbound(['127.0.0.0/8', '10.0.0.0/8']);
  t.teardown(() => (strict.close(), open.close()));

  const fails = async (call: Promise<unknown>, fault: string, what = fault) =>
    t.match(await call.catch((error: unknown) => error), { fault }, what);
  for (const host of [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    '169.254.169.254',
  ]) {
    await fails(send(strict, `http://${host}:${port}/`), 'address-refused', host);
  }
  await fails(send(strict, 'file:///etc/passwd'), 'address-refused');
  t.match(await send(open, `http://127.0.0.1:${port}/`), { status: 200, text: 'PUT b' });
  t.match(await send(open, `http://127.0.0.1:${port}/moved`), { status: 302, text: 'moved' });
  await fails(send(open, `http://127.0.0.1:${port}/large`), 'too-large');
  await fails(send(open, `http://127.0.0.1:${port}/slow`, 50), 'timeout');
  await fails(send(open, 'http://127.0.0.1:1/'), 'unreachable');
  await fails(send(open, 'http://[::1]:1/'), 'address-refused');
});

void t.test('whether a call would be refused is said before it is made', async (t) => {
  const strict = new Outbound([]);
  const open = new Outbound(['127.0.0.0/8', '::1']);
  t.teardown(() => (strict.close(), open.close()));
  for (const url of ['http://10.0.0.1/', 'http://localhost:1/', 'http://[::1]/', 'ftp://x/', 'http://[']) {
    t.match(await strict.refusal(url, 60_000), { fault: 'address-refused' }, url);
  }
  t.equal(await open.refusal('http://localhost:1/', 5000), null);
  t.equal(await strict.refusal('http://192.0.43.8/', 5000), null, 'a public one, whether or not it answers');
  // What nobody can look up now may be found when it is called, and is looked at then.
  t.equal(await strict.refusal('http://nobody.invalid/', 5000), null);
});
