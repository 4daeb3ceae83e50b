import type { Sql } from '#shared/postgres/kernel/client.ts';

/** Held while readings are rolled up. The number means nothing beyond being ours. */
const rollupLock = 7_140_900_059;

/** Runs work under the lock of the rollup of readings; does nothing while another process holds it. */
export async function withRollupLock(sql: Sql, work: () => Promise<void>): Promise<void> {
  await sql.begin(async (transaction) => {
    const [lock] = await transaction<{ isMine: boolean }[]>`
      select pg_try_advisory_xact_lock(${rollupLock}) as "isMine"`;
    if (lock?.isMine === true) await work();
  });
}
