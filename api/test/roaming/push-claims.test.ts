import t from 'tap';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { pushChannel, queueChanges } from '#shared/postgres/roaming/ocpi-changes.ts';
import { claimPushes, listDuePartners } from '#shared/postgres/roaming/ocpi-pushes.ts';
import { until } from '#shared/testing/until.ts';
import { startEmsp } from './support/emsp.ts';
import { registerEmsp } from './support/partner.ts';
import { hurried, locations, owed, seedPlace, setStatus, startPusher } from './support/pushing.ts';

void t.test('claims no push for a partner that was suspended meanwhile', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const { charger } = await seedPlace(api);
  const { id } = await registerEmsp(api, await startEmsp(t));
  await setStatus(api, charger.id, 'Charging');
  await queueChanges(sql, 1000);
  const [partnerId = 0] = await listDuePartners(sql);
  t.ok(partnerId, 'a process saw that something is due');

  const suspend = (isSuspended: boolean) =>
    api.call(key, { method: 'PATCH', url: `/cpms/v1/ocpi-partners/${id}`, payload: { isSuspended } });
  await suspend(true);
  t.strictSame(await claimPushes(sql, partnerId, hurried), []);
  const tried = await sql`
    select from ocpi_pushes where partner_id = ${partnerId} and (attempts > 0 or claimed_until is not null)`;
  t.equal(tried.length, 0, 'and no try is counted');
  await suspend(false);
  t.not((await claimPushes(sql, partnerId, hurried)).length, 0, 'it comes once the partner is back');
});

void t.test('sends a push that falls due during the last search of its lane', async (t) => {
  const api = await startTestApi(t, {}, { fresh: true });
  const { sql } = api.stores;
  const emsp = await startEmsp(t);
  await registerEmsp(api, emsp);
  const { location, charger, evses } = await seedPlace(api);
  await queueChanges(sql, 1000);
  await sql`delete from ocpi_pushes`;
  startPusher(t, api, { everyMs: 600_000 });
  // A connection shows its last query only: this one asks, and no other.
  const watcher = await sql.reserve();
  t.teardown(() => watcher.release());
  const since = async (moment: Date, query: string) => {
    const found = await watcher`
      select from pg_stat_activity
      where datname = current_database() and query ilike ${query} and state = 'idle' and query_start > ${moment}`;
    return found.length > 0;
  };
  await until('that the process listens', () => since(new Date(0), `listen%${pushChannel}%`));

  // A claim that found nothing, and so has spent nothing, ends when the test lets it.
  await sql.unsafe(`
    create function wait_for_test() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(42); return new; end $$;
    create trigger wait_for_test before update of budget on ocpi_push_lanes for each row
      when (new.budget >= old.budget) execute function wait_for_test()`);
  const [isHeld, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(42)`;
    isHeld.resolve();
    await released.promise;
  });
  t.teardown(() => released.resolve());
  await isHeld.promise;

  await setStatus(api, charger.id, 'Charging', 1);
  await queueChanges(sql, 1000);
  await emsp.next('PATCH', `${locations}/${location.uuid}/${evses[0]?.uid}`);
  await until('that the lane found nothing more', async () => {
    const waiting = await sql`
      select from pg_locks where locktype = 'advisory' and objid = 42 and not granted
        and database = (select oid from pg_database where datname = current_database())`;
    return waiting.length === 1;
  });

  const statements: string[] = [];
  sql.options.debug = (_connection, statement) => statements.push(statement);
  await setStatus(api, charger.id, 'Charging', 2);
  await queueChanges(sql, 1000);
  const look = 'from ocpi_partners p left join ocpi_push_lanes';
  await until('that the process saw it to be due', async () =>
    statements.some((statement) => statement.includes(look)),
  );
  released.resolve();
  await held;
  await emsp.next('PATCH', `${locations}/${location.uuid}/${evses[1]?.uid}`);
  await until('all is settled', async () => (await owed(api)) === 0);
});
