import { deflateRawSync } from 'node:zlib';
import t from 'tap';
import { deflated } from '#shared/simulator/deflate.ts';
import { compressedBit, encodeFrame, opcode } from '#shared/simulator/frames.ts';
import { connectWebSocket } from '#shared/simulator/websocket.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { connectRaw } from './support/raw-charger.ts';
import { startRig } from './support/rig.ts';

const megabyte = 1024 * 1024;
/** Returns a call with data of this length. */
const transfer = (length: number) => `[2,"1","DataTransfer",{"vendorId":"v","data":"${'x'.repeat(length)}"}]`;
const heartbeat = ['Heartbeat', {}] as const;

void t.test('compression', async (t) => {
  const rig = await startRig(t);
  const register = () => seedCharger(rig.stores.sql, rig.network.id);
  /** Connects a station; `closed` resolves to the code of the close, `next` to the next text. */
  const connect = async (offersCompression: boolean) => {
    const { uid, password } = await register();
    const closing = Promise.withResolvers<number>();
    let arrived = Promise.withResolvers<string>();
    const socket = await connectWebSocket(
      { url: `${rig.ocppUrl}/${uid}`, protocols: ['ocpp1.6'], username: uid, password, offersCompression },
      {
        onText: (text) => arrived.resolve(text.toString()),
        onClose: (code) => closing.resolve(code),
      },
    );
    const call = async (text: string): Promise<string> => {
      arrived = Promise.withResolvers();
      socket.sendText(text);
      return arrived.promise;
    };
    return { socket, call, closed: closing.promise };
  };

  await t.test('compresses for a station that offers it, and for no other', async (t) => {
    const unknown = 'x'.repeat(2000);
    const read = async (offersCompression: boolean) => {
      const station = await connect(offersCompression);
      const before = station.socket.wireBytes;
      // The CALLERROR repeats the id.
      const id = 'y'.repeat(255);
      t.match(await station.call(`[2,"${id}","Heartbeat",{"data":"${unknown}"}]`), /^\[3,"y{255}",/);
      const { received, sent } = station.socket.wireBytes;
      return { ...station, bytes: { received: received - before.received, sent: sent - before.sent } };
    };
    const compressed = await read(true);
    const plain = await read(false);
    t.equal(compressed.socket.isCompressed, true);
    t.equal(plain.socket.isCompressed, false);
    t.ok(compressed.bytes.sent < 100, 'requests');
    t.ok(compressed.bytes.received < 100, 'answers');
    t.ok(plain.bytes.sent > 2000);
    t.ok(plain.bytes.received > 255);
  });

  await t.test('serves sockets in the same way after a deferred upgrade', async (t) => {
    const stations = await Promise.all(Array.from({ length: 20 }, (_, index) => connect(index % 2 === 0)));
    const answers = await Promise.all(stations.map(({ call }) => call('[2,"1","Heartbeat",{}]')));
    for (const answer of answers) t.match(answer, /^\[3,"1",\{"currentTime":/);
    t.same(
      stations.map(({ socket }) => socket.isCompressed),
      stations.map((_, index) => index % 2 === 0),
    );
  });

  await t.test('applies the limit of a message to its decompressed size', async (t) => {
    const neighbours = await Promise.all(
      [true, false].map(async (offersCompression) =>
        connectRaw(rig, await register(), 'ocpp1.6', { offersCompression }),
      ),
    );
    const within = await connect(true);
    t.match(await within.call(transfer(900_000)), /UnknownVendorId/);
    const bomb = await connect(true);
    const frame = encodeFrame(opcode.text | compressedBit, deflated(transfer(1.5 * megabyte)));
    t.ok(frame.length < 5000, `${frame.length} bytes`);
    bomb.socket.sendFrame(frame);
    t.equal(await bomb.closed, 1009);
    // Beyond twice the limit it is not inflated any further.
    const larger = await connect(true);
    larger.socket.sendFrame(
      encodeFrame(opcode.text | compressedBit, deflated(Buffer.alloc(300 * megabyte, 'x'))),
    );
    t.equal(await larger.closed, 1006);
    for (const neighbour of neighbours) {
      t.match(await neighbour.call('n', ...heartbeat), [3, 'n', { currentTime: String }]);
    }
  });

  await t.test('closes only the sender of data that cannot be decompressed', async (t) => {
    const neighbour = await connectRaw(rig, await register(), 'ocpp1.6', { offersCompression: true });
    const broken = await connect(true);
    broken.socket.sendFrame(encodeFrame(opcode.text | compressedBit, Buffer.from('not deflated at all')));
    t.not(await broken.closed, 1000);
    const unasked = await connect(false);
    unasked.socket.sendFrame(
      encodeFrame(opcode.text | compressedBit, deflateRawSync('[2,"1","Heartbeat",{}]')),
    );
    t.not(await unasked.closed, 1000, 'compression was not agreed');
    t.match(await neighbour.call('n', ...heartbeat), [3, 'n', { currentTime: String }]);
  });
});
