import t, { Test } from 'tap';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { type SharedStores, type StoreOptions, testStores } from '#shared/testing/stores.ts';

/** Databases of these tests only. */
const purpose = 'stores-test';

/** Runs a test with stores by itself; returns what it found, and its errors. */
async function inTest<Found>(
  work: (stores: SharedStores) => Promise<Found>,
  options: StoreOptions = { purpose },
): Promise<{ found: Found; errors: string }> {
  const test = new Test({ name: 'with stores' });
  let tap = '';
  test.on('data', (chunk) => (tap += chunk));
  const ended = new Promise((resolve) => test.once('end', resolve));
  let found: Found | undefined;
  test.runMain(() => undefined);
  void test.test('works', async (inner) => {
    found = await work(await testStores(inner, options));
  });
  test.end();
  await ended;
  return { found: found as Found, errors: tap.match(/the test left in its databases: .*/)?.[0] ?? '' };
}

/** Returns the address of the databases that the next test uses. */
const sharedUrl = async () => (await inTest(async ({ databaseUrl }) => databaseUrl)).found;

void t.test('gives a test the databases of the one before, without its rows', async (t) => {
  const first = await inTest(async ({ sql, clickhouse, databaseUrl }) => {
    const network = await seedNetwork(sql);
    await sql`update outbox_readers set position = 5`;
    await clickhouse.command({
      query: `insert into status_events (charger_id, connector, status, time) values (1, 1, 'Available', now())`,
    });
    return { databaseUrl, id: network.id };
  });
  t.equal(first.errors, '');
  const second = await inTest(async ({ sql, clickhouse, databaseUrl }) => {
    const rows = await clickhouse.query({ query: 'select * from status_events', format: 'JSONEachRow' });
    return {
      databaseUrl,
      networks: (await sql`select from networks`).length,
      moved: (await sql`select from outbox_readers where position = 5`).length,
      readers: (await sql`select from outbox_readers`).length,
      events: (await rows.json()).length,
      id: (await seedNetwork(sql)).id,
    };
  });
  t.match(second.found, { databaseUrl: first.found.databaseUrl, networks: 0, moved: 0, events: 0 });
  t.ok(second.found.readers > 0, 'rows of the template are there');
  t.ok(second.found.id > first.found.id, 'identifiers are not used twice');
});

void t.test('fails a test that leaves more than rows, and drops its databases', async (t) => {
  for (const [what, work] of [
    [/catalogue/, async ({ sql }) => void (await sql`create table left_behind (id integer)`)],
    [/catalogue/, async ({ sql }) => void (await sql`alter table chargers rename to gone`)],
    [/advisory locks/, async ({ sql }) => void (await sql`select pg_advisory_lock(1)`)],
    [
      /changed table extra/,
      ({ clickhouse }) => clickhouse.command({ query: 'create table extra (a Int8) engine = Memory' }),
    ],
  ] as const satisfies [RegExp, (stores: SharedStores) => Promise<unknown>][]) {
    const before = await sharedUrl();
    const { errors } = await inTest(work);
    t.match(errors, what);
    t.not(await sharedUrl(), before);
  }
});

void t.test('fails a test that leaves a connection', async (t) => {
  let left: ReturnType<typeof openPostgres> | null = null;
  const { errors } = await inTest(async ({ databaseUrl }) => {
    left = openPostgres(databaseUrl, { name: 'left', connections: 1 });
    await left`select 1`;
  });
  t.match(errors, /a connection of left/);
  await (left as ReturnType<typeof openPostgres> | null)?.end({ timeout: 1 });
});

void t.test('gives a test databases of its own on request', async (t) => {
  const shared = await inTest(async ({ databaseUrl }) => databaseUrl);
  const fresh = await inTest(
    async ({ databaseUrl, sql }) => ({ databaseUrl, id: (await seedNetwork(sql)).id }),
    {
      purpose,
      fresh: true,
    },
  );
  t.not(fresh.found.databaseUrl, shared.found);
  t.equal(fresh.found.id, 1, 'with identifiers from 1');
});

void t.test('keeps a value for the databases until it must be opened again', async (t) => {
  const events: string[] = [];
  let isFit = true;
  const use = (stores: SharedStores) =>
    stores.keep('value', {
      open: async () => events.push('open'),
      reset: async () => {
        events.push('reset');
        return isFit;
      },
      close: async () => events.push('close'),
    });
  await inTest(use);
  await inTest(use);
  t.same(events, ['open', 'reset', 'reset']);
  isFit = false;
  await inTest(use);
  await inTest(use);
  t.same(events.slice(3), ['reset', 'close', 'open', 'reset', 'close']);
});
