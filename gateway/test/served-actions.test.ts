import t from 'tap';
import { ocpp16 } from '#gateway/ocpp16/table.ts';
import { ocpp201 } from '#gateway/ocpp201/table.ts';
import { ocpp21 } from '#gateway/ocpp21/table.ts';
import { actionsOf, directionOf } from '#shared/ocpp/actions.ts';
import { readSchemas } from '#shared/ocpp/generator/schema.ts';
import { Sampler } from '#shared/ocpp/test/support/sample.ts';
import { connectRaw } from './support/raw-charger.ts';
import { startRig } from './support/rig.ts';

for (const protocol of [ocpp16, ocpp201, ocpp21]) {
  const { version } = protocol;
  const isSend = (action: string) => directionOf(version, action as never) === 'send';
  const chargerActions = actionsOf(version).filter(
    (action) => directionOf(version, action) !== 'csms' && !isSend(action),
  );

  void t.test(`OCPP ${version}: lists exactly the actions that a charger may send`, (t) => {
    t.same([...protocol.actions.keys()].toSorted(), chargerActions.toSorted());
    t.same([...protocol.sends.keys()], actionsOf(version).filter(isSend));
    t.end();
  });

  void t.test(`OCPP ${version}: answers the smallest and the fullest payload of every action`, async (t) => {
    const rig = await startRig(t);
    const sampler = new Sampler(readSchemas(version));
    const subprotocol = `ocpp${version}` as const;
    // The client judges what it is answered by schemas of its own.
    const { charger, client } = await rig.connect(subprotocol);
    for (const action of chargerActions) {
      await t.resolves(client.call(action, sampler.minimal(`${action}Request`)), `${action} minimal`);
    }
    await client.close();
    const raw = await connectRaw(rig, charger, subprotocol);
    for (const action of chargerActions) {
      const [type, id] = await raw.call(action, action, sampler.full(`${action}Request`));
      t.same([type, id], [3, action], `${action} full`);
    }
    await raw.terminate();
  });
}
