import { isStorableTime, parseDateTime } from '#shared/domain/kernel/date-time.ts';

/** RFC 3339, section 5.6, as we send it ourselves. */
const rfc3339 =
  /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Returns true when {@link parseDateTime} can read the text: the format of times that chargers send. */
function isLenientDateTime(text: string): boolean {
  return parseDateTime(text) !== null;
}

/** Returns true for RFC 3339 with a zone, in the years that are stored too: the format of times that we send. */
function isStrictDateTime(text: string): boolean {
  return rfc3339.test(text) && isStorableTime(parseDateTime(text) ?? Number.NaN);
}

/** The value formats that the generated validators call by name. */
export const formats = {
  'date-time': isStrictDateTime,
  'lenient-date-time': isLenientDateTime,
  uri: (text: string): boolean => URL.canParse(text),
} as const;

/** Matches the first half of a surrogate pair. A text of single bytes is not even searched. */
const firstHalf = /[\ud800-\udbff]/;

/** Length in characters (code points), as JSON Schema counts `maxLength`; an emoji counts once. */
export function characterCount(text: string): number {
  let count = text.length;
  if (!firstHalf.test(text)) return count;
  for (let index = 0; index < text.length - 1; index++) {
    // Where a pair of UTF-16 units begins, codePointAt reads both of them.
    if (text.codePointAt(index)! > 0xffff) count--;
  }
  return count;
}
