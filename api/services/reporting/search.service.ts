import { grants, type Scope } from '#shared/domain/access/scopes.ts';
import {
  type FoundRecord,
  searchChargers,
  searchDrivers,
  searchEvses,
  searchLocations,
  searchSessions,
  searchTokens,
} from '#shared/postgres/reporting/search.statements.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

export type { FoundRecord } from '#shared/postgres/reporting/search.statements.ts';

/** Kinds of records, with the scope that reads them and their search. */
const kinds = {
  chargers: { scope: 'cpms:read:chargers', find: searchChargers },
  sessions: { scope: 'cpms:read:sessions', find: searchSessions },
  drivers: { scope: 'cpms:read:users', find: searchDrivers },
  tokens: { scope: 'cpms:read:id-tokens', find: searchTokens },
  locations: { scope: 'cpms:read:locations', find: searchLocations },
  evses: { scope: 'cpms:read:chargers', find: searchEvses },
} as const satisfies Record<string, { scope: Scope; find: typeof searchChargers }>;
type SearchKind = keyof typeof kinds;

/** Records that a search found, by kind. Null: the caller may not read them. */
type SearchResults = Record<SearchKind, FoundRecord[] | null>;

/** Maximum number of records of each kind. */
const maxFound = 5;

/**
 * Searches the records that the caller may read.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function searchRecords(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
  text: string,
): Promise<SearchResults> {
  const networks = await networksOfCall(deps, caller, networkUuid);
  const found = await Promise.all(
    Object.entries(kinds).map(async ([kind, { scope, find }]) => {
      const mayRead = grants(caller.scopes, scope);
      return [kind, mayRead ? await find(deps.sql, networks, text, maxFound) : null];
    }),
  );
  return Object.fromEntries(found) as SearchResults;
}
