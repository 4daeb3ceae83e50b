import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import t from 'tap';
import { seedCharger } from '#shared/testing/seed.ts';
import { connectRaw } from './support/raw-charger.ts';
import { startRig } from './support/rig.ts';

void t.test('looks up chargers that connect together in one query', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const chargers = await Promise.all(
    Array.from({ length: 120 }, () => seedCharger(sql, rig.network.id, { connectors: 1 })),
  );
  const statusOf = async (path: string): Promise<number | undefined> => {
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Protocol': 'ocpp1.6',
    };
    const url = `${rig.ocppUrl.replace('ws:', 'http:')}/${path}`;
    const [answer] = (await once(request(url, { headers, agent: false }).end(), 'response')) as [
      IncomingMessage,
    ];
    answer.resume();
    return answer.statusCode;
  };
  const [sockets, unknown, unspeakable] = await Promise.all([
    Promise.all(chargers.map((charger) => connectRaw(rig, charger, 'ocpp1.6'))),
    statusOf('nobody'),
    statusOf('CP%00'),
  ]);
  t.equal(unknown, 404);
  t.equal(unspeakable, 404, 'an identity that PostgreSQL cannot look up');

  // Each knows its own running session after it comes back, and no other.
  const starts = await Promise.all(
    sockets.map((socket, index) =>
      socket.call('start', 'StartTransaction', {
        connectorId: 1,
        idTag: 'ANY',
        meterStart: index * 1000,
        timestamp: new Date().toISOString(),
      }),
    ),
  );
  const again = await Promise.all(chargers.map((charger) => connectRaw(rig, charger, 'ocpp1.6')));
  const answers = await Promise.all(
    again.map(async (socket, index) => {
      const [, , { transactionId }] = starts[index] as [number, string, { transactionId: number }];
      const meterValue = [
        { timestamp: new Date().toISOString(), sampledValue: [{ value: String(index * 1000 + 500) }] },
      ];
      const meter = await socket.call('meter', 'MeterValues', { connectorId: 1, transactionId, meterValue });
      const stop = { transactionId, meterStop: index * 1000 + 700, timestamp: new Date().toISOString() };
      return [meter[0], (await socket.call('stop', 'StopTransaction', stop))[0]];
    }),
  );
  t.same(new Set(answers.flat()), new Set([3]));
  const sessions = await sql<{ energyWh: number; status: string }[]>`
    select energy_wh as "energyWh", status from sessions`;
  t.equal(sessions.length, 120);
  t.same(
    new Set(sessions.map(({ energyWh, status }) => `${status} ${energyWh}`)),
    new Set(['COMPLETED 700']),
  );
});

void t.test('admits chargers whose identities need percent-encoding', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  for (const uid of ['RDAM 123', '/Quay/2/', '50% #1?', 'Étoile\\7', '充电桩-3']) {
    const charger = await seedCharger(sql, rig.network.id, { connectors: 1, uid });
    const admits = async (path: string, username = uid) => {
      const socket = await connectRaw(rig, { ...charger, uid: path }, 'ocpp1.6', { username });
      t.equal((await socket.call('1', 'Heartbeat', {}))[0], 3, `${path} as ${username}`);
      const sent = rig.command(uid, { type: 'ocpp', action: 'ClearCache', payload: {} });
      const [, id] = await socket.next();
      socket.send(JSON.stringify([3, id, { status: 'Accepted' }]));
      t.match(await sent, { ok: true }, `a command reaches ${path}`);
      await socket.terminate();
    };
    await admits(encodeURIComponent(uid));
    await admits(encodeURIComponent(uid.toUpperCase()), uid.toLowerCase());
    const another = connectRaw(rig, { ...charger, uid: encodeURIComponent(uid) }, 'ocpp1.6', {
      username: `${uid}?`,
    });
    await t.rejects(another, /401/, 'another user name');
  }
});

void t.test('admits a charger whose URL has a query or repeated slashes', async (t) => {
  const rig = await startRig(t);
  const charger = await seedCharger(rig.stores.sql, rig.network.id, { connectors: 1, uid: 'RDAM/123' });
  for (const [base, path] of [
    ['/ocpp', 'RDAM%2F123?token=1'],
    ['/ocpp', 'RDAM/123'],
    ['/ocpp/', 'RDAM%2F123'],
    ['//ocpp', 'RDAM%2F123//'],
  ] as const) {
    const ocppUrl = rig.ocppUrl.replace(/\/ocpp$/, base);
    const socket = await connectRaw({ ocppUrl }, { ...charger, uid: path }, 'ocpp1.6', {
      username: 'RDAM/123',
    });
    t.equal((await socket.call('1', 'Heartbeat', {}))[0], 3, `${base}/${path}`);
    await socket.terminate();
  }
});

void t.test(
  'admits a charger whose identity was typed in another case or with a slash at the end',
  async (t) => {
    const rig = await startRig(t);
    const charger = await seedCharger(rig.stores.sql, rig.network.id, { connectors: 1, uid: 'Quay-1' });
    for (const uid of ['Quay-1', 'QUAY-1', 'quay-1', 'Quay-1/']) {
      const socket = await connectRaw(rig, { ...charger, uid }, 'ocpp1.6', { username: 'quay-1' });
      t.equal((await socket.call('1', 'Heartbeat', {}))[0], 3, uid);
      await socket.terminate();
    }
  },
);

void t.test('refuses an identity in another case that could mean two chargers', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const upper = await seedCharger(sql, rig.network.id, { connectors: 1, uid: 'QUAY-1' });
  await seedCharger(sql, rig.network.id, { connectors: 1, uid: 'quay-1' });
  const socket = await connectRaw(rig, upper, 'ocpp1.6');
  t.equal((await socket.call('1', 'Heartbeat', {}))[0], 3);
  await t.rejects(connectRaw(rig, { ...upper, uid: 'Quay-1' }, 'ocpp1.6'), /404/);
});
