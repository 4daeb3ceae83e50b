import t from 'tap';
import { Replica } from '#shared/postgres/kernel/replica.ts';
import { promote, startPostgresPair } from '#shared/testing/postgres-pair.ts';
import { until } from '#shared/testing/until.ts';

void t.test('reads from a replica while its data is fresh, else from the primary', async (t) => {
  const { primary, standby } = await startPostgresPair(t, { synchronous: false });
  const failures: unknown[] = [];
  const replica = new Replica(
    { primary: primary.url, replica: standby.url },
    { failed: (error) => failures.push(error), recovered: () => undefined },
  );
  t.teardown(() => replica.close());
  const reads = replica.reads(primary.sql, { name: 'reads', connections: 2, timeoutMs: 15_000 });
  const readsFrom = async ({ host }: { host: string }) => {
    const [row] = await reads.read((sql) => sql<{ port: number }[]>`select inet_server_port() as port`);
    return host.endsWith(`:${row?.port}`);
  };
  await until('a fresh replica', async () => (await readsFrom(standby)) && reads.age() < 5000);

  await primary.sql`create table written (number integer)`;
  await standby.sql`select pg_wal_replay_pause()`;
  await primary.sql`insert into written values (1)`;
  // The allowed age counts from the last beat that the replica has.
  const tooOld: number[] = [];
  await until('a stale replica', async () => {
    const age = reads.age();
    const isStale = await readsFrom(primary);
    if (!isStale && age > 5000) tooOld.push(age);
    return isStale;
  });
  t.same(tooOld, [], 'no read of a replica that is older');
  t.ok(reads.age() > 5000, `the replica is ${Math.round(reads.age())} ms old`);
  t.same(await reads.read((sql) => sql`select number from written`), [{ number: 1 }]);
  await standby.sql`select pg_wal_replay_resume()`;
  await until('a fresh replica again', () => readsFrom(standby));

  t.same(
    await reads.read((sql) => sql`select pg_terminate_backend(pg_backend_pid()) where pg_is_in_recovery()`),
    [],
    'a read that loses its replica is answered by the primary',
  );
  await until('a fresh replica after a lost connection', () => readsFrom(standby));

  failures.length = 0;
  await promote(standby);
  await until('a check of the promoted replica', async () => failures.length > 0);
  await until('reads from the primary', () => readsFrom(primary));
  t.match(failures[0], { message: 'The read replica has no recent data, or is no replica.' });
});
