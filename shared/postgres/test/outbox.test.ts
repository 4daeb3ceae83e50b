import t from 'tap';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import {
  advanceReader,
  assignPositions,
  claimEvents,
  inRange,
  readEvents,
  removeOldOutbox,
} from '#shared/postgres/kernel/outbox.statements.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';

const reader = 'charging-changes';

/** Writes an event that the reader of these tests takes. */
async function write(sql: Pick<Sql, 'unsafe'>, networkId: number, subject: number): Promise<void> {
  await sql.unsafe(`
    insert into outbox (network_id, type, subject_id) values (${networkId}, 'reservation.ended', ${subject})`);
}

/** Reads to the end. Returns the networks and subjects of the events in the order of reading. */
async function readAll(sql: Sql, limit = 1000): Promise<{ networkId: number; subject: number }[]> {
  const read: { networkId: number; subject: number }[] = [];
  await readEvents(sql, reader, limit, async (transaction, range) => {
    read.push(
      ...(await transaction<{ networkId: number; subject: number }[]>`
        select network_id as "networkId", subject_id::integer as subject from outbox
        where ${inRange(transaction, range)} order by position`),
    );
  });
  return read;
}

const subjectsOf = (events: { subject: number }[]) => events.map(({ subject }) => subject);

void t.test('a reader gets the event of a transaction that commits after a later one', async (t) => {
  const { sql } = await testStores(t);
  const { id } = await seedNetwork(sql);
  const [isWritten, isRead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const early = sql.begin(async (transaction) => {
    await write(transaction, id, 1);
    isWritten.resolve();
    await isRead.promise;
  });
  await isWritten.promise;
  await write(sql, id, 2);
  t.same(subjectsOf(await readAll(sql)), [2], 'the later event was committed first');
  isRead.resolve();
  await early;
  t.same(subjectsOf(await readAll(sql)), [1], 'the earlier event comes behind the position of the reader');
  t.same(await readAll(sql), []);
});

void t.test(
  'events of a burst get positions in time while the statistics know of none without a position',
  async (t) => {
    const { sql, databaseUrl } = await testStores(t);
    const { id } = await seedNetwork(sql);
    const writeMany = (count: number) => sql`
    insert into outbox (network_id, type, subject_id)
    select ${id}, 'reservation.ended', n from generate_series(1, ${count}::integer) n`;
    await writeMany(20_000);
    await assignPositions(sql);
    await sql`analyze outbox`;
    await writeMany(100_000);
    const assigner = openPostgres(databaseUrl, {
      name: 'assigner',
      connections: 1,
      timeoutMs: 10_000,
    });
    t.teardown(() => assigner.end());
    await assignPositions(assigner);
    const [order] = await sql<{ isKept: boolean }[]>`
    select bool_and(position > before) as "isKept"
    from (select position, lag(position) over (order by id) as before from outbox) positions where before is not null`;
    t.equal(order?.isKept, true, 'in the order of writing');
  },
);

void t.test('a reader gets every event of many writers once and in the order of each subject', async (t) => {
  const { sql, databaseUrl } = await testStores(t, { fresh: true });
  const networks = [await seedNetwork(sql), await seedNetwork(sql)];
  const writers = openPostgres(databaseUrl, { name: 'writers', connections: 8 });
  t.teardown(() => writers.end());
  await sql`create table subjects (id integer primary key, changes integer not null)`;
  await sql`insert into subjects select i, 0 from generate_series(1, 8) i`;
  const changesEach = 60;
  const writer = async (number: number): Promise<void> => {
    for (let change = 0; change < changesEach; change += 1) {
      const subject = ((number * 7 + change * 3) % 8) + 1;
      await writers.begin(async (transaction) => {
        // The lock on the subject orders its changes, as a row's own update does.
        const [row] = await transaction<{ changes: number }[]>`
          update subjects set changes = changes + 1 where id = ${subject} returning changes`;
        await write(transaction, networks[subject % 2]!.id, subject * 1000 + row!.changes);
        if (change % 3 === 0) await transaction`select pg_sleep(0.002)`;
      });
    }
  };
  const writing = { isDone: false };
  const read: { networkId: number; subject: number }[] = [];
  const reading = (async () => {
    while (!writing.isDone) read.push(...(await readAll(sql, 7)));
    read.push(...(await readAll(sql, 7)));
  })();
  await Promise.all(Array.from({ length: 8 }, (_, number) => writer(number)));
  writing.isDone = true;
  await reading;
  t.equal(read.length, 8 * changesEach);
  for (let subject = 1; subject <= 8; subject += 1) {
    const changes = read.filter((event) => Math.floor(event.subject / 1000) === subject);
    t.same(
      subjectsOf(changes),
      changes.map((_, index) => subject * 1000 + index + 1),
      `the changes of subject ${subject}`,
    );
    t.ok(changes.every(({ networkId }) => networkId === networks[subject % 2]!.id));
  }
});

void t.test('two readers of one name never take the same event', async (t) => {
  const { sql } = await testStores(t);
  const { id } = await seedNetwork(sql);
  await write(sql, id, 1);
  await assignPositions(sql);
  await sql.begin(async (transaction) => {
    t.match(await claimEvents(transaction, reader, 10), { count: 1 });
    t.equal(await sql.begin((other) => claimEvents(other, reader, 10)), null, 'the other one does not wait');
  });
  t.same(subjectsOf(await readAll(sql)), [1], 'the one that did not advance left the event');
});

void t.test('a reader whose transaction fails gets the same events again', async (t) => {
  const { sql } = await testStores(t);
  const { id } = await seedNetwork(sql);
  await write(sql, id, 1);
  await t.rejects(
    readEvents(sql, reader, 10, () => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  t.same(subjectsOf(await readAll(sql)), [1]);
});

void t.test('a reader passes events of other types without reading them again', async (t) => {
  const { sql } = await testStores(t);
  const { id } = await seedNetwork(sql);
  await sql`insert into outbox (network_id, type, subject_id) values (${id}, 'cdr.created', 1)`;
  t.same(await readAll(sql), []);
  const [row] = await sql`
    select r.position = (select max(position) from outbox) as "isAtEnd" from outbox_readers r where name = ${reader}`;
  t.same(row, { isAtEnd: true });
});

void t.test('events are deleted after every reader passed them and their retention is over', async (t) => {
  const { sql } = await testStores(t);
  const { id } = await seedNetwork(sql);
  for (const subject of [1, 2, 3]) await write(sql, id, subject);
  await sql`update outbox set occurred_at = now() - interval '8 days' where subject_id < 3`;
  t.equal(await removeOldOutbox(sql, 7, 100), 0, 'without a position');
  await assignPositions(sql);
  t.equal(await removeOldOutbox(sql, 7, 100), 0, 'no reader passed them');
  const names = (await sql<{ name: typeof reader }[]>`select name from outbox_readers`).map(
    ({ name }) => name,
  );
  const [last, ...others] = names as [typeof reader, ...(typeof reader)[]];
  const advance = (name: typeof reader) =>
    sql.begin(async (transaction) => {
      const range = await claimEvents(transaction, name, 100);
      if (range !== null) await advanceReader(transaction, range);
    });
  for (const name of others) await advance(name);
  t.equal(await removeOldOutbox(sql, 7, 100), 0, 'one reader did not pass them');
  await advance(last);
  t.equal(await removeOldOutbox(sql, 7, 1), 1, 'at most as many as asked');
  t.equal(await removeOldOutbox(sql, 7, 100), 1);
  t.same(await sql`select subject_id::integer as subject from outbox`, [{ subject: 3 }]);
});
