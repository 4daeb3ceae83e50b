import t from 'tap';
import { seedToken } from '#shared/testing/seed.ts';
import { dialects } from './field-notes/support/dialect.ts';
import { after, charging, openScene, start } from './field-notes/support/scene.ts';

const [ocpp16, ocpp201] = dialects;

void t.test('starts with reused identifiers', async (t) => {
  if (ocpp16 === undefined || ocpp201 === undefined) throw new Error('both versions are played');
  const scene = await openScene(t);
  const { sql } = scene.rig.stores;
  const energies = async (charger: Parameters<typeof scene.sessions>[0]) =>
    (await scene.sessions(charger)).map(({ status, energyWh }) => [status, energyWh]);

  await t.test(
    '2.0.1: creates another session for a transaction id that is reused after a reset',
    async (t) => {
      const charger = await scene.charger();
      const socket = await scene.socket(charger, ocpp201);
      const first = { ...charging(scene), meterStartWh: 1000 };
      const second = { ...first, startedAt: after(first, 1800), meterStartWh: 2000 };
      for (const sent of [first, second]) {
        await start(socket, ocpp201, sent);
        await start(socket, ocpp201, sent);
        const end = { at: after(sent, 600), registerWh: sent.meterStartWh * 2 };
        await socket.call('stop', ...ocpp201.stop(sent, sent.name, end, 1));
        await start(socket, ocpp201, sent);
      }
      t.same(await energies(charger), [
        ['COMPLETED', 2000],
        ['COMPLETED', 1000],
      ]);
    },
  );

  await t.test('2.0.1: creates another session while the end of the first is missing', async (t) => {
    const charger = await scene.charger();
    const socket = await scene.socket(charger, ocpp201);
    const first = charging(scene);
    const token = await seedToken(sql, scene.rig.network.id);
    const second = { ...first, token, startedAt: after(first, 1800), meterStartWh: 2000 };
    await start(socket, ocpp201, first);
    const twins = [0, 1, 2].map((n) => socket.call(`twin-${n}`, ...ocpp201.start(second)));
    await Promise.all(twins);
    const reading = { at: after(second, 60), registerWh: 3000 };
    await socket.call('meter', ...ocpp201.meter(second, second.name, [reading], 1));
    const end = { at: after(second, 600), registerWh: 22_000 };
    await socket.call('stop', ...ocpp201.stop(second, second.name, end, 2));
    t.same(await energies(charger), [
      ['COMPLETED', 20_000],
      ['ACTIVE', 0],
    ]);
  });

  await t.test('2.0.1: creates another session when the start of the first was lost', async (t) => {
    const charger = await scene.charger();
    const socket = await scene.socket(charger, ocpp201);
    const first = charging(scene);
    const reading = { at: after(first, 60), registerWh: 1000 };
    await socket.call('meter', ...ocpp201.meter(first, first.name, [reading], 1));
    const end = { at: after(first, 600), registerWh: 2000 };
    await socket.call('stop', ...ocpp201.stop(first, first.name, end, 2));
    await start(socket, ocpp201, { ...first, startedAt: after(first, 1800), meterStartWh: 2000 });
    t.same(await energies(charger), [
      ['ACTIVE', 0],
      ['COMPLETED', 1000],
    ]);
  });

  await t.test('2.0.1: recognizes a repeated start after a clock correction', async (t) => {
    const charger = await scene.charger();
    const socket = await scene.socket(charger, ocpp201);
    const sent = charging(scene);
    await start(socket, ocpp201, { ...sent, startedAt: new Date(0) });
    await start(socket, ocpp201, { ...sent, startedAt: new Date() });
    t.same(await energies(charger), [['ACTIVE', 0]]);
  });

  await t.test('1.6: creates another session after a stop when the clock stands still', async (t) => {
    const charger = await scene.charger();
    const socket = await scene.socket(charger, ocpp16);
    const sent = charging(scene, { startedAt: new Date(0) });
    const ids: (string | number)[] = [];
    for (const registerWh of [1000, 1000, 11_000]) {
      const id = await start(socket, ocpp16, sent);
      t.equal(await start(socket, ocpp16, sent), id, 'a repeat');
      t.notOk(ids.includes(id));
      ids.push(id);
      await socket.call('stop', ...ocpp16.stop(sent, id, { at: sent.startedAt, registerWh }, 1));
    }
    t.same(await energies(charger), [
      ['COMPLETED', 10_000],
      ['COMPLETED', 0],
      ['COMPLETED', 0],
    ]);
  });
});
