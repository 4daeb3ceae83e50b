import { connect as connectTcp } from 'node:net';
import { createRandom, type Random } from '#shared/simulator/random.ts';
import { connectWebSocket } from '#shared/simulator/websocket.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import type { Rig } from '#gateway/test/support/rig.ts';
import { below, pick } from './mutate.ts';

/** Time in ms for the gateway to cut a socket that sends rubbish; then it is cut from this side. */
const patienceMs = 200;

function bytes(random: Random, most: number): Buffer {
  return Buffer.from(Array.from({ length: 1 + below(random, most) }, () => below(random, 256)));
}

/** Sends what is no WebSocket frame, or a frame that is wrong, over an open OCPP socket. */
export async function sendBrokenFrames(rig: Rig, seed: number): Promise<void> {
  const random = createRandom(seed);
  const charger = await seedCharger(rig.stores.sql, rig.network.id);
  const closed = Promise.withResolvers<void>();
  const socket = await connectWebSocket(
    {
      url: `${rig.ocppUrl}/${charger.uid}`,
      protocols: ['ocpp1.6'],
      username: charger.uid,
      password: charger.password,
    },
    { onText: () => undefined, onClose: () => closed.resolve() },
  );
  // Any first byte: reserved bits, unknown opcodes, control frames in parts, text without mask.
  for (let n = 0; n < 5; n += 1) {
    socket.sendFrame(Buffer.concat([Buffer.from([below(random, 256)]), bytes(random, 200)]));
  }
  // oxlint-disable-next-line time/no-sleep -- the gateway rightly waits for the rest of an incomplete frame
  await Promise.race([closed.promise, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
  await socket.terminate();
}

/** Sends what is no upgrade request, or one that is wrong. */
export async function sendBrokenRequest(rig: Rig, seed: number): Promise<void> {
  const random = createRandom(seed);
  const { port } = new URL(rig.ocppUrl);
  const path = pick(random, [
    '/',
    '/ocpp/',
    '/ocpp/%00',
    '/ocpp/%ff%fe',
    `/ocpp/${'a'.repeat(3000)}`,
    '/ocpp/a%2Fb',
  ]);
  const header = pick(random, [
    'Authorization: Basic !!!!',
    `Authorization: Basic ${bytes(random, 300).toString('base64')}`,
    `Sec-WebSocket-Protocol: ${','.repeat(2000)}`,
    `X-Long: ${'x'.repeat(20_000)}`,
    'Content-Length: -1',
  ]);
  const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n${header}\r\n\r\n`;
  await new Promise<void>((resolve) => {
    const socket = connectTcp(Number(port), '127.0.0.1', () => {
      socket.write(random() < 0.3 ? bytes(random, 500) : request);
    });
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on('data', () => undefined);
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
}
