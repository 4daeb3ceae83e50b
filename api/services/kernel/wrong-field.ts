import { DomainError } from '#shared/domain/kernel/errors.ts';

/** The error of a body whose field is wrong in a way that its schema cannot tell. */
export function wrongField(field: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `The body is wrong: ${field} ${message}.`, {
    errors: [{ field, message }],
  });
}
