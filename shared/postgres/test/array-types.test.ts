import t from 'tap';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { testStores } from '#shared/testing/stores.ts';

void t.test('reads the array types once for all connections of a pool', async (t) => {
  const { databaseUrl } = await testStores(t);
  const sql = openPostgres(databaseUrl, { name: 'array-types', connections: 3 });
  t.teardown(() => sql.end());
  await sql`select`;
  const connections = [await sql.reserve(), await sql.reserve(), await sql.reserve()];
  t.teardown(() => connections.map((connection) => connection.release()));
  let reads = 0;
  for (const connection of connections) {
    const [row] = await connection<{ list: unknown; count: number }[]>`
      select array['', 'a,b']::varchar[] as list,
        (select count(*) from pg_prepared_statements where statement like '%typarray%' and statement not like '%pg_prepared%')::integer as count`;
    t.same(row?.list, ['', 'a,b'], 'each connection reads arrays');
    reads += row?.count ?? 0;
  }
  t.equal(reads, 1);
});
