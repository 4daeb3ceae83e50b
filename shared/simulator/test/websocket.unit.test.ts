import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import t from 'tap';
import { UpgradeRefused } from '#shared/simulator/handshake.ts';
import { connectWebSocket, type WebSocketConnection } from '#shared/simulator/websocket.ts';

/** A server frame written by hand, apart from the code under test. */
function serverFrame(first: number, payload: Buffer | string): Buffer {
  const body = Buffer.from(payload);
  const header = Buffer.alloc(body.length < 126 ? 2 : body.length < 65536 ? 4 : 10);
  header[0] = first;
  header[1] = body.length < 126 ? body.length : body.length < 65536 ? 126 : 127;
  if (header.length === 4) header.writeUInt16BE(body.length, 2);
  if (header.length === 10) header.writeUInt32BE(body.length, 6);
  return Buffer.concat([header, body]);
}

/** Reads one masked client frame shorter than 126 bytes. */
async function clientFrame(socket: Socket): Promise<{ first: number; masked: boolean; payload: Buffer }> {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  const length = (bytes[1] ?? 0) & 0x7f;
  const payload = Buffer.from(bytes.subarray(6, 6 + length));
  for (let i = 0; i < length; i++) payload[i] = (payload[i] ?? 0) ^ (bytes[2 + (i % 4)] ?? 0);
  return { first: bytes[0] ?? 0, masked: ((bytes[1] ?? 0) & 0x80) !== 0, payload };
}

interface Teardown {
  teardown(handler: () => unknown): unknown;
}

interface Opened {
  server: Socket;
  client: WebSocketConnection;
  headers: NodeJS.Dict<string | string[]>;
  remoteAddress: string | undefined;
  nextText: () => Promise<string>;
  closed: Promise<[number, string]>;
}

interface Upgrade {
  accept?: string;
  protocol?: string;
  localAddress?: string;
  maxMessageBytes?: number;
  /** Sent in the same packet as the answer to the upgrade. */
  early?: Buffer;
}

async function open(test: Teardown, options: Upgrade = {}): Promise<Opened> {
  const http = createServer();
  const upgraded = Promise.withResolvers<[Socket, NodeJS.Dict<string | string[]>, string | undefined]>();
  http.on('upgrade', (request, stream) => {
    const socket = stream as Socket;
    // A server's socket stays half open unless it is closed here.
    socket.on('end', () => socket.end());
    const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
    const accept = createHash('sha1')
      .update(String(request.headers['sec-websocket-key']) + guid)
      .digest('base64');
    const head =
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${options.accept ?? accept}\r\n` +
      `Sec-WebSocket-Protocol: ${options.protocol ?? 'ocpp1.6'}\r\n\r\n`;
    socket.write(Buffer.concat([Buffer.from(head), options.early ?? Buffer.alloc(0)]));
    test.teardown(() => socket.destroy());
    upgraded.resolve([socket, request.headers, request.socket.remoteAddress]);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  test.teardown(() => http.close());
  const texts: string[] = [];
  let wake: (() => void) | undefined;
  const closed = Promise.withResolvers<[number, string]>();
  const client = await connectWebSocket(
    {
      url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/ocpp/CP%201`,
      protocols: ['ocpp2.0.1', 'ocpp1.6'],
      username: 'CP 1',
      password: Buffer.from([0xff, 0x00, 0x3a]),
      localAddress: options.localAddress,
      maxMessageBytes: options.maxMessageBytes,
    },
    {
      onText: (message) => {
        texts.push(message.toString());
        wake?.();
      },
      onClose: (code, reason) => closed.resolve([code, reason]),
    },
  );
  test.teardown(() => client.terminate());
  const [server, headers, remoteAddress] = await upgraded.promise;
  const nextText = async (): Promise<string> => {
    while (texts.length === 0) {
      const woken = Promise.withResolvers<void>();
      wake = woken.resolve;
      await woken.promise;
    }
    return texts.shift() ?? '';
  };
  return { server, client, headers, remoteAddress, nextText, closed: closed.promise };
}

void t.test('offers protocols and credentials in the upgrade', async (t) => {
  const { client, headers, remoteAddress } = await open(t, { localAddress: '127.0.0.7' });
  t.equal(client.protocol, 'ocpp1.6');
  t.equal(headers['sec-websocket-protocol'], 'ocpp2.0.1, ocpp1.6');
  const pair = Buffer.concat([Buffer.from('CP 1:'), Buffer.from([0xff, 0x00, 0x3a])]);
  t.equal(headers.authorization, `Basic ${pair.toString('base64')}`);
  t.equal(remoteAddress, '127.0.0.7');
});

