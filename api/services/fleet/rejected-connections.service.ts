import {
  listRejectedConnections,
  type RejectedConnectionFilter,
  type RejectedConnectionRecord,
} from '#shared/postgres/fleet/rejected-connections.statements.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import { cutPage, decodeRowCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

export type { RejectedConnectionRecord } from '#shared/postgres/fleet/rejected-connections.statements.ts';

/**
 * Returns a page of the current rejected connections of the caller's networks, newest first by their first attempt. Unknown identities belong
 * to no network: only an unrestricted caller sees them.
 * @throws {DomainError} NETWORK_NOT_FOUND; VALIDATION_FAILED for a wrong cursor.
 */
export async function readRejectedConnections(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
  filter: RejectedConnectionFilter,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: RejectedConnectionRecord[]; nextCursor: string | null }> {
  const before = decodeRowCursor(cursor);
  const networks = await networksOfCall(deps, caller, networkUuid);
  const rows = await listRejectedConnections(deps.sql, networks, filter, before, limit + 1);
  return cutPage(rows, limit, ({ firstAt, id }) => ({ time: firstAt, tie: id }));
}
