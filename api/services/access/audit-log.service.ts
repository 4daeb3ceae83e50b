import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import {
  type AuditEntry,
  type AuditFilter,
  listAuditEntries,
  maxCountedEntries,
} from '#shared/postgres/access/audit-log.statements.ts';
import type { Caller } from './callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { networksOfCall } from './networks.service.ts';
import { requireOrder } from '#api/services/kernel/validation.service.ts';

export { type AuditEntry, maxCountedEntries } from '#shared/postgres/access/audit-log.statements.ts';

/**
 * One page of the audit log of the caller's networks, or of the one that the call names, newest first. What was done to
 * no single network is for callers who are not pinned to networks.
 * @throws {DomainError} NETWORK_NOT_FOUND; VALIDATION_FAILED for times in the wrong order and for pages too deep.
 */
export async function readAuditLog(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
  filter: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  requireOrder(filter);
  if (page.page * page.pageSize > maxCountedEntries) {
    throw new DomainError(
      'VALIDATION_FAILED',
      `Invalid query: page must end within the newest ${maxCountedEntries} entries; narrow the time with from and to.`,
      { errors: [{ field: 'page', message: `must end within ${maxCountedEntries} entries` }] },
    );
  }
  return listAuditEntries(deps.sql, await networksOfCall(deps, caller, networkUuid), filter, page);
}