void t.test('reports the HTTP status of a refused upgrade', async (t) => {
  const http = createServer();
  http.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 429 Too Many Requests\r\n\r\n'));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.teardown(() => http.close());
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`;
  const refused = connectWebSocket({ url, protocols: [] }, { onText: () => 0, onClose: () => 0 });
  await t.rejects(refused, new UpgradeRefused(429, 'Too Many Requests'));
});

void t.test('refuses an upgrade answer with a wrong key', async (t) => {
  await t.rejects(open(t, { accept: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }), { name: 'HandshakeFailed' });
  await t.rejects(open(t, { protocol: 'mqtt' }), { name: 'HandshakeFailed' });
});

void t.test('abandons a silent server at the deadline', async (t) => {
  const http = createServer();
  // Half open unless it is closed, and so indefinitely where the client gave up before this arrived.
  http.on('upgrade', (_request, socket) => socket.resume().on('end', () => socket.end()));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.teardown(() => http.close());
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`;
  const silent = connectWebSocket(
    { url, protocols: [], handshakeTimeoutMs: 30 },
    { onText: () => 0, onClose: () => 0 },
  );
  await t.rejects(silent, { name: 'HandshakeFailed' });
});

void t.test('delivers a message in the same packet as the upgrade', async (t) => {
  const { nextText } = await open(t, { early: serverFrame(0x81, 'early') });
  t.equal(await nextText(), 'early');
});

void t.test('delivers messages of every length class, however they are fragmented', async (t) => {
  const { server, nextText } = await open(t);
  for (const length of [0, 125, 126, 65535, 65536, 3_000_000]) {
    const text = 'é'.repeat(length / 2) + 'x'.repeat(length % 2);
    server.write(serverFrame(0x81, text));
    t.equal(await nextText(), text);
  }
  for (const byte of serverFrame(0x81, 'one byte at a time')) server.write(Buffer.of(byte));
  t.equal(await nextText(), 'one byte at a time');
  server.write(Buffer.concat(['a', 'b', 'c'].map((text) => serverFrame(0x81, text))));
  t.same([await nextText(), await nextText(), await nextText()], ['a', 'b', 'c']);
});

void t.test('joins fragments and answers a ping between them', async (t) => {
  const { server, nextText } = await open(t);
  server.write(serverFrame(0x01, 'frag'));
  server.write(serverFrame(0x00, 'men'));
  server.write(serverFrame(0x89, 'are you there'));
  const pong = await clientFrame(server);
  t.same(pong, { first: 0x8a, masked: true, payload: Buffer.from('are you there') });
  server.write(serverFrame(0x80, 'ted'));
  t.equal(await nextText(), 'fragmented');
});

void t.test('sends masked text', async (t) => {
  const { server, client } = await open(t);
  client.sendText('[2,"1","Heartbeat",{}]');
  t.same(await clientFrame(server), {
    first: 0x81,
    masked: true,
    payload: Buffer.from('[2,"1","Heartbeat",{}]'),
  });
});

void t.test('closes with a code from both sides', async (t) => {
  const first = await open(t);
  first.server.once('data', () => first.server.end(serverFrame(0x88, Buffer.from([0x03, 0xe8]))));
  await first.client.close(1000);
  t.same(await first.closed, [1000, '']);
  t.notOk(first.client.open);

  const second = await open(t);
  second.server.write(serverFrame(0x88, Buffer.concat([Buffer.from([0x03, 0xf4]), Buffer.from('restart')])));
  t.same((await clientFrame(second.server)).payload, Buffer.from([0x03, 0xf4]));
  t.same(await second.closed, [1012, 'restart']);
});

void t.test('reports code 1006 for a broken connection', async (t) => {
  const { server, closed } = await open(t);
  server.destroy();
  t.same(await closed, [1006, '']);
});

void t.test('closes with the code of each protocol error', async (t) => {
  const broken: [Buffer, number][] = [
    [serverFrame(0x80, 'a continuation of nothing'), 1002],
    [serverFrame(0xc1, 'a reserved bit'), 1002],
    [serverFrame(0x09, 'a ping in pieces'), 1002],
    [serverFrame(0x82, 'binary'), 1003],
    [serverFrame(0x81, Buffer.from([0xc3, 0x28])), 1007],
    [serverFrame(0x81, 'x'.repeat(2000)), 1009],
  ];
  for (const [frame, code] of broken) {
    const { server, closed } = await open(t, { maxMessageBytes: 1000 });
    server.write(frame);
    const { first, payload } = await clientFrame(server);
    t.equal(first, 0x88);
    t.equal(payload.readUInt16BE(0), code);
    await closed;
  }
});

void t.test('rejects with the socket error when nothing listens', async (t) => {
  const refused = connectWebSocket(
    { url: 'ws://127.0.0.1:1', protocols: [] },
    { onText: () => 0, onClose: () => 0 },
  );
  await t.rejects(refused, { code: 'ECONNREFUSED' });
});
