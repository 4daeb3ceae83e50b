import t from 'tap';
import { jobPolicies } from '#shared/domain/kernel/jobs.ts';
import { isTooSlow, openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';
import { installJobs, JobQueue, lookMs } from '#shared/postgres/kernel/jobs.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

void t.test('runs a job once over all processes and retries it when it fails', async (t) => {
  const { sql } = await testStores(t, { fresh: true });
  const errors: unknown[] = [];
  const [one, two] = await Promise.all([
    JobQueue.open(sql, (error) => errors.push(error)),
    JobQueue.open(sql, (error) => errors.push(error)),
  ]);
  t.teardown(async () => {
    await one.close();
    await two.close();
  });
  const ran: number[] = [];
  const run = async ({ mailId }: { mailId: number }) => {
    ran.push(mailId);
    if (mailId === 3) throw new Error('it fails');
    return Promise.resolve();
  };
  await one.work('send-mail', run);
  await two.work('send-mail', run);

  await sql.begin((transaction) => one.enqueue(transaction, 'send-mail', { mailId: 1 }));
  await sql
    .begin(async (transaction) => {
      await one.enqueue(transaction, 'send-mail', { mailId: 2 });
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
  await one.enqueue(sql, 'send-mail', { mailId: 3 }, { id });
  await two.enqueue(sql, 'send-mail', { mailId: 3 }, { id });
  await one.enqueue(sql, 'send-mail', { mailId: 4 }, { startAfter: new Date(Date.now() + 3600_000) });
  const states = () =>
    sql`select data, state::text, start_after > now() as later from jobs.job order by data ->> 'mailId'`;
  await until('both were run', async () =>
    (await states()).every(({ state }) => state !== 'active' && ran.length === 2),
  );
  t.match(
    await states(),
    [
      { data: { mailId: 1 }, state: 'completed' },
      { data: { mailId: 3 }, state: 'retry', later: true },
      { data: { mailId: 4 }, state: 'created', later: true },
    ],
    'a rolled-back job does not exist, and the same job twice is one',
  );
  t.same(
    ran.toSorted((a, b) => a - b),
    [1, 3],
  );
  t.same(errors, []);
});

void t.test('runs due jobs without a pause between them', async (t) => {
  const { sql } = await testStores(t, { fresh: true });
  // The look for due jobs is held, which also starts workers that pause.
  const held = Promise.withResolvers<[]>();
  const withoutLook = new Proxy(sql, {
    apply: (target, self, args: Parameters<typeof sql>) =>
      isLook(args) ? held.promise : (Reflect.apply(target, self, args) as unknown),
  });
  const queue = await JobQueue.open(withoutLook, (error) => t.fail(String(error)));
  t.teardown(async () => {
    held.resolve([]);
    await queue.close();
  });
  for (let mailId = 1; mailId <= 40; mailId += 1) await queue.enqueue(sql, 'send-mail', { mailId });
  const ran = new Set<number>();
  await queue.work('send-mail', async ({ mailId }) => {
    ran.add(mailId);
    return mailId % 2 === 0 ? Promise.resolve() : Promise.reject(new Error('it fails'));
  });
  await until('all were run', () => ran.size === 40);
});

/** Returns whether these are the arguments of the statement that looks for due jobs. */
function isLook([text]: Parameters<Sql>): boolean {
  return text.join('').includes('jobs.job j');
}

void t.test(
  'looks for due jobs of all names with one query, and runs them alongside a long one',
  async (t) => {
    const { sql } = await testStores(t, { fresh: true });
    let fetches = 0;
    let looks = 0;
    const counted = new Proxy(sql, {
      apply(target, self, args: Parameters<typeof sql>) {
        if (isLook(args)) looks++;
        return Reflect.apply(target, self, args) as unknown;
      },
      get(target, key) {
        if (key !== 'unsafe') return Reflect.get(target, key) as unknown;
        return (text: string, ...more: [never[]]) => {
          if (/\bnext AS\b/.test(text)) fetches++;
          return target.unsafe(text, ...more);
        };
      },
    });
    const clock = new VirtualClock();
    const queue = await JobQueue.open(counted, (error) => t.fail(String(error)), clock);
    t.teardown(() => queue.close());
    const ran: number[] = [];
    const long = Promise.withResolvers<void>();
    t.teardown(() => long.resolve());
    await queue.work('send-mail', async ({ mailId }) => {
      ran.push(mailId);
      if (mailId === 1) await long.promise;
    });
    await queue.work('ocpi-command', () => Promise.resolve());
    await until('the first fetch of each worker', async () => fetches >= 12);
    clock.advance(lookMs);
    t.equal(looks, 1, 'one look for two names');
    await until('the end of the look, and the next one', () => {
      clock.advance(lookMs);
      return looks === 2;
    });
    t.equal(fetches, 12, 'no worker fetches while nothing is due');

    await queue.enqueue(sql, 'send-mail', { mailId: 1 });
    await until('the long job', async () => ran.includes(1));
    const startAfter = new Date(Date.now() + 3_600_000);
    for (const mailId of [2, 3, 4, 5]) await queue.enqueue(sql, 'send-mail', { mailId }, { startAfter });
    await sql`update jobs.job set start_after = now() where start_after > now()`;
    clock.advance(lookMs);
    await until('the delayed jobs', async () => ran.length === 5);
    t.same(
      ran.toSorted((a, b) => a - b),
      [1, 2, 3, 4, 5],
    );
  },
);

void t.test('leaves no open transaction behind when a script of pg-boss fails', async (t) => {
  const { sql: other, databaseUrl } = await testStores(t, { fresh: true });
  const sql = openPostgres(databaseUrl, {
    name: 'script',
    connections: 1,
    timeoutMs: 8000,
    endsSlowStatements: true,
  });
  t.teardown(() => sql.end({ timeout: 1 }));
  await other`drop schema jobs cascade`;
  await other.begin(async (blocker) => {
    // The script creates the schema too, within its transaction, and waits for this one.
    await blocker`create schema jobs`;
    const error = await installJobs(sql).catch((reason: unknown) => reason);
    t.ok(isTooSlow(error), String(error));
  });
  t.same(await sql`select 1 as one`, [{ one: 1 }], 'a query runs outside of it');
  t.same(await sql.begin((inside) => inside`select 1 as one`), [{ one: 1 }]);
  await other`drop schema jobs`;
  await installJobs(sql);
  t.same(await other`select count(*)::integer as names from jobs.queue`, [
    { names: Object.keys(jobPolicies).length },
  ]);
});
