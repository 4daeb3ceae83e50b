import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import t from 'tap';
import { encodeFrame, opcode } from '#shared/simulator/frames.ts';
import { connectWebSocket, type WebSocketOptions } from '#shared/simulator/websocket.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { connectRaw } from './support/raw-charger.ts';
import { type Rig, startRig } from './support/rig.ts';

const heartbeat = ['Heartbeat', {}] as const;

/** The HTTP answer to an upgrade request with these credentials. */
async function upgradeAnswer(rig: Rig, uid: string, credentials: string | null): Promise<IncomingMessage> {
  const headers: Record<string, string> = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Protocol': 'ocpp1.6',
  };
  if (credentials !== null) headers['Authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const asked = request(`${rig.ocppUrl.replace('ws:', 'http:')}/${uid}`, { headers, agent: false }).end();
  const answer = await Promise.race([
    once(asked, 'response').then(([response]) => response as IncomingMessage),
    once(asked, 'upgrade').then(([response, socket]) => {
      (socket as { destroy(): void }).destroy();
      return response as IncomingMessage;
    }),
  ]);
  answer.resume();
  return answer;
}

/** Connects, and tells how the socket closes. */
async function connect(options: Omit<WebSocketOptions, 'protocols'> & { protocols?: string[] }) {
  const closing = Promise.withResolvers<number>();
  const socket = await connectWebSocket(
    { protocols: ['ocpp1.6'], ...options },
    { onText: () => undefined, onClose: (code) => closing.resolve(code) },
  );
  return { socket, closed: closing.promise };
}

