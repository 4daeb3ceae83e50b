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
  if (timeZone === undefined || isTimeZone(timeZone)) return;
  throw new DomainError('VALIDATION_FAILED', `The ${part} is wrong: ${field} must be an IANA time zone.`, {
    errors: [{ field, message: 'must be an IANA time zone, such as Europe/Amsterdam' }],
  });
}

/** Also a name that Node.js has another one for (Asia/Kolkata is its Asia/Calcutta); its own as it writes them, and no offsets. */
function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    const own = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return own === name || own.toLowerCase() !== name.toLowerCase();
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
