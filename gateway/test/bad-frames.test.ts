import t from 'tap';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { findCharger } from '#shared/postgres/fleet/charger-records.ts';
import { listConnectors } from '#shared/testing/connectors.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { connectRaw, type RawCharger } from './support/raw-charger.ts';
import { startRig, type Version } from './support/rig.ts';

const time = '2026-05-04T03:02:01Z';
const boot = { chargePointVendor: 'V', chargePointModel: 'M' };
const status16 = { connectorId: 1, errorCode: 'NoError', status: 'Available' };
const status201 = { timestamp: time, connectorStatus: 'Available', evseId: 1, connectorId: 1 };

/** Deeper than the stack is. */
const nested = '['.repeat(20_000) + ']'.repeat(20_000);

/** Broken texts of a charger, and the id and code that answer each. */
const broken: Record<Version, [text: string, id: string, code: string][]> = {
  'ocpp1.6': [
    ['[2,"a","StopTransaction",{"transactionId":,"meterStop":1}]', 'a', 'FormationViolation'],
    ['no json at all', '-1', 'FormationViolation'],
    ['', '-1', 'FormationViolation'],
    ['{}', '-1', 'FormationViolation'],
    ['null', '-1', 'FormationViolation'],
    ['[]', '-1', 'FormationViolation'],
    ['[2,17,"Heartbeat",{}]', '-1', 'FormationViolation'],
    ['[2,"b",7,{}]', 'b', 'FormationViolation'],
    ['[9,"c","Heartbeat",{}]', 'c', 'FormationViolation'],
    ['[2,"d","Dance",{}]', 'd', 'NotImplemented'],
    ['[2,"e","constructor",{}]', 'e', 'NotImplemented'],
    ['[2,"f","RemoteStartTransaction",{"idTag":"A"}]', 'f', 'NotSupported'],
    ['[2,"g","BootNotification",[]]', 'g', 'FormationViolation'],
    ['[2,"h","BootNotification"]', 'h', 'FormationViolation'],
    [`[2,"n","Heartbeat",{"a":${nested}}]`, 'n', 'FormationViolation'],
    [`[2,"n","Heartbeat",{"]]\\"]":"}}","a":${nested}}]`, 'n', 'FormationViolation'],
    ['[2,"i","BootNotification",{}]', 'i', 'OccurenceConstraintViolation'],
    [call('j', 'BootNotification', { ...boot, chargePointVendor: 5 }), 'j', 'TypeConstraintViolation'],
    [call('k', 'StatusNotification', { ...status16, status: 'Asleep' }), 'k', 'PropertyConstraintViolation'],
    [call('l', 'Authorize', { idTag: 'x'.repeat(21) }), 'l', 'PropertyConstraintViolation'],
  ],
  'ocpp2.0.1': [
    ['[2,"a","TransactionEvent",{"seqNo":,}]', 'a', 'RpcFrameworkError'],
    ['no json at all', '-1', 'RpcFrameworkError'],
    ['{}', '-1', 'RpcFrameworkError'],
    ['[9,"c","Heartbeat",{}]', 'c', 'MessageTypeNotSupported'],
    ['[2,"d","StartTransaction",{}]', 'd', 'NotImplemented'],
    ['[2,"f","RequestStartTransaction",{}]', 'f', 'NotSupported'],
    ['[2,"g","BootNotification",7]', 'g', 'FormatViolation'],
    [`[2,"n","Heartbeat",{"a":${nested}}]`, 'n', 'FormatViolation'],
    ['[2,"i","BootNotification",{"reason":"PowerUp"}]', 'i', 'OccurrenceConstraintViolation'],
    [call('j', 'StatusNotification', { ...status201, evseId: {} }), 'j', 'TypeConstraintViolation'],
    [
      call('k', 'StatusNotification', { ...status201, connectorStatus: 'Asleep' }),
      'k',
      'PropertyConstraintViolation',
    ],
    [
      call('l', 'Authorize', { idToken: { idToken: 'x'.repeat(37), type: 'Central' } }),
      'l',
      'PropertyConstraintViolation',
    ],
    // A field of 2.1 is an unknown field here, which is left out; a value of 2.1 is no value.
    [
      call('m', 'Authorize', { idToken: { idToken: 'A', type: 'DirectPayment' } }),
      'm',
      'PropertyConstraintViolation',
    ],
    [call('o', 'BatterySwap', {}), 'o', 'NotImplemented'],
  ],
  'ocpp2.1': [
    ['[2,"a","TransactionEvent",{"seqNo":,}]', 'a', 'RpcFrameworkError'],
    ['no json at all', '-1', 'RpcFrameworkError'],
    ['{}', '-1', 'RpcFrameworkError'],
    ['[2,"d","StartTransaction",{}]', 'd', 'NotImplemented'],
    ['[2,"f","SetDefaultTariff",{}]', 'f', 'NotSupported'],
    // Only to be sent as a SEND.
    ['[2,"s","NotifyPeriodicEventStream",{}]', 's', 'NotSupported'],
    ['[2,"g","BootNotification",7]', 'g', 'FormatViolation'],
    [`[2,"n","Heartbeat",{"a":${nested}}]`, 'n', 'FormatViolation'],
    ['[2,"i","BootNotification",{"reason":"PowerUp"}]', 'i', 'OccurrenceConstraintViolation'],
    [call('j', 'StatusNotification', { ...status201, evseId: {} }), 'j', 'TypeConstraintViolation'],
    [
      call('l', 'Authorize', { idToken: { idToken: 'x'.repeat(256), type: 'Central' } }),
      'l',
      'PropertyConstraintViolation',
    ],
    // Payloads of 1.6.
    [call('p', 'BootNotification', boot), 'p', 'OccurrenceConstraintViolation'],
    [call('q', 'StatusNotification', status16), 'q', 'OccurrenceConstraintViolation'],
    [call('r', 'Authorize', { idTag: 'A' }), 'r', 'OccurrenceConstraintViolation'],
    [call('t', 'RemoteStartTransaction', { idTag: 'A' }), 't', 'NotImplemented'],
  ],
};

