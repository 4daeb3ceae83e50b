import { DomainError } from '#shared/domain/kernel/errors.ts';

/**
 * Stops a change of a record that is not the one that its editor saw. The record must be locked (`for update`) in the
 * transaction of the change.
 * @param expected the version that the editor saw; null: any.
 * @throws {DomainError} PRECONDITION_FAILED.
 */
export function requireVersion(record: { version: number }, expected: number | null): void {
  if (expected === null || record.version === expected) return;
  throw new DomainError('PRECONDITION_FAILED', 'The record was changed since it was read: read it again.', {
    version: record.version,
  });
}
