import { DomainError } from '#shared/domain/kernel/errors.ts';

/**
 * Refuses values that are not usable time zones. Accepts undefined. `where`: its part of the request.
 * @throws {DomainError} VALIDATION_FAILED.
 */
export function requireTimeZone(
  timeZone: string | undefined,
  where: { part: 'body' | 'query'; field: string } = { part: 'body', field: 'timeZone' },
): void {
  const { part, field } = where;
  if (timeZone === undefined || isTimeZone(timeZone)) return;
  throw new DomainError('VALIDATION_FAILED', `Invalid ${part}: ${field} must be an IANA time zone.`, {
    errors: [{ field, message: 'must be an IANA time zone, such as Europe/Amsterdam' }],
  });
}

/**
 * Node.js lists one name of each zone (its Asia/Calcutta is Asia/Kolkata) and takes more than the IANA has: abbreviations,
 * which others read as other zones, and offsets.
 */
function isTimeZone(name: string): boolean {
  if (name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name)) return true;
  if (!/^(?!SystemV)[A-Z][A-Za-z_]*\/[A-Z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
