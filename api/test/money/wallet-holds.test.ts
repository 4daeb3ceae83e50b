import t from 'tap';
import { releaseExpiredHolds } from '#shared/postgres/money/wallet-holds.ts';
import { stopSessionsOverLimit } from '#api/jobs/session-watchdog.ts';
import type { CommandReply } from '#shared/domain/commands/commands.ts';
import { createLogger } from '#shared/log/log.ts';
import { answerStart, operatorStarts, rejected } from '#api/test/support/charging-drivers.ts';
import { addDriver } from '#api/test/support/drivers.ts';
import { accepted, items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { addTariff, addUser, endSession, startSession } from '#api/test/support/records.ts';

void t.test("requires the network's minimum balance for a start", async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const network = `/cpms/v1/networks/${api.network.uuid}`;
  t.match((await api.call(key, { url: network })).json['data'], { minimumBalance: 5 });
  const change = (minimumBalance: number) =>
    api.call(key, { method: 'PATCH', url: network, payload: { minimumBalance } });
  t.match((await change(7.25)).json['data'], { minimumBalance: 7.25 });
  t.match(await change(7.255), { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
  t.match(await change(-1), { status: 400 });
  const driver = await addDriver(api, 724n);
  const { start } = await operatorStarts(api);
  t.match(await start(driver.user.id), {
    status: 402,
    json: { error: { code: 'BALANCE_TOO_LOW', details: { needed: 7.25, currency: 'EUR' } } },
  });
  const without = await addUser(api.stores.sql, api.network.id, 'x@y.z');
  t.match(await start(without.id), { json: { error: { code: 'BALANCE_TOO_LOW' } } }, 'no wallet');
  await change(0);
  t.match(await start(driver.user.id), { status: 200 });
  t.match(await driver.shown(), { available: 7.24, held: 0 });
});

void t.test('holds no more than the balance for concurrent starts', async (t) => {
  const api = await startTestApi(t);
  const driver = await addDriver(api, 1700n);
  const { start } = await operatorStarts(api);
  const answers = await Promise.all(Array.from({ length: 12 }, () => start(driver.user.id)));
  t.equal(answers.filter(({ status }) => status === 200).length, 3);
  t.match(await driver.shown(), { available: 2, held: 15, balance: 17 });
  t.equal(answers.filter(({ status }) => status === 402).length, 9);
});

void t.test('releases a hold when the charger refuses, and keeps it while a session may begin', async (t) => {
  const api = await startTestApi(t);
  const driver = await addDriver(api, 1000n);
  let reply: CommandReply = rejected;
  const { start } = await operatorStarts(api, () => reply);
  t.match(await start(driver.user.id), { json: { data: { accepted: false } } });
  t.match(await driver.shown(), { available: 10, held: 0 });
  reply = { ok: false, code: 'CHARGER_OFFLINE', message: 'x' };
  t.match(await start(driver.user.id), { json: { error: { code: 'CHARGER_OFFLINE' } } });
  t.match(await driver.shown(), { available: 10, held: 0 });
  reply = { ok: false, code: 'CHARGER_TIMEOUT', message: 'x' };
  t.match(await start(driver.user.id), { json: { error: { code: 'CHARGER_TIMEOUT' } } });
  t.match(await driver.shown(), { available: 5, held: 5 });
  await releaseExpiredHolds(api.stores.sql);
  t.match(await driver.shown(), { held: 5 }, 'not before its time');
  await api.stores.sql`update wallet_holds set expires_at = now() where status = 'held'`;
  await Promise.all([releaseExpiredHolds(api.stores.sql), releaseExpiredHolds(api.stores.sql)]);
  t.match(await driver.shown(), { available: 10, held: 0 });
  const ledger = await api.call(driver.key, { url: '/emsp/v1/wallet/ledger' });
  t.same(
    items(ledger.json['data']).map(({ type }) => type as unknown),
    ['RELEASE', 'HOLD', 'RELEASE', 'HOLD', 'RELEASE', 'HOLD', 'CREDIT'],
  );
});

void t.test('gives the hold of a remote start to its session', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  await addTariff(sql, api.network.id);
  const driver = await addDriver(api, 1000n);
  const replies = [rejected];
  const { start, chargerUuid, taken } = await operatorStarts(api, () => replies.shift() ?? accepted);
  t.match(await start(driver.user.id), { json: { data: { accepted: false } } });
  t.match(await driver.shown(), { available: 10, held: 0 });
  t.match(await start(driver.user.id), { json: { data: { accepted: true } } });
  t.match(await driver.shown(), { available: 5, held: 5 });
  // The session has no driver: the wallet with the hold pays.
  const session = await startSession(sql, { chargerUuid, startedAt: new Date() });
  await answerStart(api, session, taken.at(-1));
  await sql`update sessions set started_at = now() - interval '1 hour'`;
  await endSession(sql, session, 5000);
  // 1.50 and 2.00, 21 % VAT: 4.24.
  t.match(await driver.shown(), { available: 5.76, held: 0, balance: 5.76 });
  const [newest] = items(
    (await api.call(driver.key, { url: '/emsp/v1/wallet/ledger?limit=1' })).json['data'],
  );
  t.match(newest, {
    type: 'SESSION',
    sessionId: session.uuid,
    change: { available: 0.76, held: -5, balance: -4.24 },
  });
});

void t.test('stops a session before the wallet is empty', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  await addTariff(sql, api.network.id);
  const { operator, chargerUuid: id, taken, start } = await operatorStarts(api);
  const log = createLogger('test', 'silent');
  const watch = async () => {
    taken.length = 0;
    await stopSessionsOverLimit({ ...api.deps, log });
    return taken.map(({ command }) => 'transactionId' in command && command.transactionId);
  };
  const driver = await addDriver(api, 1000n);
  const begin = (connector: number, userId: number | null = driver.user.id) =>
    startSession(sql, { chargerUuid: id, connector, userId, startedAt: new Date() });
  const live = (uuid: string, wh: number, watts = 0) => sql`
    update sessions set energy_wh = ${wh}, power_w = ${watts}, live_at = now() where uuid = ${uuid}`;
  const one = await begin(1);
  const nobodys = await begin(2, null);
  // 1.50 and 0.40 per kWh, 21 % VAT: 16 kWh cost 9.56, 17 kWh 10.04.
  await live(nobodys.uuid, 100_000);
  await live(one.uuid, 16_000);
  t.strictSame(await watch(), []);
  // 120 kW are 1 kWh in the next 30 s.
  await live(one.uuid, 16_000, 120_000);
  t.strictSame(await watch(), [one.transactionId], 'by the time that it stops the money is gone');
  const emsp = await mintKey(api, { apiFamily: 'emsp' });
  const shown = await api.call(emsp, { url: `/emsp/v1/charging/sessions/${one.uuid}` });
  t.match(shown.json, { status: 'STOPPING', limits: { passed: 'WalletBalance' } });
  t.strictSame(await watch(), [], 'not asked again at once');

  await sql`update sessions set stop_next_at = null, status = 'ACTIVE'`;
  await api.call(operator, {
    method: 'POST',
    url: `/cpms/v1/wallets/${driver.wallet}/credit`,
    payload: { amount: 10, reason: 'Charge on' },
  });
  t.strictSame(await watch(), [], 'there is money again');

  const two = await begin(3);
  await live(two.uuid, 14_000);
  t.strictSame(await watch(), [], '10.04 and 8.59 of 20.00');
  await live(two.uuid, 18_000);
  t.same(new Set(await watch()), new Set([one.transactionId, two.transactionId]), 'together');

  await sql`update sessions set stop_next_at = null, status = 'ACTIVE'`;
  await sql`update networks set minimum_balance_minor = 1500 where id = ${api.network.id}`;
  t.match(await start(driver.user.id), { status: 200 });
  await sql`update wallet_holds set session_id = (select id from sessions where uuid = ${one.uuid})`;
  t.strictSame(await watch(), [two.transactionId], 'what was held for the other is not for this one');
});
