import type { ApiDeps } from '#api/services/deps.ts';
import type { Logger } from '#shared/log/log.ts';
import { expireRemoteStarts } from '#shared/postgres/charging/remote-starts.ts';

/** Expires remote starts whose sessions never began. Any number of processes may run it. */
export async function endRemoteStarts({ sql, log }: Pick<ApiDeps, 'sql'> & { log: Logger }): Promise<void> {
  const expired = await expireRemoteStarts(sql);
  if (expired > 0) log.info({ expired }, 'remote starts expired: their chargers reported no session');
}
