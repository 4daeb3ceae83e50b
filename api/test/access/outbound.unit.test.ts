import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { Outbound } from '#api/services/access/outbound.ts';

const send = (outbound: Outbound, url: string, timeoutMs = 60_000) =>
  outbound.send({ method: 'PUT', url, headers: { 'x-a': 'b' }, body: '{}', timeoutMs });

void t.test('limits outbound calls to public addresses, in time and size, without redirects', async (t) => {
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

void t.test('reports the refusal of a call in advance', async (t) => {
  const strict = new Outbound([]);
  const open = new Outbound(['127.0.0.0/8', '::1']);
  t.teardown(() => (strict.close(), open.close()));
  for (const url of ['http://10.0.0.1/', 'http://localhost:1/', 'http://[::1]/', 'ftp://x/', 'http://[']) {
    t.match(await strict.refusal(url, 60_000), { fault: 'address-refused' }, url);
  }
  t.equal(await open.refusal('http://localhost:1/', 5000), null);
  t.equal(await strict.refusal('http://192.0.43.8/', 5000), null, 'a public one, whether or not it answers');
  // A name that cannot be resolved now may resolve at the call, and is checked then.
  t.equal(await strict.refusal('http://nobody.invalid/', 5000), null);
});

void t.test('refuses a private IPv4 address inside an IPv6 address', async (t) => {
  const strict = new Outbound([]);
  t.teardown(() => strict.close());
  for (const [what, host] of [
    ['IPv4-compatible', '[::127.0.0.1]'],
    ['IPv4-compatible', '[::a00:1]'],
    ['IPv4-mapped', '[::ffff:10.0.0.1]'],
    ['IPv4-translated', '[::ffff:0:10.0.0.1]'],
    ['NAT64', '[64:ff9b::10.0.0.1]'],
    ['local NAT64', '[64:ff9b:1::10.0.0.1]'],
    ['6to4', '[2002:a00:1::1]'],
    ['Teredo', '[2001:0:4136:e378:8000:63bf:f5ff:fffe]'],
    ['ISATAP', '[2a00:1450:4001:82a:0:5efe:10.0.0.1]'],
    ['ISATAP, universal', '[2a00:1450:4001:82a:200:5efe:10.0.0.1]'],
    ['beyond 2000::/3', '[4000::1]'],
    ['local', '[fec0::1]'],
  ]) {
    t.match(await strict.refusal(`http://${host}/`, 5000), { fault: 'address-refused' }, `${what} ${host}`);
  }
  for (const host of ['[2a00:1450:4001:82a::200e]', '[2606:4700::1111]', '[::ffff:192.0.43.8]']) {
    t.equal(await strict.refusal(`http://${host}/`, 5000), null, host);
  }
});
