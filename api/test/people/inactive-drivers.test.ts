import t from 'tap';
import { eraseInactiveDrivers } from '#api/services/people/inactive-drivers.ts';
import { testSettings } from '#api/test/support/deps.ts';
import { addDriver } from '#api/test/support/drivers.ts';
import { mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { endSession, startSession } from '#api/test/support/records.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { seedCharger } from '#shared/testing/seed.ts';

const limit = 1000;

/** Runs the retention with a period of the installation; returns the e-mail addresses of the drivers that are left. */
async function run(api: TestApi, personalDataDays: number | null): Promise<string[]> {
  const settings = { ...testSettings, retention: { ...testSettings.retention, personalDataDays } };
  await eraseInactiveDrivers({ ...api.deps, settings }, 0, limit);
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
