import t from 'tap';
import { forgetMails } from '#api/jobs/mails.job.ts';
import { reviewInactiveDrivers } from '#api/services/people/inactive-drivers.service.ts';
import { testSettings } from '#api/test/support/deps.ts';
import { addDriver } from '#api/test/support/drivers.ts';
import { mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { mailTo } from '#api/test/support/mailbox.ts';
import { endSession, startSession } from '#api/test/support/records.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { seedCharger } from '#shared/testing/seed.ts';

/** Runs the retention with a period of the installation; returns the e-mail addresses of the drivers that are left. */
async function run(
  api: TestApi,
  personalDays: number | null,
  { hasServer = false, notices = 1000 } = {},
): Promise<string[]> {
  const retention = { ...testSettings.retention, personalDays };
  const deps = { ...api.deps, settings: { ...testSettings, retention }, mailer: { hasServer } };
  await reviewInactiveDrivers(deps, 0, { drivers: 1000, notices });
  const rows = await api.stores.sql<{ email: string }[]>`
    select email from users where deleted_at is null order by email`;
  return rows.map(({ email }) => email);
}

/** Adds a driver who was registered two years ago, and does nothing since. */
async function addOld(api: TestApi, email: string, opening = 0n, network = api.network) {
  const driver = await addDriver(api, opening, email, network);
  const { sql } = api.stores;
  await sql`update users set created_at = now() - interval '800 days', updated_at = now() - interval '800 days'
    where id = ${driver.user.id}`;
  return driver;
}

void t.test(
  'deletes drivers of a network after its own period, and of others after the default',
  async (t) => {
    const api = await startTestApi(t);
    const key = await mintKey(api);
    await addOld(api, 'north@example.org');
    await addOld(api, 'south@example.org', 0n, api.otherNetwork);
    const both = ['north@example.org', 'south@example.org'];
    t.same(await run(api, null), both, 'no period is set');
    t.same(await run(api, 900), both, 'the period is not over');

    const setDays = (personalDataDays: number | null) =>
      api.call(key, {
        method: 'PATCH',
        url: `/cpms/v1/networks/${api.network.uuid}`,
        payload: { personalDataDays },
      });
    t.match(await setDays(364), { status: 400 });
    t.match(await setDays(2000), { status: 200, json: { data: { personalDataDays: 2000 } } });
    t.same(await run(api, null), both);
    t.match(await setDays(700), { status: 200 });
    t.same(await run(api, null), ['south@example.org'], 'the network has shortened it');
    t.match(await setDays(2000), { status: 200 });
    t.same(await run(api, 700), [], 'the network cannot lengthen it');

    const [entry] = await api.stores.sql`
    select action, user_id, user_name, details from audit_log where category = 'user' order by id limit 1`;
    t.match(entry, { action: 'delete', user_id: null, user_name: 'personal-data-retention' });
    t.notMatch(JSON.stringify(entry), /north@example/);
  },
);

void t.test('keeps drivers who were active within the period, or have money', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const recently = sql`now() - interval '100 days'`;
  const charger = await seedCharger(sql, api.network.id, { connectors: 3 });
  const charge = (userId: number, connector: number, daysAgo: number) =>
    startSession(sql, {
      chargerUuid: charger.uuid,
      connector,
      userId,
      startedAt: new Date(Date.now() - daysAgo * 24 * 3_600_000),
    });
  const activities: Record<string, (sql: Sql, userId: number) => Promise<unknown>> = {
    'changed@example.org': (pool, id) => pool`update users set updated_at = ${recently} where id = ${id}`,
    'key@example.org': (pool, id) =>
      pool`update api_keys set last_used_at = ${recently} where user_id = ${id}`,
    'login@example.org': (pool, id) => pool`
      insert into driver_accounts (network_id, user_id, password_hash, created_at, last_login_at)
      values (${api.network.id}, ${id}, '', now() - interval '800 days', ${recently})`,
    'wallet@example.org': (pool, id) => pool`
      insert into ledger_transactions (wallet_id, cause, cause_id, available_after_minor, held_after_minor, owed_after_minor, created_at)
      select id, 'CREDIT', gen_random_uuid(), 0, 0, 0, ${recently} from wallets where user_id = ${id}`,
    'signed-in@example.org': (pool, id) => pool`
      with account as (
        insert into driver_accounts (network_id, user_id, password_hash, created_at)
        values (${api.network.id}, ${id}, '', now() - interval '800 days') returning id
      )
      insert into driver_sessions (id, account_id, expires_at) select gen_random_uuid(), id, now() + interval '1 day' from account`,
  };
  for (const [email, act] of Object.entries(activities)) {
    const { user } = await addOld(api, email);
    await act(sql, user.id);
  }
  await addOld(api, 'money@example.org', 500n);
  const { user: charging } = await addOld(api, 'charging@example.org');
  await charge(charging.id, 1, 790);
  const { user: charged } = await addOld(api, 'charged@example.org');
  await endSession(sql, await charge(charged.id, 2, 100), 1000);
  const { user: idle } = await addOld(api, 'idle@example.org');
  await endSession(sql, await charge(idle.id, 3, 790), 1000);
  await addOld(api, 'nothing@example.org');
  t.same(
    await run(api, 700),
    [
      ...Object.keys(activities),
      'charging@example.org',
      'charged@example.org',
      'money@example.org',
    ].toSorted(),
  );
});

