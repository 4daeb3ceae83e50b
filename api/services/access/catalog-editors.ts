import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Caller } from './callers.ts';

/**
 * The catalog is the same for all networks: it is kept by those who are not pinned to some.
 * @throws {DomainError} CATALOG_NOT_ALLOWED.
 */
export function requireCatalogEditor(caller: Caller): void {
  if (caller.unrestricted) return;
  throw new DomainError(
    'CATALOG_NOT_ALLOWED',
    'All networks share the catalog: only a caller that is not restricted to networks can change it.',
  );
}
