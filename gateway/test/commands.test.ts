import t from 'tap';
import { seedCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { connectRaw } from './support/raw-charger.ts';
import { reportedLimit } from './support/reported-limit.ts';
import { startRig, type Version } from './support/rig.ts';

const reset = { type: 'reset', kind: 'Soft' } as const;

/** Answer to a Heartbeat. */
const now = { currentTime: String };

void t.test('commands to chargers', async (t) => {
  const rig = await startRig(t);
  const connect = async (version: Version = 'ocpp1.6') => {
    const charger = await seedCharger(rig.stores.sql, rig.network.id);
    const socket = await connectRaw(rig, charger, version);
    await until('presence', () => rig.bus.presence.lookup(charger.uid));
    return { charger, socket };
  };

  await t.test('close the socket of a charger that answers nothing', async (t) => {
    const { charger, socket } = await connect();
    const unanswered = rig.command(charger.uid, reset);
    await socket.next();
    t.match(await rig.command(charger.uid, { type: 'disconnect' }), {
      ok: true,
      action: 'Disconnect',
      result: { accepted: true },
    });
    t.match(await socket.closed, { code: 1012 });
    t.match(await unanswered, { ok: false, code: 'CHARGER_OFFLINE' });
  });

  for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
    await t.test(
      `${version}: serves a call of the charger while a command is in flight (field note 12)`,
      async (t) => {
        const { charger, socket } = await connect(version);
        const command = rig.command(charger.uid, reset);
        const [type, id, action] = await socket.next();
        t.same([type, action], [2, 'Reset']);
        t.match(
          await socket.call('crossing', 'Heartbeat', {}),
          [3, 'crossing', now],
          'the charger is served meanwhile',
        );
        socket.send(JSON.stringify([3, id, { status: 'Accepted' }]));
        t.match(await command, { ok: true, result: { accepted: true } });
      },
    );
  }

  for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
    await t.test(`${version}: a malformed response fails its call at once, unanswered (F8)`, async (t) => {
      const { charger, socket } = await connect(version);
      const nested = '['.repeat(100) + ']'.repeat(100);
      for (const [text, ok] of [
        ['[3,"ID",{"status":', false],
        ['[3,"ID",{"status":"Accepted"', false],
        [`[3,"ID",{"status":${nested}}]`, false],
        ['[3,"ID",{"status":"Accepted"}]\0', true],
        ['\uFEFF[3,"ID",{"status":"Accepted"}]', true],
        ['\0["3","ID",{"status":"Accepted"}]', true],
        ['[3,"ID",{"status":"accepted","extra":null}]', true],
      ] as const) {
        const command = rig.command(charger.uid, reset);
        const [, id] = await socket.next();
        socket.send(text.replace('ID', String(id)));
        t.match(await command, { ok }, text.slice(0, 30));
      }
      for (const text of [
        '[3]',
        '[3',
        '["3",7,{}]',
        '\0[3,{}]',
        '[3,7,{}]',
        '[4,null,"InternalError","",{}]',
        '[4,',
      ])
        socket.send(text);
      t.match(
        await socket.call('after', 'Heartbeat', {}),
        [3, 'after', now],
        'the next text is the next reply',
      );
    });
  }

  await t.test('2.0.1: reads the required variables in parts that the charger accepts', async (t) => {
    const { charger, socket } = await connect('ocpp2.0.1');
    await socket.call('report', 'NotifyReport', reportedLimit(20));
    const reply = rig.command(charger.uid, { type: 'get-configuration', keys: [] });
    const asked: { component: { name: string }; variable: { name: string; instance?: string } }[] = [];
    for (const most of [20, 17]) {
      const [, id, action, payload] = await socket.next();
      const { getVariableData } = payload as { getVariableData: typeof asked };
      t.same([action, getVariableData.length], ['GetVariables', most]);
      asked.push(...getVariableData);
      const getVariableResult = getVariableData.map((variable, index) => ({
        ...variable,
        attributeStatus: 'Accepted',
        attributeValue: String(index),
      }));
      socket.send(JSON.stringify([3, id, { getVariableResult }]));
    }
    t.equal(new Set(asked.map((variable) => JSON.stringify(variable))).size, 37, 'each once');
    const timeout = {
      component: { name: 'OCPPCommCtrlr' },
      variable: { name: 'MessageTimeout', instance: 'Default' },
    };
    t.ok(asked.some((variable) => JSON.stringify(variable) === JSON.stringify(timeout)));
    const answer = await reply;
    const settings = answer.ok ? (answer.result.settings ?? []) : [];
    t.equal(settings.length, 37);
    t.match(
      settings.find(({ key }) => key === 'DeviceDataCtrlr.ItemsPerMessage[GetVariables]'),
      { status: 'Accepted' },
      'a key names the instance of its variable',
    );
  });

  await t.test('sends commands one at a time, in order', async (t) => {
    const { charger, socket } = await connect();
    const first = rig.command(charger.uid, reset);
    const [, firstId] = await socket.next();
    const second = rig.command(charger.uid, { type: 'reset', kind: 'Hard' });
    t.match(
      await socket.call('between', 'Heartbeat', {}),
      [3, 'between', now],
      'the second waits for its turn',
    );
    socket.send(JSON.stringify([3, firstId, { status: 'Accepted' }]));
    const [, secondId, , payload] = await socket.next();
    t.same(payload, { type: 'Hard' });
    socket.send(JSON.stringify([3, secondId, { status: 'Rejected' }]));
    t.match(await first, { ok: true, result: { accepted: true } });
    t.match(await second, { ok: true, result: { accepted: false } });
  });

  await t.test('times out a silent charger and drops its late answer', async (t) => {
    const { charger, socket } = await connect();
    const silent = rig.command(charger.uid, reset, 100);
    const [, lateId] = await socket.next();
    t.match(await silent, { ok: false, code: 'CHARGER_TIMEOUT', message: /within \d+(\.\d)? s\.$/ });
    const next = rig.command(charger.uid, reset);
    const [, id] = await socket.next();
    socket.send(JSON.stringify([3, lateId, { status: 'Rejected' }]));
    socket.send(JSON.stringify([3, id, { status: 'Accepted' }]));
    t.match(await next, { ok: true, result: { status: 'Accepted' } });
  });

  await t.test('separates a rejected command from an unsupported one', async (t) => {
    for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
      const { charger, socket } = await connect(version);
      for (const [answer, code] of [
        [[4, 'NotImplemented', '', {}], 'COMMAND_NOT_SUPPORTED'],
        [[4, 'NotSupported', 'no', {}], 'COMMAND_NOT_SUPPORTED'],
        [[4, 'InternalError', 'broken', {}], 'CHARGER_REFUSED'],
        [[4], 'CHARGER_REFUSED'],
        [[3, { status: 'Perhaps' }], 'CHARGER_REFUSED'],
        [[3, null], 'CHARGER_REFUSED'],
        [[3], 'CHARGER_REFUSED'],
      ] as const) {
        const command = rig.command(charger.uid, reset);
        const [, id] = await socket.next();
        const [type, ...rest] = answer;
        socket.send(JSON.stringify([type, id, ...rest]));
        t.match(await command, { ok: false, code }, JSON.stringify(answer));
      }
    }
  });

  await t.test('refuses a command that the OCPP version lacks', async (t) => {
    const { charger, socket } = await connect();
    for (const command of [
      { type: 'remote-stop', transactionId: 'a 2.0.1 transaction' },
      { type: 'remote-start', idToken: 'x'.repeat(21), position: null, remoteStartId: 1 },
      { type: 'trigger-message', requestedMessage: 'TransactionEvent', position: null },
    ] as const) {
      t.match(await rig.command(charger.uid, command), { ok: false, code: 'COMMAND_NOT_SUPPORTED' });
    }
    t.match(await socket.call('next', 'Heartbeat', {}), [3, 'next', now], 'the charger saw nothing of it');
  });
});
