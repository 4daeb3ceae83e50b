/** The database, in both servers, that every test's own is cloned from. */
export const templateDatabase = 'chargeway_template';

/** Returns the addresses of the servers of this run. */
export function testServers(): { databaseUrl: string; clickhouseUrl: string; redisUrl: string } {
  const { TEST_DATABASE_URL, TEST_CLICKHOUSE_URL, TEST_REDIS_URL } = process.env;
  if (TEST_DATABASE_URL === undefined || TEST_CLICKHOUSE_URL === undefined || TEST_REDIS_URL === undefined) {
    throw new Error(
      'the tests need their servers: run them with `npm test`, one file with `npm test -- FILE`',
    );
  }
  return { databaseUrl: TEST_DATABASE_URL, clickhouseUrl: TEST_CLICKHOUSE_URL, redisUrl: TEST_REDIS_URL };
}

/** Returns the address of another database of the same server. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
