import t from 'tap';
import { actionsOf, directionOf } from '#shared/ocpp/actions.ts';
import { readSchemas } from '#shared/ocpp/generator/schema.ts';
import { type Payload, Sampler } from '#shared/ocpp/test/support/sample.ts';
import { answerCalls } from './support/answering.ts';
import { startRig } from './support/rig.ts';

const versions = { '1.6': 'ocpp1.6', '2.0.1': 'ocpp2.0.1' } as const;

void t.test('commands by action name', async (t) => {
  const rig = await startRig(t);

  for (const version of ['1.6', '2.0.1'] as const) {
    const sendable = actionsOf(version).filter((action) => directionOf(version, action) !== 'charger');

    await t.test(
      `OCPP ${version}: sends each of the ${sendable.length} actions that a charger accepts`,
      async (t) => {
        t.equal(sendable.length, version === '1.6' ? 26 : 40);
        const sampler = new Sampler(readSchemas(version));
        const { charger, client } = await rig.connect(versions[version]);
        const heard: [string, Payload][] = [];
        answerCalls(client, (method, params) => {
          heard.push([method, params as Payload]);
          return sampler.minimal(`${method}Response`);
        });
        for (const action of sendable) {
          const payload = sampler.minimal(`${action}Request`);
          const reply = await rig.command(charger.uid, { type: 'ocpp', action, payload });
          t.match(
            reply,
            {
              ok: true,
              ocppVersion: version,
              action,
              result: { payload: sampler.minimal(`${action}Response`) },
            },
            action,
          );
          t.same(heard.at(-1), [action, payload]);
        }
        t.equal(heard.length, sendable.length);
      },
    );

    await t.test(`OCPP ${version}: refuses an unknown action and lists the known ones`, async (t) => {
      const { charger, client } = await rig.connect(versions[version]);
      answerCalls(client, () => t.fail('nothing is sent'));
      for (const action of ['Heartbeat', 'Nonsense', 'toString']) {
        const reply = await rig.command(charger.uid, { type: 'ocpp', action, payload: {} });
        t.match(reply, {
          ok: false,
          code: 'ACTION_UNKNOWN',
          message: new RegExp(action),
          details: { ocppVersion: version },
        });
        t.same(reply.ok ? null : reply.details?.['actions'], sendable);
      }
    });

    await t.test(`OCPP ${version}: sends no payload that breaks the schema`, async (t) => {
      const { charger, client } = await rig.connect(versions[version]);
      answerCalls(client, () => t.fail('nothing is sent'));
      for (const [action, payload, field] of [
        ['Reset', {}, 'type'],
        ['Reset', { type: 'Medium' }, 'type'],
        ['Reset', { type: version === '1.6' ? 'Soft' : 'OnIdle', extra: 1 }, 'extra'],
        ['DataTransfer', { vendorId: 7 }, 'vendorId'],
        ['Reset', 'text', ''],
      ] as const) {
        t.match(
          await rig.command(charger.uid, { type: 'ocpp', action, payload }),
          { ok: false, code: 'VALIDATION_FAILED', details: { errors: [{ field, message: String }] } },
          JSON.stringify(payload),
        );
      }
    });
  }

  await t.test('derives acceptance from the answer of each action', async (t) => {
    const sixteen = await rig.connect('ocpp1.6');
    const two = await rig.connect('ocpp2.0.1');
    const component = { name: 'Charger' };
    const variable = { name: 'Power' };
    const set = (...statuses: string[]) => ({
      setVariableResult: statuses.map((attributeStatus) => ({ component, variable, attributeStatus })),
    });
    const setting = { setVariableData: [{ component, variable, attributeValue: '1' }] };
    for (const [connected, action, payload, answer, accepted, status] of [
      [sixteen, 'GetLocalListVersion', {}, { listVersion: 3 }, true, null],
      [sixteen, 'UnlockConnector', { connectorId: 1 }, { status: 'Unlocked' }, true, 'Unlocked'],
      [sixteen, 'UnlockConnector', { connectorId: 1 }, { status: 'UnlockFailed' }, false, 'UnlockFailed'],
      [
        sixteen,
        'ChangeConfiguration',
        { key: 'a', value: 'b' },
        { status: 'RebootRequired' },
        true,
        'RebootRequired',
      ],
      [two, 'SetVariables', setting, set('Accepted', 'RebootRequired'), true, null],
      [two, 'SetVariables', setting, set('Accepted', 'Rejected'), false, null],
      [two, 'ClearCache', {}, { status: 'Rejected' }, false, 'Rejected'],
    ] as const) {
      answerCalls(connected.client, () => answer);
      t.match(
        await rig.command(connected.charger.uid, { type: 'ocpp', action, payload }),
        { ok: true, result: { accepted, status, payload: answer } },
        `${action} ${JSON.stringify(answer)}`,
      );
    }
  });
});
