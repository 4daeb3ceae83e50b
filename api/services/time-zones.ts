import { DomainError } from '#shared/domain/errors.ts';

/**
 * Stops what is no time zone that clocks can be set by; undefined is none of its business. `where` the request has it.
 * @throws {DomainError} VALIDATION_FAILED.
 */
export function requireTimeZone(
  timeZone: string | undefined,
  where: { part: 'body' | 'query'; field: string } = { part: 'body', field: 'timeZone' },
): void {
  const { part, field } = where;
  if (timeZone === undefined || Intl.supportedValuesOf('timeZone').includes(timeZone) || timeZone === 'UTC')
    return;
  throw new DomainError('VALIDATION_FAILED', `The ${part} is wrong: ${field} must be an IANA time zone.`, {
    errors: [{ field, message: 'must be an IANA time zone, such as Europe/Amsterdam' }],
  });
}
