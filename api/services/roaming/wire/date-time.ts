import { Type } from 'typebox';
import { isStorableTime, parseDateTime } from '#shared/domain/kernel/date-time.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';

/** A time as partners send it: RFC 3339, UTC where it names no zone (OCPI 2.2.1 §17.1, DateTime). */
export const OcpiDateTime = (meaning?: string) =>
  Type.String({
    maxLength: 40,
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:\\d\\d)?$',
    description: `a time (RFC 3339)${meaning === undefined ? '' : `: ${meaning}`}`,
  });

/**
 * The time that a partner sent in a field.
 * @throws {DomainError} VALIDATION_FAILED (2001) for one that is in no calendar, or before the year 1.
 */
export function ocpiTime(field: string, text: string): Date {
  const ms = parseDateTime(text);
  if (ms !== null && isStorableTime(ms)) return new Date(ms);
  throw invalid(field, 'must be a time (RFC 3339)');
}

/** Maximum lead of a partner's clock over ours, in ms. */
const maxLeadMs = 5 * 60_000;

/**
 * Returns the time at which a partner last changed an object. A time more than five minutes ahead of our clock counts as the
 * time of receipt: stored as it is, it would make every later change look old until then. Such a time is not refused,
 * since partners in the field send local time as UTC.
 * @throws {DomainError} VALIDATION_FAILED (2001), as `ocpiTime` does.
 */
export function statedTime(field: string, text: string): Date {
  const stated = ocpiTime(field, text);
  const now = new Date();
  return stated.getTime() > now.getTime() + maxLeadMs ? now : stated;
}

/** Returns the error of a field of a request (2001). */
export function invalid(field: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `Invalid request: ${field} ${message}.`, {
    errors: [{ field, message }],
  });
}
