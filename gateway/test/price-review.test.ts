import t from 'tap';
import { seedTariff } from '#shared/testing/seed.ts';
import { startRig } from './support/rig.ts';
import { minute, scripted16, sessionOf } from './support/scripted16.ts';
import { events201, seedDriver } from './support/wallet-drivers.ts';

// 1.00 and 0.40 per kWh, 21 % VAT: 5 kWh cost 3.63, 10 kWh 6.05.

void t.test('implausible sessions', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  await seedTariff(sql, rig.network.id);
  const connect = async (maxPowerW: number | null) => {
    const { charger: registered, client } = await rig.connect('ocpp1.6');
    await sql`update chargers set max_power_w = ${maxPowerW} where id = ${registered.id}`;
    return { registered, client, charger: scripted16(client, Date.now() - 60 * minute) };
  };
  const stateOf = async (transactionId: number) => {
    const [row] = await sql<{ state: string; flags: string[] }[]>`
      select price_state as state, flags from sessions where ocpp_transaction_id = ${String(transactionId)}`;
    return row;
  };

  await t.test('holds the price of the plausible energy when the energy is implausible', async (t) => {
    const driver = await seedDriver(rig, 2000n);
    const { registered, charger } = await connect(22_000);
    await driver.hold(registered.id, 500n);
    const transactionId = await charger.start(driver.tag, 0, 0);
    await charger.stop(transactionId, 1, 2_147_483_000);
    t.match(await sessionOf(rig, transactionId), {
      status: 'COMPLETED',
      energyWh: 2_147_483_000,
      flags: ['energy-implausible'],
      cost: { totalInclVatMinor: '103938298' },
    });
    t.match(await stateOf(transactionId), { state: 'REVIEW' });
    // 22 kW with its margin of a fifth for a minute, and 1 kWh: 1.44 kWh cost 1.91.
    t.strictSame(await driver.balances(), [1809, 191, 0]);
    t.strictSame(await driver.causes(), ['CREDIT', 'HOLD', 'RELEASE']);
    await charger.stop(transactionId, 1, 2_147_483_000);
    t.strictSame(await driver.balances(), [1809, 191, 0], 'a repeated stop moves nothing');
  });

  await t.test('extends the hold to the plausible price as far as the wallet has it', async (t) => {
    const driver = await seedDriver(rig, 900n);
    const { registered, charger } = await connect(22_000);
    await driver.hold(registered.id, 500n);
    const transactionId = await charger.start(driver.tag, 0, 0);
    await charger.stop(transactionId, 60, 90_000);
    t.match(await stateOf(transactionId), { state: 'REVIEW' });
    t.strictSame(await driver.balances(), [0, 900, 0], 'the rest is not owed');
  });

  await t.test('takes nothing from a wallet that holds nothing', async (t) => {
    const driver = await seedDriver(rig, 2000n);
    const { charger } = await connect(22_000);
    const transactionId = await charger.start(driver.tag, 0, 0);
    await charger.stop(transactionId, 10, 90_000);
    t.match(await stateOf(transactionId), { state: 'REVIEW' });
    t.strictSame(await driver.balances(), [2000, 0, 0]);
  });

  await t.test('takes a connector without a known power for one of a megawatt', async (t) => {
    const driver = await seedDriver(rig, 100_000n);
    const { charger } = await connect(null);
    const possible = await charger.start(driver.tag, 0, 0);
    await charger.stop(possible, 30, 490_000);
    t.match(await stateOf(possible), { state: 'SETTLED', flags: [] });
    const impossible = await charger.start(driver.tag, 31, 490_000);
    await charger.meter(impossible, 32, 491_000, 2_000_000_000);
    await charger.stop(impossible, 41, 800_000);
    t.match(await stateOf(impossible), { state: 'REVIEW' });
  });

  await t.test('reviews a session of more than 30 days', async (t) => {
    const driver = await seedDriver(rig, 100_000n);
    const { client } = await connect(22_000);
    const days = 24 * 60;
    const charger = scripted16(client, Date.now() - 40 * days * minute);
    const long = await charger.start(driver.tag, 0, 0);
    await charger.stop(long, 31 * days, 5000);
    t.match(await stateOf(long), { state: 'REVIEW', flags: ['duration-implausible'] });
    const parked = await charger.start(driver.tag, 0, 0, 2);
    await charger.stop(parked, 29 * days, 5000);
    t.match(await stateOf(parked), { state: 'SETTLED', flags: [] });
  });

  await t.test('reviews a session whose clock is not believed, unless it costs nothing', async (t) => {
    const driver = await seedDriver(rig, 2000n);
    const { client } = await connect(22_000);
    const charger = scripted16(client, 0);
    const transactionId = await charger.start(driver.tag, 0, 0);
    await charger.stop(transactionId, 30, 500);
    t.match(await stateOf(transactionId), { state: 'REVIEW', flags: ['time-past'] });
    t.strictSame(await driver.balances(), [2000, 0, 0]);
    await sql`update id_tokens set is_valid = false where uid = ${driver.tag}`;
    const refused = await charger.start(driver.tag, 60, 500);
    await charger.stop(refused, 61, 500);
    t.match(await stateOf(refused), { state: 'SETTLED', flags: ['time-past'] });
  });

  await t.test('settles what was replayed days after it happened', async (t) => {
    const driver = await seedDriver(rig, 2000n);
    const { client } = await connect(22_000);
    const charger = scripted16(client, Date.now() - 9 * 24 * 60 * minute);
    const transactionId = await charger.start(driver.tag, 0, 0);
    await charger.stop(transactionId, 30, 10_000);
    t.match(await stateOf(transactionId), { state: 'SETTLED', flags: [] });
    t.strictSame(await driver.balances(), [1395, 0, 0]);
  });

  await t.test('judges the session again when its real start arrives', async (t) => {
    const driver = await seedDriver(rig, 2000n);
    const { client } = await rig.connect('ocpp2.0.1');
    const event = events201(client, 'late-review');
    await event('Ended', 20, 2_000_000);
    await event('Started', 0, 1_995_000, driver.tag);
    t.match(await sessionOf(rig, 'late-review'), { energyWh: 5000 });
    t.match(await sql`select price_state from sessions where ocpp_transaction_id = 'late-review'`, [
      { price_state: 'SETTLED' },
    ]);
    t.strictSame(await driver.balances(), [1637, 0, 0]);
  });

  const rows = await sql`select sum(amount_minor)::integer as total from ledger_entries`;
  t.same(rows, [{ total: 0 }]);
});
