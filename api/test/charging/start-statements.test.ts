import { randomUUID } from 'node:crypto';
import t from 'tap';
import { post, publicCharger, text } from '#api/test/support/charging-drivers.ts';
import { addDriver } from '#api/test/support/drivers.ts';
import { startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { addTariff } from '#api/test/support/records.ts';

/** Records the statements and the bus operations of an API. */
function recordOperations({ bus, stores: { sql } }: TestApi) {
  const statements: string[] = [];
  const busOperations: string[] = [];
  sql.options.debug = (_connection, statement) => {
    // Limits of networks, uses of keys and due jobs at intervals, types of arrays once for a connection: no start waits for them.
    if (!/^\s*(begin|commit)|rate_limit_per_minute|usage_count|\bjobs\.|pg_catalog/.test(statement)) {
      statements.push(statement);
    }
  };
  const record = <Target extends object>(target: Target, name: keyof Target & string) => {
    const original = target[name] as (...given: unknown[]) => unknown;
    Object.assign(target, {
      [name]: (...given: unknown[]) => {
        busOperations.push(name);
        return original.apply(target, given);
      },
    });
  };
  record(bus.presence, 'lookup');
  record(bus.presence, 'list');
  record(bus, 'request');
  record(bus, 'publish');
  return {
    /** Returns the operations of `work`. */
    during: async (work: () => Promise<void>) => {
      statements.length = 0;
      busOperations.length = 0;
      await work();
      return { statements: statements.length, busOperations: [...busOperations] };
    },
  };
}

void t.test('makes every lookup once for the start of a driver with a wallet', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  await addTariff(sql, api.network.id);
  const driver = await addDriver(api, 10_000n);
  const charger = await publicCharger(api);
  const operations = recordOperations(api);
  const start = async (body: object = {}, headers = {}) => {
    const made = await operations.during(async () => {
      const started = await post(api, driver.key, 'start', { chargerId: charger.uuid, ...body }, headers);
      t.equal(started.status, 200, text(started.json['code']));
    });
    await sql`update remote_starts set status = 'refused' where status = 'pending'`;
    await sql`update wallet_holds set session_id = null, status = 'released', closed_at = now()`;
    return made;
  };
  const busOperations = ['lookup', 'request'];
  t.same(await start(), { statements: 12, busOperations }, 'the first start makes the app token');
  t.same(await start(), { statements: 8, busOperations });
  t.same(await start({ maxCost: 10 }), { statements: 9, busOperations }, 'with the currency of its limit');
  const key = { 'idempotency-key': randomUUID() };
  t.same(await start({}, key), { statements: 10, busOperations }, 'with the two of an idempotency key');
});
