import { isStorableTime, parseDateTime } from '#shared/domain/kernel/date-time.ts';

/** RFC 3339, section 5.6, as we send it ourselves. */
const rfc3339 =
  /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Returns true when {@link parseDateTime} can read the text: the format of times that chargers send. */
export function isLenientDateTime(text: string): boolean {
  return parseDateTime(text) !== null;
}

/** Returns true for RFC 3339 with a zone, in the years that are stored too: the format of times that we send. */
export function isStrictDateTime(text: string): boolean {
  return rfc3339.test(text) && isStorableTime(parseDateTime(text) ?? Number.NaN);
}
