import { grants, type Scope } from '#shared/domain/access/scopes.ts';
import {
  readFaulted,
  readInReview,
  readOffline,
  readOpenAlerts,
  readRejected,
  readStuckUpdates,
  readUnpaid,
  type WorkSection,
} from '#shared/postgres/reporting/work-list.statements.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

export type { WorkItem, WorkSection } from '#shared/postgres/reporting/work-list.statements.ts';

/** Sections of the work list, with the scope that reads them. */
const sections = {
  faulted: { scope: 'cpms:read:chargers', read: readFaulted },
  offline: { scope: 'cpms:read:chargers', read: readOffline },
  rejected: { scope: 'cpms:read:chargers', read: readRejected },
  inReview: { scope: 'cpms:read:sessions', read: readInReview },
  unpaid: { scope: 'cpms:read:wallets', read: readUnpaid },
  stuckUpdates: { scope: 'cpms:read:chargers', read: readStuckUpdates },
  alerts: { scope: 'cpms:read:alerts', read: readOpenAlerts },
} as const satisfies Record<string, { scope: Scope; read: typeof readFaulted }>;
export type SectionName = keyof typeof sections;

export const sectionNames = Object.keys(sections) as SectionName[];

/** Records that need an operator. Null: the caller may not read them, or did not request them. */
type WorkList = Record<SectionName, WorkSection | null>;

/**
 * Reads the records that need an operator in the caller's networks, as far as the caller's scopes read it.
 * @param limit maximum number of records of each section.
 * @param names sections to read.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function readWorkList(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
  limit: number,
  names: readonly SectionName[] = sectionNames,
): Promise<WorkList> {
  const networks = await networksOfCall(deps, caller, networkUuid);
  const read = await Promise.all(
    Object.entries(sections).map(async ([name, { scope, read }]) => {
      const isRead = names.includes(name as SectionName) && grants(caller.scopes, scope);
      return [name, isRead ? await read(deps.sql, networks, limit) : null];
    }),
  );
  return Object.fromEntries(read) as WorkList;
}
