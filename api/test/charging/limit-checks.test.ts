import t, { type Test } from 'tap';
import { stopSessionsOverLimit } from '#api/jobs/session-watchdog.ts';
import { addDriver } from '#api/test/support/drivers.ts';
import { holdCharger, accepted, mintKey, register, startTestApi } from '#api/test/support/fixtures.ts';
import { addTariff, startSession } from '#api/test/support/records.ts';
import { createLogger } from '#shared/log/log.ts';
import { listLimitedSessions } from '#shared/postgres/charging/session-limits.statements.ts';

const log = createLogger('test', 'silent');

/** A charger whose running sessions, one at each connector, wallets pay for. */
async function scene(t: Test) {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  await addTariff(sql, api.network.id);
  const operator = await mintKey(api);
  const { id: chargerUuid } = await register(api, operator, { serial: 'CP-1' });
  const taken = await holdCharger(api, 'CP-1', () => accepted);
  let connector = 0;
  return {
    sql,
    taken,
    driver: (minor: bigint, email: string) => addDriver(api, minor, email),
    start: (userId: number) =>
      startSession(sql, { chargerUuid, connector: ++connector, userId, startedAt: new Date() }),
    watch: () => stopSessionsOverLimit({ ...api.deps, log }),
    /** Uuids of the sessions whose check is due. */
    due: async () => (await listLimitedSessions(sql)).map(({ uuid }) => uuid).toSorted(),
    credit: (wallet: string) =>
      api.call(operator, {
        method: 'POST',
        url: `/cpms/v1/wallets/${wallet}/credit`,
        payload: { amount: 1, reason: 'Paid at the desk' },
      }),
  };
}

void t.test('checks a session again when it changed, and no other one', async (t) => {
  const { sql, driver, start, watch, due } = await scene(t);
  const [one, other] = [await driver(5000n, 'one@example.org'), await driver(5000n, 'other@example.org')];
  const [session, silent] = [await start(one.user.id), await start(other.user.id)];
  t.same(await due(), [session.uuid, silent.uuid].toSorted(), 'new sessions are due');
  await watch();
  t.same(await due(), []);
  await sql`update sessions set energy_wh = 1000 where uuid = ${session.uuid}`;
  t.same(await due(), [session.uuid]);
  await watch();
  t.same(await due(), []);
});

void t.test('checks all sessions of a wallet together', async (t) => {
  const { sql, driver, start, watch, due, credit } = await scene(t);
  const one = await driver(5000n, 'one@example.org');
  const sessions = [await start(one.user.id), await start(one.user.id)];
  const uuids = sessions.map(({ uuid }) => uuid).toSorted();
  await watch();
  t.same(await due(), []);
  await sql`update sessions set energy_wh = 1000 where uuid = ${uuids[0] ?? ''}`;
  t.same(await due(), uuids, 'one of them changed');
  await watch();
  t.same(await due(), []);
  t.equal((await credit(one.wallet)).status, 200);
  t.same(await due(), uuids, 'the balance changed');
});

void t.test('checks a session in each run while it may soon pass a limit', async (t) => {
  const { sql, driver, start, watch, due, taken } = await scene(t);
  const one = await driver(5000n, 'one@example.org');
  const session = await start(one.user.id);
  // 1.50 for the session and 0.40 per kWh, 21 % VAT: 99.45 kWh cost 49.95. At 7 kW half a minute costs 0.03.
  await sql`update sessions set energy_wh = 99450, power_w = 7000, live_at = now() where uuid = ${session.uuid}`;
  await watch();
  t.same(taken, []);
  t.same(await due(), [session.uuid]);
  await sql`update sessions set energy_wh = 99700, live_at = now() where uuid = ${session.uuid}`;
  await watch();
  t.equal(taken.length, 1);
});

void t.test('checks a session that does not change at its longest duration', async (t) => {
  const { sql, driver, start, watch, due } = await scene(t);
  const one = await driver(5000n, 'one@example.org');
  const session = await start(one.user.id);
  await sql`update sessions set max_duration_s = 30 where uuid = ${session.uuid}`;
  await watch();
  t.same(await due(), []);
  const [check] = await sql<{ seconds: number }[]>`
    select extract(epoch from next_at - s.started_at)::double precision as seconds
    from limit_checks k join sessions s on s.id = k.session_id`;
  // Time between the look at the session and its note is added.
  const { seconds = 0 } = check ?? {};
  t.ok(seconds > 29 && seconds < 60, `${seconds} s after its start`);
});