void t.test('sockets', async (t) => {
  const rig = await startRig(t, { SHARDS: '2' });
  const register = () => seedCharger(rig.stores.sql, rig.network.id);

  await t.test('keeps every socket of many that connect at once', async (t) => {
    const chargers = await Promise.all(Array.from({ length: 20 }, register));
    for (let round = 0; round < 3; round += 1) {
      const answered = await Promise.all(
        chargers.map(async (charger) => {
          const socket = await connectRaw(rig, charger, 'ocpp1.6');
          const answer = socket.call('first', ...heartbeat).then(([, id]) => id);
          return Promise.race([answer, socket.closed]);
        }),
      );
      t.same(new Set(answered), new Set(['first']));
    }
  });

  await t.test('admits chargers by identity and password', async (t) => {
    const { uid, password } = await register();
    const other = await register();
    const refused = async (uid: string, credentials: string | null, status: number): Promise<void> => {
      const answer = await upgradeAnswer(rig, uid, credentials);
      t.equal(answer.statusCode, status, credentials ?? 'nothing');
      if (status === 401) t.match(answer.headers['www-authenticate'], /^Basic realm=/);
    };
    await refused('nobody', `nobody:${password}`, 404);
    await refused(uid, `${uid}:wrong`, 401);
    await refused(uid, null, 401);
    await refused(uid, uid, 401);
    await refused(uid, `${other.uid}:${password}`, 401);
    await refused(uid, `${other.uid}:${other.password}`, 401);
    await refused(`${uid}/more`, `${uid}:${password}`, 404);
    t.equal((await upgradeAnswer(rig, uid, `${uid}:${password}`)).statusCode, 101);
    t.equal(
      (await upgradeAnswer(rig, uid, `${uid}:${password.toUpperCase()}`)).statusCode,
      101,
      'upper-case hex',
    );
    const escaped = [...Buffer.from(uid)].map((byte) => `%${byte.toString(16)}`).join('');
    t.equal((await upgradeAnswer(rig, escaped, `${uid}:${password}`)).statusCode, 101, 'percent-encoded uid');
    await refused('%E0%A4', `${uid}:${password}`, 404);
    const raw = await connect({
      url: `${rig.ocppUrl}/${uid}`,
      username: uid,
      password: Buffer.from(password, 'hex'),
    });
    t.equal(raw.socket.protocol, 'ocpp1.6', 'the raw bytes of the key');
    await raw.socket.close();
  });

  await t.test("chooses the first supported version of the charger's list", async (t) => {
    const { uid, password } = await register();
    const url = `${rig.ocppUrl}/${uid}`;
    for (const [protocols, chosen] of [
      [['ocpp2.0.1', 'ocpp1.6'], 'ocpp2.0.1'],
      [['ocpp1.6', 'ocpp2.0.1'], 'ocpp1.6'],
      [['ocpp2.1', 'ocpp1.5', 'ocpp1.6'], 'ocpp1.6'],
    ] as const) {
      const { socket } = await connect({ url, protocols: [...protocols], username: uid, password });
      t.equal(socket.protocol, chosen);
      await socket.close();
    }
    for (const protocols of [[], ['ocpp1.5', 'soap']]) {
      const { socket, closed } = await connect({ url, protocols, username: uid, password });
      t.equal(socket.protocol, '', 'the handshake is finished without a protocol');
      t.equal(await closed, 1002, 'and the socket closed');
    }
  });

  await t.test('closes only the sender of frames that are no OCPP-J', async (t) => {
    const neighbours = await Promise.all(
      Array.from({ length: 4 }, async () => connectRaw(rig, await register(), 'ocpp1.6')),
    );
    const { uid, password } = await register();
    const sender = { url: `${rig.ocppUrl}/${uid}`, username: uid, password };
    const binary = await connect(sender);
    binary.socket.sendFrame(encodeFrame(opcode.binary, Buffer.from('[2,"1","Heartbeat",{}]')));
    t.equal(await binary.closed, 1003);
    const big = await connect(sender);
    const padding = 'x'.repeat(1024 * 1024);
    big.socket.sendText(`[2,"1","DataTransfer",{"vendorId":"v","data":"${padding}"}]`);
    t.equal(await big.closed, 1009, 'over the limit');
    for (const [index, neighbour] of neighbours.entries()) {
      t.match(await neighbour.call(`n${index}`, ...heartbeat), [3, `n${index}`, { currentTime: String }]);
    }
    const large = await connectRaw(rig, await register(), 'ocpp1.6');
    const data = 'x'.repeat(900_000);
    t.match(
      await large.call('large', 'DataTransfer', { vendorId: 'v', data }),
      [3, 'large', { status: 'UnknownVendorId' }],
      'within the limit',
    );
  });

  await t.test('keeps the newest socket, on any shard', async (t) => {
    const charger = await register();
    const nodes = new Set<string>();
    let current = await connectRaw(rig, charger, 'ocpp1.6');
    const held = () => rig.bus.presence.lookup(charger.uid);
    let claim = await until('presence', held);
    // The system spreads sockets over both shards: until both were seen, a shard was kept and changed.
    for (let attempt = 0; attempt < 4 || (nodes.size < 2 && attempt < 40); attempt += 1) {
      nodes.add(claim.node);
      const before = claim.connectionId;
      const next = await connectRaw(rig, charger, 'ocpp1.6');
      t.equal((await current.closed).code, 1008, 'the old socket is closed');
      claim = await until('the claim of the new socket', async () => {
        const now = await held();
        return now !== null && now.connectionId !== before && now;
      });
      const command = rig.command(charger.uid, { type: 'reset', kind: 'Soft' });
      const [, id] = await next.next();
      next.send(JSON.stringify([3, id, { status: 'Accepted' }]));
      t.match(await command, { ok: true }, 'commands reach the new one');
      current = next;
    }
    t.equal(nodes.size, 2, 'both shards were seen');
    await current.terminate();
    await until('no presence', async () => (await held()) === null);
  });

  await t.test('fails a command at once when its socket is cut', async (t) => {
    const charger = await register();
    const socket = await connectRaw(rig, charger, 'ocpp1.6');
    await until('presence', () => rig.bus.presence.lookup(charger.uid));
    const command = rig.command(charger.uid, { type: 'reset', kind: 'Soft' }, 60_000);
    const queued = rig.command(charger.uid, { type: 'reset', kind: 'Hard' }, 60_000);
    await socket.next();
    await socket.terminate();
    t.match(await command, { ok: false, code: 'CHARGER_OFFLINE' });
    t.match(await queued, { ok: false, code: 'CHARGER_OFFLINE' });
  });
});
