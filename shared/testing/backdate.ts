import type { Sql } from '#shared/postgres/kernel/client.ts';

/** Lets a session have begun two hours earlier, so that the energy that a test reports at once is plausible. */
export async function backdateStart(sql: Sql, sessionUuid: string): Promise<void> {
  await sql`update sessions set started_at = started_at - interval '2 hours' where uuid = ${sessionUuid}`;
}
