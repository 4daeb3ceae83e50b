import { isLenientDateTime, isStrictDateTime } from './date-time.ts';

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
