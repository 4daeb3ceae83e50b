import { randomUUID } from 'node:crypto';
import t from 'tap';
import { closeAbandonedSessions } from '#api/jobs/session-closer.ts';
import { releaseExpiredHolds } from '#shared/postgres/money/wallet-holds.ts';
import { untilBlocked } from '#api/test/support/meanwhile.ts';
import { stampSessions } from '#shared/postgres/charging/session-writes/invoicing.ts';
import { seedTariff, seedToken, seedUser } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { approve } from './support/approve.ts';
import { startRig } from './support/rig.ts';
import { sessionOf } from './support/scripted16.ts';
import { events201, seedDriver } from './support/wallet-drivers.ts';

// 1.00 and 0.40 per kWh, 21 % VAT: 5 kWh cost 3.63. A session that only its end is known of costs 1.21 when it is approved.

void t.test('2.0.1: sessions whose driver becomes known late', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  await seedTariff(sql, rig.network.id);
  const begin = async () => {
    const { charger, client } = await rig.connect('ocpp2.0.1');
    const transactionId = randomUUID();
    return { charger, transactionId, event: events201(client, transactionId) };
  };

  await t.test('charges the driver whose card started the session', async (t) => {
    const [stopper, driver] = [await seedDriver(rig, 2000n), await seedDriver(rig, 2000n)];
    const { event, transactionId } = await begin();
    await event('Ended', 20, 6000, stopper.tag);
    await approve(rig, transactionId);
    t.strictSame(await stopper.balances(), [1879, 0, 0], 'for all that is known it is theirs');
    await event('Started', 0, 1000, driver.tag);
    const { uuid } = await sessionOf(rig, transactionId);
    t.strictSame(await stopper.balances(), [2000, 0, 0]);
    t.strictSame(await driver.balances(), [1637, 0, 0]);
    const [back] = await stopper.movements();
    t.match(back, { cause: 'SESSION', sessionUuid: uuid, reason: 'The session is not of this driver' });
    t.strictSame(back?.change, { availableMinor: 121n, heldMinor: 0n, owedMinor: 0n });
    await event('Started', 0, 1000, driver.tag);
    await event('Ended', 20, 6000, stopper.tag);
    t.strictSame(await stopper.causes(), ['CREDIT', 'SESSION', 'SESSION'], 'a repetition moves nothing');
    t.strictSame(await driver.causes(), ['CREDIT', 'SESSION']);
  });

  await t.test('charges no wallet when the card has no driver', async (t) => {
    await sql`update networks set minimum_balance_minor = 100 where id = ${rig.network.id}`;
    const user = await seedUser(sql, rig.network.id);
    const cards = [
      'CARD-OF-NOBODY',
      await seedToken(sql, rig.network.id),
      await seedToken(sql, rig.network.id, { userId: user.id }),
    ];
    for (const card of cards) {
      const stopper = await seedDriver(rig, 100n);
      const { event, transactionId } = await begin();
      await event('Ended', 20, 6000, stopper.tag);
      await approve(rig, transactionId);
      t.strictSame(await stopper.balances(), [0, 0, 21]);
      t.ok((await sessionOf(rig, transactionId)).flags.includes('wallet-short'));
      await event('Started', 0, 1000, card);
      const session = await sessionOf(rig, transactionId);
      t.match(session, { idToken: card, cost: { totalInclVatMinor: '363' } });
      t.equal(session.userUuid, card === cards[2] ? user.uuid : null);
      t.notOk(session.flags.includes('wallet-short'), 'it is short of nothing');
      t.strictSame(await stopper.balances(), [100, 0, 0]);
    }
  });

  await t.test('changes nothing when the late start has the same card or none', async (t) => {
    const driver = await seedDriver(rig, 2000n);
    for (const card of [driver.tag.toLowerCase(), undefined]) {
      const { event, transactionId } = await begin();
      await event('Ended', 20, 6000, driver.tag);
      await approve(rig, transactionId);
      await event('Started', 0, 1000, card);
      t.match(await sessionOf(rig, transactionId), { energyWh: 5000, userUuid: String });
    }
    t.strictSame(await driver.balances(), [2000 - 2 * 363, 0, 0]);
  });

  await t.test('refunds the hold of the other driver', async (t) => {
    const [stopper, driver] = [await seedDriver(rig, 2000n), await seedDriver(rig, 2000n)];
    const { charger, event, transactionId } = await begin();
    await stopper.hold(charger.id, 500n);
    await event('Ended', 20, 6000, stopper.tag);
    await approve(rig, transactionId);
    t.strictSame(await stopper.balances(), [1879, 0, 0]);
    await event('Started', 0, 1000, driver.tag);
    t.strictSame(await stopper.balances(), [2000, 0, 0]);
    t.strictSame(await driver.balances(), [1637, 0, 0]);

    const running = await begin();
    await stopper.hold(running.charger.id, 500n);
    await sql`update remote_starts set max_energy_wh = 7000 where charger_id = ${running.charger.id}`;
    await running.event('Updated', 5, 2000, stopper.tag);
    t.equal((await sessionOf(rig, running.transactionId)).maxEnergyWh, 7000);
    await running.event('Started', 0, 1000, driver.tag);
    t.equal(
      (await sessionOf(rig, running.transactionId)).maxEnergyWh,
      null,
      'nor is it limited as theirs is',
    );
    t.match(
      await sql`
        select r.max_energy_wh as "maxEnergyWh", h.amount_minor as held, h.session_id as "sessionId"
        from remote_starts r join wallet_holds h on h.remote_start_id = r.id where r.charger_id = ${running.charger.id}`,
      [{ maxEnergyWh: 7000, held: 500n, sessionId: null }],
    );
    await sql`update wallet_holds set expires_at = now()`;
    await releaseExpiredHolds(sql);
    t.strictSame(await stopper.balances(), [2000, 0, 0]);
    await running.event('Ended', 20, 6000);
    t.strictSame(await stopper.balances(), [2000, 0, 0]);
    t.strictSame(await driver.balances(), [2000 - 2 * 363, 0, 0]);
  });

  await t.test('refunds the other driver at once while the price is pending', async (t) => {
    const [stopper, driver] = [await seedDriver(rig, 2000n), await seedDriver(rig, 2000n)];
    const { charger, event, transactionId } = await begin();
    await event('Ended', 20, 6000, stopper.tag);
    await approve(rig, transactionId);
    const price_components = [{ type: 'ENERGY', price: '0.40', step_size: 1 }];
    const elements = [{ price_components, restrictions: { min_power: 5 } }, { price_components }];
    await sql`
      with tariff as (
        insert into tariffs (network_id, name, currency, elements)
        values (${rig.network.id}, 'By power', 'EUR', ${sql.json(elements)}) returning id
      )
      insert into tariff_assignments (tariff_id, charger_id) select id, ${charger.id} from tariff`;
    await event('Started', 0, 1000, driver.tag);
    t.ok((await sessionOf(rig, transactionId)).flags.includes('cost-pending'));
    t.strictSame(await stopper.balances(), [2000, 0, 0]);
    t.strictSame(await driver.balances(), [2000, 0, 0]);
  });

  await t.test('refunds nothing for a session that is invoiced', async (t) => {
    const [stopper, driver] = [await seedDriver(rig, 2000n), await seedDriver(rig, 2000n)];
    const { event, transactionId } = await begin();
    await event('Ended', 20, 6000, stopper.tag);
    await approve(rig, transactionId);
    const { id } = await sessionOf(rig, transactionId);
    // An operator puts it right before it is invoiced.
    await sql`update sessions set flags = flags || '{corrected}', price_decision = 'AMENDED' where id = ${id}`;
    await sql.begin((transaction) => stampSessions(transaction, [id], '2026-000001'));
    await event('Started', 0, 1000, driver.tag);
    t.strictSame(await stopper.balances(), [1879, 0, 0]);
    t.strictSame(await driver.balances(), [2000, 0, 0]);
  });

  await t.test('locks wallets in one order for two sessions that swap drivers', async (t) => {
    const [one, two] = [await seedDriver(rig, 2000n), await seedDriver(rig, 2000n)];
    const crossing = [
      [one, two],
      [two, one],
      [one, two],
      [two, one],
    ] as const;
    const sessions = await Promise.all(
      crossing.map(async ([stopper, driver]) => {
        const { event, transactionId } = await begin();
        await event('Ended', 20, 6000, stopper.tag);
        await approve(rig, transactionId);
        return () => event('Started', 0, 1000, driver.tag);
      }),
    );
    t.strictSame(await one.balances(), [2000 - 2 * 121, 0, 0]);
    let sent: Promise<unknown> | undefined;
    await sql.begin(async (transaction) => {
      await transaction`select from wallets where id = ${one.walletId} for update`;
      sent = Promise.all(sessions.map((tell) => tell()));
      await untilBlocked(sql, sessions.length);
      // Those that wait for the first hold nothing of the second.
      await transaction`select from wallets where id = ${two.walletId} for update nowait`;
    });
    await sent;
    t.strictSame(await one.balances(), [2000 - 2 * 363, 0, 0]);
    t.strictSame(await two.balances(), [2000 - 2 * 363, 0, 0]);
  });

  await t.test('locks wallets in the same order when several sessions close', async (t) => {
    const [first, second] = [await seedUser(sql, rig.network.id), await seedUser(sql, rig.network.id)];
    const [one, two] = [await seedDriver(rig, 2000n, second), await seedDriver(rig, 2000n, first)];
    for (const { tag } of [one, two]) {
      const { event } = await begin();
      await event('Started', 0, 1000, tag);
    }
    // Their live values are stored later, which locks them too.
    await until('the live values', async () => {
      const waiting = await sql`select from sessions where status = 'ACTIVE' and live_at is null`;
      return waiting.length === 0;
    });
    let closed: Promise<unknown> | undefined;
    await sql.begin(async (transaction) => {
      await transaction`select from wallets where id = ${one.walletId} for update`;
      closed = closeAbandonedSessions(sql, { delayMs: 0, offlineMs: 0 });
      await untilBlocked(sql, 1);
      await transaction`select from wallets where id = ${two.walletId} for update nowait`;
    });
    await closed;
    const closings = await sql`
      select price_state from sessions where flags @> '{closed-offline}' and user_id = any(${[first.id, second.id]})`;
    t.same(closings, [{ price_state: 'REVIEW' }, { price_state: 'REVIEW' }]);
  });

  t.same(await sql`select sum(amount_minor)::integer as total from ledger_entries`, [{ total: 0 }]);
});
