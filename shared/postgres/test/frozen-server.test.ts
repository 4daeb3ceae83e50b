import t, { type Test } from 'tap';
import { isPostgresDown, openPostgres } from '#shared/postgres/kernel/client.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { freezableServer } from './support/freezable-server.ts';

async function frozenScene(t: Test, connections: number) {
  const { databaseUrl } = await testStores(t, { fresh: true });
  const server = await freezableServer(t, databaseUrl);
  const sql = openPostgres(server.databaseUrl, { name: 'frozen', connections, timeoutMs: 5000 });
  t.teardown(() => sql.end({ timeout: 1 }));
  return { server, sql };
}

async function areDown(t: Test, queries: Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(queries);
  t.same(
    outcomes.map((outcome) => outcome.status === 'rejected' && isPostgresDown(outcome.reason)),
    queries.map(() => true),
  );
}

// Each test waits for the timeout of its own pool.
void t.test('a frozen server', { jobs: 6 }, async (t) => {
  void t.test('queries on connections of a frozen server fail', async (t) => {
    const { server, sql } = await frozenScene(t, 2);
    await Promise.all([sql`select 1`, sql`select 1`]);
    server.freeze();
    await areDown(t, [sql`select 1`, sql`select 2`]);
  });

  void t.test('queries that wait for a connection to a frozen server fail', async (t) => {
    const { server, sql } = await frozenScene(t, 1);
    server.freeze();
    await areDown(
      t,
      Array.from({ length: 20 }, () => sql.begin((transaction) => transaction`select 1`)),
    );
  });

  void t.test(
    'a transaction whose server freezes fails and is not committed',
    { buffered: true },
    async (t) => {
      const { server, sql } = await frozenScene(t, 1);
      await sql`create table kept (id integer)`;
      await areDown(t, [
        sql.begin(async (transaction) => {
          await transaction`insert into kept values (1)`;
          server.freeze();
          await transaction`insert into kept values (2)`;
        }),
      ]);
      server.thaw();
      t.same(await until('an answer', () => sql`select id from kept`.catch(() => null)), []);
    },
  );

  void t.test('a pool recovers when its server thaws', async (t) => {
    const { server, sql } = await frozenScene(t, 2);
    server.freeze();
    await areDown(t, [sql`select 1`, sql`select 2`, sql`select 3`]);
    server.thaw();
    // Connections that were silent may still be closing.
    await until('an answer', async () => (await sql`select 1`.catch(() => [])).length === 1);
    t.same(await Promise.all([sql`select 1 as one`, sql`select 2 as two`]), [[{ one: 1 }], [{ two: 2 }]]);
  });

  void t.test('closes idle connections when one query gets no answer', async (t) => {
    const { server, sql } = await frozenScene(t, 3);
    await Promise.all([sql`select 1`, sql`select 1`, sql`select 1`]);
    server.freeze();
    server.replace();
    await areDown(t, [sql`select 1`]);
    const refused: string[] = [];
    await until('an answer', () =>
      sql`select 1`.catch((error: NodeJS.ErrnoException) => {
        refused.push(error.code ?? error.message);
        return undefined;
      }),
    );
    t.notOk(
      refused.includes('ANSWER_TIMEOUT'),
      `no other query waits for its own timeout: ${refused.join(', ')}`,
    );
  });

  void t.test(
    'a query that gets rows in time runs for longer than the timeout',
    { buffered: true },
    async (t) => {
      const { sql } = await frozenScene(t, 1);
      const rows = sql`select n, repeat('x', 10000) as padding, pg_sleep(1) from generate_series(1, 7) n`;
      t.equal((await rows).length, 7);
    },
  );
});
