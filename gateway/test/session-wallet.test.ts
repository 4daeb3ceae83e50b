import t from 'tap';
import { releaseExpiredHolds } from '#shared/postgres/money/wallet-holds.ts';
import { closeAbandonedSessions } from '#api/jobs/session-closer.ts';
import { stampSessions } from '#shared/postgres/charging/session-writes/invoicing.ts';
import { seedTariff, seedToken, seedUser } from '#shared/testing/seed.ts';
import { approve } from './support/approve.ts';
import { startRig } from './support/rig.ts';
import { minute, scripted16, sessionOf, untilLive } from './support/scripted16.ts';
import { events201, seedDriver } from './support/wallet-drivers.ts';

// 1.00 and 0.40 per kWh, 21 % VAT: 5 kWh cost 3.63, 10 kWh 6.05, 20 kWh 10.89.

void t.test("payment of a session from the driver's wallet", async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  await seedTariff(sql, rig.network.id);

  await t.test('debits the hold once for repeated stops', async (t) => {
    const driver = await seedDriver(rig, 2000n);
    const { charger: registered, client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 60 * minute);
    await driver.hold(registered.id, 500n);
    const transactionId = await charger.start(driver.tag, 0, 1000);
    t.strictSame(await driver.balances(), [1500, 500, 0]);
    await releaseExpiredHolds(sql);
    await sql`update wallet_holds set expires_at = now()`;
    await releaseExpiredHolds(sql);
    t.strictSame(await driver.balances(), [1500, 500, 0], 'its session has begun');
    await Promise.all([1, 2, 3].map(() => charger.stop(transactionId, 30, 6000)));
    await charger.stop(transactionId, 31, 9000);
    t.strictSame(await driver.balances(), [1637, 0, 0]);
    t.strictSame(await driver.causes(), ['CREDIT', 'HOLD', 'SESSION']);
    t.notMatch(await sessionOf(rig, transactionId), { flags: ['wallet-short'] });
  });

  await t.test('debits nothing for a refused start unless energy flowed', async (t) => {
    const driver = await seedDriver(rig, 2000n);
    await sql`update id_tokens set is_valid = false where uid = ${driver.tag}`;
    const { client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 60 * minute);
    const refused = await charger.start(driver.tag, 0, 1000);
    await charger.stop(refused, 1, 1000);
    t.match(await sessionOf(rig, refused), {
      status: 'COMPLETED',
      cost: { lines: [], totalInclVatMinor: 0n },
    });
    t.strictSame(await driver.balances(), [2000, 0, 0]);
    const charged = await charger.start(driver.tag, 2, 1000);
    await charger.stop(charged, 30, 6000);
    t.strictSame(await driver.balances(), [1637, 0, 0], 'it had begun before it heard so');
    t.strictSame(await driver.causes(), ['CREDIT', 'SESSION']);
  });

  await t.test('debits the available balance beyond the hold and records the rest as owed', async (t) => {
    const driver = await seedDriver(rig, 800n);
    const { charger: registered, client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 120 * minute);
    await driver.hold(registered.id, 500n);
    const first = await charger.start(driver.tag, 0, 0);
    await charger.stop(first, 30, 10_000);
    t.strictSame(await driver.balances(), [195, 0, 0]);
    const second = await charger.start(driver.tag, 40, 10_000);
    await charger.stop(second, 60, 15_000);
    t.strictSame(await driver.balances(), [0, 0, 168]);
    t.match(await sessionOf(rig, second), { flags: ['wallet-short'], cost: { totalInclVatMinor: '363' } });
  });

  await t.test('books the difference of an amended session, up and down', async (t) => {
    const driver = await seedDriver(rig, 2000n);
    const { client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 60 * minute);
    const noDelay = { delayMs: 0, offlineMs: 24 * 60 * minute };
    const begun = async (from: number, meterStart: number) => {
      const transactionId = await charger.start(driver.tag, from, meterStart);
      await charger.meter(transactionId, from + 5, meterStart + 10_000);
      await untilLive(rig, transactionId, 10_000);
      await charger.start(driver.tag, from + 10, meterStart + 10_000);
      await closeAbandonedSessions(sql, noDelay);
      return transactionId;
    };
    const less = await begun(0, 0);
    t.strictSame(await driver.balances(), [1395, 0, 0], 'closed as estimated');
    await charger.stop(less, 8, 5000);
    t.match(await sessionOf(rig, less), { priceState: 'REVIEW' });
    await approve(rig, less);
    t.strictSame(await driver.balances(), [1637, 0, 0], 'the real stop gives back');
    await charger.stop(less, 8, 5000);
    const more = await begun(20, 50_000);
    t.match(await sessionOf(rig, more), { status: 'COMPLETED' });
    const [before = 0] = (await driver.balances()) ?? [];
    await charger.stop(more, 28, 70_000);
    t.strictSame(await driver.balances(), [before - (1089 - 605), 0, 0]);
  });

  await t.test('debits nothing for an anonymous card or a driver without a wallet', async (t) => {
    const user = await seedUser(sql, rig.network.id);
    const tags = [
      await seedToken(sql, rig.network.id),
      await seedToken(sql, rig.network.id, { userId: user.id }),
    ];
    const { client } = await rig.connect('ocpp1.6');
    const charger = scripted16(client, Date.now() - 60 * minute);
    for (const [index, tag] of tags.entries()) {
      const transactionId = await charger.start(tag, index * 10, 0);
      await charger.stop(transactionId, index * 10 + 5, 5000);
      const { uuid } = await sessionOf(rig, transactionId);
      t.same(
        await sql`select 1 from ledger_transactions t join sessions s on s.id = t.session_id where s.uuid = ${uuid}`,
        [],
      );
    }
  });

  await t.test('2.0.1: debits the driver of a token that arrives after the end', async (t) => {
    const driver = await seedDriver(rig, 2000n);
    const { client } = await rig.connect('ocpp2.0.1');
    const event = events201(client, 'wallet-201');
    await event('Started', 0, 1000);
    await event('Ended', 20, 6000);
    t.strictSame(await driver.balances(), [2000, 0, 0]);
    await event('Updated', 5, 2000, driver.tag);
    t.match(await sessionOf(rig, 'wallet-201'), { status: 'COMPLETED', idToken: driver.tag });
    t.strictSame(await driver.balances(), [1637, 0, 0]);
  });

  await t.test('2.0.1: debits nothing for an invoiced session when its token arrives later', async (t) => {
    const driver = await seedDriver(rig, 2000n);
    const { client } = await rig.connect('ocpp2.0.1');
    const event = events201(client, 'invoiced-201');
    await event('Started', 0, 1000);
    await event('Ended', 20, 6000);
    const { id } = await sessionOf(rig, 'invoiced-201');
    await sql.begin((transaction) => stampSessions(transaction, [id], '2026-000001'));
    await event('Updated', 5, 2000, driver.tag);
    t.match(await sessionOf(rig, 'invoiced-201'), { userUuid: null, idToken: null });
    t.strictSame(await driver.balances(), [2000, 0, 0]);
  });

  await t.test('2.0.1: takes driver and register from a start that arrives last', async (t) => {
    const driver = await seedDriver(rig, 2000n);
    const { client } = await rig.connect('ocpp2.0.1');
    const event = events201(client, 'late-201');
    await event('Ended', 20, 6000);
    await event('Started', 0, 1000, driver.tag);
    t.match(await sessionOf(rig, 'late-201'), { status: 'COMPLETED', energyWh: 5000 });
    t.strictSame(await driver.balances(), [1637, 0, 0]);
  });

  const rows = await sql<{ total: number }[]>`select sum(amount_minor)::integer as total from ledger_entries`;
  t.same(rows, [{ total: 0 }]);
  const revenue = await sql<{ ledger: number; sessions: number }[]>`
    select (select sum(amount_minor) from ledger_entries where account = 'revenue')::integer as ledger,
      (select sum(cost_minor) from sessions s
        where exists (select 1 from ledger_transactions where session_id = s.id))::integer as sessions`;
  t.equal(revenue[0]?.ledger, revenue[0]?.sessions, 'what wallets paid is what their sessions cost');
});