/** Texts of a 2.1 charger that are never answered (part 4 §4.1.3, §4.2.3, §4.2.4). */
const unanswered = [
  '[9,"c","Heartbeat",{}]',
  '[9,17,"Heartbeat",{}]',
  '[9,"g","Heartbeat",{"a":,}]',
  '[5,"never-asked","InternalError","",{}]',
  '[5,17]',
  '[5,"x"',
  '[6,"a","NotifyPeriodicEventStream",{}]',
  '[6,"b","Heartbeat",{}]',
  '[6,"c","Dance",{}]',
  '[6,"d",7,{}]',
  '[6,17,"NotifyPeriodicEventStream",{}]',
  '[6,"e","NotifyPeriodicEventStream",{"id":,}]',
  `[6,"f","NotifyPeriodicEventStream",{"a":${nested}}]`,
];

function call(id: string, action: string, payload: unknown): string {
  return JSON.stringify([2, id, action, payload]);
}

void t.test('invalid frames of chargers', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const register = () => seedCharger(sql, rig.network.id, { connectors: 1 });
  /** Sends calls of a charger whose first call waits; returns the code with which its connection is closed. */
  const closedBy = async (flood: (charger: RawCharger) => void): Promise<number> => {
    const charger = await connectRaw(rig, await register(), 'ocpp1.6');
    return rig.stores.sql.begin(async (transaction) => {
      // The first call of a connection reads its running sessions.
      await transaction`lock table sessions in access exclusive mode`;
      flood(charger);
      return (await charger.closed).code;
    });
  };

  for (const version of ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'] as const) {
    await t.test(`${version}: answers each fault with its code and keeps the connection open`, async (t) => {
      const charger = await connectRaw(rig, await register(), version);
      const neighbour = await connectRaw(rig, await register(), version);
      for (const [text, id, code] of broken[version]) {
        charger.send(text);
        const answer = await charger.next();
        t.same([answer[0], answer[1], answer[2]], [4, id, code], text);
        t.same([typeof answer[3], answer[4], answer.length], ['string', {}, 5]);
      }
      charger.send('[3,"never-asked",{}]');
      charger.send('[4,"-1","InternalError","",{}]');
      const now = { currentTime: String };
      t.match(
        await charger.call('alive', 'Heartbeat', {}),
        [3, 'alive', now],
        'answers to nothing are ignored',
      );
      t.match(await neighbour.call('neighbour', 'Heartbeat', {}), [3, 'neighbour', now]);
    });
  }

  await t.test(
    'ocpp2.1: never answers a SEND, a CALLRESULTERROR or a message of an unknown type',
    async (t) => {
      const charger = await connectRaw(rig, await register(), 'ocpp2.1');
      for (const text of unanswered) {
        charger.send(text);
        t.match(await charger.call('alive', 'Heartbeat', {}), [3, 'alive', { currentTime: String }], text);
      }
    },
  );

  await t.test('answers messages of 2.1 over earlier versions as any unknown type', async (t) => {
    for (const [version, code] of [
      ['ocpp1.6', 'FormationViolation'],
      ['ocpp2.0.1', 'MessageTypeNotSupported'],
    ] as const) {
      const charger = await connectRaw(rig, await register(), version);
      for (const type of [5, 6]) {
        charger.send(`[${type},"s","NotifyPeriodicEventStream",{}]`);
        t.match((await charger.next()).slice(0, 3), [4, 's', code], `${version} ${type}`);
      }
    }
  });

  await t.test('closes a 2.1 connection that floods messages without an answer', async (t) => {
    for (const text of ['[5,"x","InternalError","",{}]', '[9,"x","y",{}]']) {
      const charger = await connectRaw(rig, await register(), 'ocpp2.1');
      for (let n = 0; n < 2000; n += 1) charger.send(text);
      t.equal((await charger.closed).code, 1008, text);
    }
  });

  await t.test('serves other calls after text that PostgreSQL cannot store', async (t) => {
    const chargers = await Promise.all(Array.from({ length: 4 }, register));
    const sockets = await Promise.all(chargers.map((charger) => connectRaw(rig, charger, 'ocpp1.6')));
    const nasty = ['V\\u0000V', 'V\\ud800V', 'V\\udc00V', '\\\\ud800\\udc00'];
    for (const [index, socket] of sockets.entries()) {
      socket.send(
        `[2,"b","BootNotification",{"chargePointVendor":"${nasty[index]}","chargePointModel":"\\ud83d\\ude00"}]`,
      );
      socket.send(
        `[2,"s","StatusNotification",${JSON.stringify({ ...status16, info: '?' }).replace('?', nasty[index] ?? '')}]`,
      );
    }
    for (const [index, socket] of sockets.entries()) {
      t.match(await socket.next(), [3, 'b', { status: 'Accepted' }]);
      t.match(await socket.next(), [3, 's', {}]);
      const id = chargers[index]?.id ?? 0;
      const [row] = await sql`select vendor, vendor_model from chargers where id = ${id}`;
      // The last is a backslash, letters, and half a pair.
      const kept = index === 3 ? '\\ud800\ufffd' : 'V\ufffdV';
      t.match(row, { vendor: kept, vendor_model: '😀' });
      t.equal((await listConnectors(sql, [id]))[0]?.statusInfo, kept);
    }
  });

  await t.test('refuses the status of an impossible connector to its sender only', async (t) => {
    const chargers = await Promise.all(Array.from({ length: 6 }, register));
    const sockets = await Promise.all(chargers.map((charger) => connectRaw(rig, charger, 'ocpp1.6')));
    const answers = await Promise.all(
      sockets.map((socket, index) =>
        socket.call('s', 'StatusNotification', { ...status16, connectorId: index === 2 ? 40_000 : 1 }),
      ),
    );
    t.same(
      answers.map(([type]) => type),
      [3, 3, 4, 3, 3, 3],
    );
    t.equal(answers[2]?.[2], 'PropertyConstraintViolation');
    for (const [index, charger] of chargers.entries()) {
      const record = await findCharger(sql, allNetworks, charger.uuid);
      t.equal(record?.status, index === 2 ? 'UNKNOWN' : 'Available');
    }
  });

  await t.test('answers a hundred concurrent calls in order', async (t) => {
    const socket = await connectRaw(rig, await register(), 'ocpp1.6');
    const ids = Array.from({ length: 100 }, (_, index) => `p${index}`);
    for (const id of ids) socket.send(call(id, 'Authorize', { idTag: 'NOBODY' }));
    const answers: unknown[] = [];
    for (const _ of ids) answers.push((await socket.next())[1]);
    t.same(answers, ids);
  });

  await t.test('closes a connection that sends calls without waiting for answers', async (t) => {
    const many = await closedBy((charger) => {
      for (let n = 0; n < 2000; n += 1) charger.send(call(`p${n}`, 'Authorize', { idTag: 'NOBODY' }));
    });
    t.equal(many, 1008);
    const data = 'x'.repeat(900_000);
    const large = await closedBy((charger) => {
      for (let n = 0; n < 5; n += 1) charger.send(call(`d${n}`, 'DataTransfer', { vendorId: 'v', data }));
    });
    t.equal(large, 1008, 'few large ones are too much as well');
  });
});
