import t from 'tap';
import { stopSessionsOverLimit } from '#api/jobs/session-watchdog.ts';
import { createLogger } from '#shared/log/log.ts';
import { operatorStarts } from '#api/test/support/charging-drivers.ts';
import { addDriver } from '#api/test/support/drivers.ts';
import { accepted, holdCharger, mintKey, register, startTestApi } from '#api/test/support/fixtures.ts';
import { addTariff, addUser, endSession, startSession } from '#api/test/support/records.ts';

// 1.50 and 0.40 per kWh, 21 % VAT: 5 kWh cost 4.24, 30 kWh 16.34.

void t.test('network without a minimum balance', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  await addTariff(sql, api.network.id);
  await sql`update networks set minimum_balance_minor = 0 where id = ${api.network.id}`;
  const { operator, chargerUuid, taken, start: ask } = await operatorStarts(api);
  let connector = 0;
  /** A session that took 30 kWh so far, and whether it is stopped for its wallet. */
  const charge = async (userId: number) => {
    connector += 1;
    const session = await startSession(sql, { chargerUuid, connector, userId, startedAt: new Date() });
    await sql`update sessions set energy_wh = 30000, live_at = now() where uuid = ${session.uuid}`;
    taken.length = 0;
    await stopSessionsOverLimit({ ...api.deps, log: createLogger('test', 'silent') });
    return { session, isStopped: taken.length > 0 };
  };
  const credit = (wallet: string, amount: number) =>
    api.call(operator, {
      method: 'POST',
      url: `/cpms/v1/wallets/${wallet}/credit`,
      payload: { amount, reason: 'Paid at the desk' },
    });

  await t.test('starts sessions without a wallet, or with an unused one', async (t) => {
    const without = await addUser(sql, api.network.id, 'without@example.org');
    const driver = await addDriver(api, 0n, 'unused@example.org');
    for (const userId of [without.id, driver.user.id]) {
      t.match(await ask(userId), { status: 200 });
      const { session, isStopped } = await charge(userId);
      t.notOk(isStopped);
      await sql`update sessions set started_at = now() - interval '1 hour' where uuid = ${session.uuid}`;
      await endSession(sql, session, 30_000);
      const rows = await sql`
        select t.id from ledger_transactions t join sessions s on s.id = t.session_id where s.uuid = ${session.uuid}`;
      t.strictSame([...rows], [], 'it is for an invoice');
    }
    t.match(await driver.shown(), { available: 0, owed: 0 });
    t.match(await ask(driver.user.id), { status: 200 }, 'and so is the next');
    const { session } = await charge(driver.user.id);
    await sql`update sessions set started_at = now() - interval '1 hour' where uuid = ${session.uuid}`;
    await endSession(sql, session, 30_000);
    await credit(driver.wallet, 50);
    const url = `/cpms/v1/sessions/${session.uuid}/amend`;
    const payload = { energyKwh: 29, reason: 'The meter was wrong.' };
    t.equal((await api.call(operator, { method: 'POST', url, payload })).status, 200);
    t.match(await driver.shown(), { available: 50 }, 'it stays for an invoice whatever comes in later');
  });

  await t.test("limits the sessions of a driver by the wallet's balance", async (t) => {
    const driver = await addDriver(api, 1600n, 'used@example.org');
    t.match(await ask(driver.user.id), { status: 200 });
    t.match(await driver.shown(), { available: 16, held: 0 });
    const { session, isStopped } = await charge(driver.user.id);
    t.ok(isStopped);
    await sql`update sessions set started_at = now() - interval '1 hour' where uuid = ${session.uuid}`;
    await endSession(sql, session, 30_000);
    t.match(await driver.shown(), { available: 0, owed: 0.34 });
    const details = { needed: 0.01, currency: 'EUR' };
    const refusal = { status: 402, json: { error: { code: 'BALANCE_TOO_LOW', details } } };
    t.match(await ask(driver.user.id), refusal);
    t.equal((await credit(driver.wallet, 0.34)).status, 200);
    t.match(await ask(driver.user.id), refusal, 'there is nothing in it');
    t.ok((await charge(driver.user.id)).isStopped, 'nor for a card at the charger');
    await credit(driver.wallet, 0.01);
    t.match(await ask(driver.user.id), { status: 200 });
  });

  await t.test('counts a wallet from its first credit', async (t) => {
    const driver = await addDriver(api, 0n, 'first@example.org');
    t.notOk((await charge(driver.user.id)).isStopped);
    await credit(driver.wallet, 20);
    t.ok((await charge(driver.user.id)).isStopped, 'two of 16.34 are more than 20.00');
  });

  await t.test('counts every wallet after the minimum balance is set again', async (t) => {
    const driver = await addDriver(api, 0n, 'again@example.org');
    await sql`update networks set minimum_balance_minor = 500 where id = ${api.network.id}`;
    t.match(await ask(driver.user.id), {
      json: { error: { code: 'BALANCE_TOO_LOW', details: { needed: 5 } } },
    });
    t.ok((await charge(driver.user.id)).isStopped);
  });
});

void t.test('a remote start of an operator', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const operator = await mintKey(api);
  const { id } = await register(api, operator, { serial: 'CP-1' });
  const taken = await holdCharger(api, 'CP-1', () => accepted);
  const start = (idTag: string) =>
    api.call(operator, {
      method: 'POST',
      url: `/cpms/v1/chargers/${id}/remote-start`,
      payload: { idTag, connectorNumber: 1 },
    });
  const card = async (userId: number | null, uid: string) => {
    await sql`
      insert into id_tokens (network_id, user_id, uid, type) values (${api.network.id}, ${userId}, ${uid}, 'RFID')`;
    return uid;
  };

  await t.test('refuses the card of a driver without a wallet, as the app does', async (t) => {
    const { id: userId } = await addUser(sql, api.network.id, 'without@example.org');
    t.match(await start(await card(userId, 'WITHOUT')), {
      status: 402,
      json: { error: { code: 'BALANCE_TOO_LOW', details: { needed: 5, currency: 'EUR' } } },
    });
    t.strictSame(taken, [], 'the charger is not asked');
    await sql`update networks set minimum_balance_minor = 0 where id = ${api.network.id}`;
    t.match(await start('WITHOUT'), { status: 200 });
    await sql`update networks set minimum_balance_minor = 500 where id = ${api.network.id}`;
  });

  await t.test('holds the minimum balance of the driver', async (t) => {
    const driver = await addDriver(api, 600n);
    const tag = await card(driver.user.id, 'WITH');
    t.match(await start(tag), { status: 200 });
    t.match(await driver.shown(), { available: 1, held: 5 });
    t.match(await start(tag), { status: 402 });
  });

  await t.test('accepts cards without a driver', async (t) => {
    t.match(await start(await card(null, 'NOBODY')), { status: 200 });
  });
});
