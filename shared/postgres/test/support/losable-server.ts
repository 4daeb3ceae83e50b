import postgres from 'postgres';
import type { Test } from 'tap';
import { withoutSocket } from '#shared/embedded/postgres/unix-socket.ts';
import { openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';
import { testStores } from '#shared/testing/stores.ts';
import { testServers } from '#shared/testing/test-servers.ts';
import { until } from '#shared/testing/until.ts';

/** A database that a test can close and reopen, as a restart or a failover of the server does. */
export async function losableServer(t: Test) {
  const stores = await testStores(t, { fresh: true });
  const databaseUrl = withoutSocket(stores.databaseUrl);
  const admin = openPostgres(testServers().databaseUrl, { name: 'chargeway-test-admin', connections: 1 });
  const database = new URL(databaseUrl).pathname.slice(1);
  const open = (isOpen: boolean) =>
    admin.unsafe(`alter database ${database} with allow_connections ${isOpen ? 'true' : 'false'}`);
  t.teardown(async () => {
    await open(true);
    await admin.end();
  });
  return {
    databaseUrl,
    /** @param otherHost `host:port` that the pool tries after the server. */
    pool(connections: number, otherHost?: string): Sql {
      const { host } = new URL(databaseUrl);
      const url = otherHost === undefined ? databaseUrl : databaseUrl.replace(host, `${host},${otherHost}`);
      const sql = openPostgres(url, { name: 'lost', connections });
      t.teardown(() => sql.end({ timeout: 1 }));
      return sql;
    },
    /** Opens a pool of one connection with options of the driver itself. */
    driver(options: postgres.Options<Record<string, postgres.PostgresType>> = {}): postgres.Sql {
      const sql = postgres(databaseUrl, {
        max: 1,
        ...options,
        connection: { application_name: 'lost' },
      });
      t.teardown(() => sql.end({ timeout: 1 }));
      return sql;
    },
    watch: stores.sql,
    cut: () => admin`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${database} and application_name = 'lost'`,
    close: () => open(false),
    open: () => open(true),
    /** Resolves when this number of queries of the pool run in the server. */
    waiting: (text: string, count: number) =>
      until(`${count} queries like ${text}`, async () => {
        const [row] = await admin<
          { running: number }[]
        >`select count(*)::integer as running from pg_stat_activity
          where datname = ${database} and application_name = 'lost' and query like ${text} and state = 'active'`;
        return row?.running === count ? true : undefined;
      }),
  };
}
