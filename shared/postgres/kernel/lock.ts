import type { Sql } from './client.ts';

/** The number means nothing beyond being ours. */
const migrationLock = 7_140_900_002;

/** Runs `work` while no other process does: for what is done once at a start, such as ClickHouse's migrations. */
export async function withMigrationLock(sql: Sql, work: () => Promise<void>): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${migrationLock})`;
    await work();
  });
}
