import t from 'tap';
import { seedToken } from '#shared/testing/seed.ts';
import { startRig } from './support/rig.ts';
import { minute, scripted16, sessionOf, untilLive } from './support/scripted16.ts';

void t.test('registers (field notes 15 and 16)', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const tag = await seedToken(sql, rig.network.id);

  await t.test('counts on after a reset during a session', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await charger.start(tag, 0, 900_000);
    await charger.meter(transactionId, 10, 903_000);
    await charger.meter(transactionId, 20, 10);
    await charger.meter(transactionId, 30, 2010);
    await charger.stop(transactionId, 40, 3010);
    t.match(await sessionOf(rig, transactionId), {
      energyWh: 6010,
      flags: ['meter-reset', 'register-fell', 'no-tariff'],
    });
  });

  await t.test('counts on after a reset and a reconnection', async (t) => {
    const { charger: registered, client } = await rig.connect('ocpp1.6');
    const begin = Date.now() - 60 * minute;
    const charger = scripted16(client, begin);
    const transactionId = await charger.start(tag, 0, 900_000);
    await charger.meter(transactionId, 10, 903_000);
    await untilLive(rig, transactionId, 3000);
    const again = rig.client(registered, 'ocpp1.6');
    await again.connect();
    const later = scripted16(again, begin);
    await later.meter(transactionId, 20, 10);
    await later.stop(transactionId, 40, 3010);
    t.match(await sessionOf(rig, transactionId), {
      energyWh: 6010,
      flags: ['meter-reset', 'register-fell', 'no-tariff'],
    });
  });

  await t.test('bills all energy after a reset that passes the earlier value', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await charger.start(tag, 0, 1000);
    for (const [index, registerWh] of [9000, 0, 6000, 12_000].entries()) {
      await charger.meter(transactionId, 10 + index * 10, registerWh);
    }
    await charger.stop(transactionId, 50, 14_000);
    t.match(await sessionOf(rig, transactionId), {
      energyWh: 22_000,
      flags: ['meter-reset', 'register-fell', 'no-tariff'],
    });
  });

  await t.test('bills by readings when the register falls at the stop', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await charger.start(tag, 0, 0);
    await charger.meter(transactionId, 10, 9000);
    await charger.stop(transactionId, 40, 0);
    t.match(await sessionOf(rig, transactionId), {
      energyWh: 9000,
      flags: ['energy-estimated', 'meter-reset', 'no-tariff'],
    });
  });

  await t.test('sends a lifetime register to review when start and stop are 0', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await charger.start(tag, 0, 0);
    await charger.meter(transactionId, 15, 800_000, 7000);
    await charger.meter(transactionId, 30, 802_000, 7000);
    await charger.stop(transactionId, 40, 0);
    t.match(await sessionOf(rig, transactionId), {
      flags: ['meter-reset', 'no-tariff', 'energy-implausible'],
    });
  });

  await t.test('prefers a stop above the start to a higher reading', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await charger.start(tag, 0, 1000);
    await charger.meter(transactionId, 10, 9000);
    await charger.stop(transactionId, 11, 8600);
    t.match(await sessionOf(rig, transactionId), {
      energyWh: 7600,
      flags: ['register-differs', 'no-tariff'],
    });
  });

  await t.test('bills no energy twice after a wrong zero', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await charger.start(tag, 0, 5000);
    await charger.meter(transactionId, 10, 8000);
    await charger.meter(transactionId, 20, 0);
    await charger.stop(transactionId, 40, 9000);
    t.match(await sessionOf(rig, transactionId), { energyWh: 4000, flags: ['register-fell', 'no-tariff'] });
  });

  await t.test('flags and keeps energy that its power cannot have delivered', async (t) => {
    const { charger: registered, client } = await rig.connect('ocpp1.6');
    await sql`update chargers set max_power_w = 11000 where id = ${registered.id}`;
    const charger = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await charger.start(tag, 0, 0);
    await charger.stop(transactionId, 30, 5_000_000);
    t.match(await sessionOf(rig, transactionId), {
      energyWh: 5_000_000,
      flags: ['no-tariff', 'energy-implausible'],
    });
  });
});
