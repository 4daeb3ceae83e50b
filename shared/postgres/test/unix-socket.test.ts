import postgres from 'postgres';
import t from 'tap';
import { withoutSocket } from '#shared/embedded/postgres/unix-socket.ts';
import { testStores } from '#shared/testing/stores.ts';

void t.test('connects through the Unix socket that the parameter host names', async (t) => {
  const { databaseUrl } = await testStores(t);
  const connection = async (url: string) => {
    const sql = postgres(url, { max: 1 });
    t.teardown(() => sql.end());
    const [row] = await sql`select inet_client_addr() is null as "isLocal", current_database() as database`;
    return row;
  };
  const database = new URL(databaseUrl).pathname.slice(1);
  t.same(await connection(databaseUrl), { isLocal: true, database });
  t.same(await connection(withoutSocket(databaseUrl)), { isLocal: false, database });
});
