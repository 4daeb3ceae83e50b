import t from 'tap';
import { answerCalls } from './support/answering.ts';
import { chargingCommandRows } from './support/charging-command-rows.ts';
import { commandRows, plainSelector } from './support/named-command-rows.ts';
import { profileCommandRows } from './support/profile-command-rows.ts';
import { reportedLimit } from './support/reported-limit.ts';
import { startRig } from './support/rig.ts';

void t.test('named commands', async (t) => {
  const rig = await startRig(t);
  const chargers = {
    'ocpp1.6': await rig.connect('ocpp1.6'),
    'ocpp2.0.1': await rig.connect('ocpp2.0.1'),
    'ocpp2.1': await rig.connect('ocpp2.1'),
  };
  await chargers['ocpp2.0.1'].client.call('NotifyReport', reportedLimit(20));
  await chargers['ocpp2.1'].client.call('NotifyReport', reportedLimit(20));
  const rows = [...commandRows, ...chargingCommandRows, ...profileCommandRows];
  // The client judges our requests by schemas of its own.
  const rows21 = rows.flatMap((row) =>
    row[0] === 'ocpp2.0.1' ? [row.with(0, 'ocpp2.1') as typeof row] : [],
  );
  for (const [version, command, action, payload, answer, result] of [...rows, ...rows21]) {
    await t.test(`${version}: ${command.type} is ${action}`, async (t) => {
      const { charger, client } = chargers[version];
      answerCalls(client, (method, params) => {
        t.same([method, params], [action, payload]);
        return answer;
      });
      t.match(await rig.command(charger.uid, command), { ok: true, action, result });
    });
  }

  await t.test('requests the required variables of a 2.0.1 charger when no keys are given', async (t) => {
    const { charger, client } = chargers['ocpp2.0.1'];
    answerCalls(client, (_method, params) => {
      const { getVariableData } = params as { getVariableData: object[] };
      return {
        getVariableResult: getVariableData.map((asked) => ({
          ...asked,
          attributeStatus: 'Accepted',
          attributeValue: '1',
        })),
      };
    });
    const reply = await rig.command(charger.uid, { type: 'get-configuration', keys: [] });
    const keys = reply.ok ? reply.result.settings?.map(({ key }) => key) : [];
    t.ok(keys?.includes('TxCtrlr.EVConnectionTimeOut'));
  });

  await t.test('refuses a command that the OCPP version lacks', async (t) => {
    const { charger, client } = chargers['ocpp1.6'];
    answerCalls(client, () => t.fail('nothing is sent'));
    for (const command of [
      { type: 'get-variables', variables: [plainSelector] },
      { type: 'set-variables', variables: [{ ...plainSelector, value: 'X' }] },
      { type: 'change-configuration', key: 'x'.repeat(51), value: '' },
      { type: 'install-certificate', use: 'V2GRoot', pem: 'PEM' },
    ] as const) {
      t.match(await rig.command(charger.uid, command), { ok: false, code: 'COMMAND_NOT_SUPPORTED' });
    }
  });
});
