import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import { listRemoteStarts, type RemoteStartRecord } from '#shared/postgres/charging/remote-starts.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** One page of the remote starts of a charger, newest first. */
export function readRemoteStarts(
  { sql }: ServiceDeps,
  charger: ChargerRecord,
  page: PageRequest,
): Promise<Page<RemoteStartRecord>> {
  return listRemoteStarts(sql, charger.id, page);
}
