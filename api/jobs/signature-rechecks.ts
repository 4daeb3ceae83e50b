import type { Sql } from '#shared/postgres/kernel/client.ts';
import { recheckSignatures } from '#shared/postgres/charging/session-writes/signatures.ts';

/** Checks the signed values of all chargers whose keys changed. Any number of processes may run it. */
export async function recheckSessions(sql: Sql, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted && (await recheckSignatures(sql, null)) !== null);
}