void t.test('deletes an inactive driver after the last day that the notice names', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const email = 'silent@example.org';
  await addOld(api, email);
  await addOld(api, 'rich@example.org', 500n);
  const mails = async () => [...(await sql`select kind, recipient from mails order by id`)];
  const notice = { kind: 'account-deletion', recipient: email };
  const age = (days: number) =>
    sql`update inactivity_notices set sent_at = sent_at - make_interval(days => ${days})`;
  const both = ['rich@example.org', email];

  t.same(await run(api, 900, { hasServer: true }), both);
  t.same(await mails(), [], 'the period ends in 100 days');
  t.same(await run(api, 820, { hasServer: true, notices: 0 }), both);
  t.same(await mails(), [], 'the mail server has received enough in this run');
  t.same(await run(api, 820, { hasServer: true }), both);
  t.same(await mails(), [notice], 'the period ends in 20 days');
  const lastDay = new Date(Date.now() + 32 * 24 * 3_600_000);
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  t.match((await mailTo(api, email)).text, `After ${format.format(lastDay)}`);
  await sql`update mails set created_at = now() - interval '3 days'`;
  await forgetMails(api.deps);
  await run(api, 820, { hasServer: true });
  t.equal((await mails()).length, 1, 'the notice that could not be sent is forgotten');
  await run(api, 820, { hasServer: true });
  t.match((await mails()).at(1), notice, 'and sent again');
  await sql`delete from mails where recipient is null`;
  await age(32);
  t.same(await run(api, 700, { hasServer: true }), both, 'on the last day');
  t.same(await mails(), [notice], 'one notice');
  await age(2);
  t.same(await run(api, 820, { hasServer: true }), both, 'before the end of the period');
  t.same(await run(api, 700, { hasServer: true }), ['rich@example.org']);
  await run(api, 700, { hasServer: true });
  t.same(await sql`select user_id from inactivity_notices`, [], 'no notice is kept of a deleted driver');
});

void t.test('forgets the notice to a driver who is active again', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const charger = await seedCharger(sql, api.network.id, { connectors: 1 });
  const signedIn = await addOld(api, 'login@example.org');
  const charged = await addOld(api, 'session@example.org');
  const both = ['login@example.org', 'session@example.org'];
  await sql`
    insert into driver_accounts (network_id, user_id, password_hash, created_at)
    values (${api.network.id}, ${signedIn.user.id}, '', now() - interval '800 days')`;
  t.same(await run(api, 700, { hasServer: true }), both);
  await sql`update inactivity_notices set sent_at = now() - interval '34 days'`;
  await sql`update driver_accounts set last_login_at = now() where user_id = ${signedIn.user.id}`;
  const session = { chargerUuid: charger.uuid, connector: 1, userId: charged.user.id };
  await endSession(sql, await startSession(sql, { ...session, startedAt: new Date() }), 1000);
  t.same(await run(api, 700, { hasServer: true }), both);
  t.same(await sql`select user_id from inactivity_notices`, []);

  await sql`update driver_accounts set last_login_at = now() - interval '800 days'`;
  t.same(await run(api, 700, { hasServer: true }), both, 'inactive for years again');
  t.equal(
    (await sql`select id from mails where recipient = 'login@example.org'`).length,
    2,
    'a notice of its own',
  );
});
