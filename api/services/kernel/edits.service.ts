import { DomainError } from '#shared/domain/kernel/errors.ts';

/**
 * Refuses a change of a record whose version is not the expected one. The record must be locked (`for update`) in the
 * transaction of the change.
 * @param expected the version that the editor read; null accepts any.
 * @throws {DomainError} PRECONDITION_FAILED.
 */
export function requireVersion(record: { version: number }, expected: number | null): void {
  if (expected === null || record.version === expected) return;
  throw new DomainError('PRECONDITION_FAILED', 'The record was changed since it was read: read it again.', {
    version: record.version,
  });
}

/** Returns the fields that are not undefined; the others would overwrite what a change keeps. */
export function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
