import { DomainError } from '#shared/domain/kernel/errors.ts';

/**
 * Stops a query for a time that ends before it begins.
 * @throws {DomainError} VALIDATION_FAILED.
 */
export function requireOrder({ from, to }: { from?: Date | undefined; to?: Date | undefined }): void {
  if (from === undefined || to === undefined || from <= to) return;
  throw new DomainError('VALIDATION_FAILED', 'The query is wrong: from must not be after to.', {
    errors: [{ field: 'from', message: 'must not be after to' }],
  });
}
