import { DomainError } from '#shared/domain/kernel/errors.ts';

/**
 * Refuses a query for a period that ends before it begins.
 * @throws {DomainError} VALIDATION_FAILED.
 */
export function requireOrder({ from, to }: { from?: Date | undefined; to?: Date | undefined }): void {
  if (from === undefined || to === undefined || from <= to) return;
  throw wrongParameter('from', 'must not be after to');
}

/** Returns the error for a field of a body that fails a check beyond its schema. */
export function wrongField(field: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `Invalid body: ${field} ${message}.`, {
    errors: [{ field, message }],
  });
}

/** Returns the error for a parameter of a query that fails a check beyond its schema. */
export function wrongParameter(field: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `Invalid query: ${field} ${message}.`, {
    errors: [{ field, message }],
  });
}
