/**
 * Ids by which chargers say that they know no transaction: 0, −1, and the highest number of 31, 32 and 63 bits, of which the last is
 * not exact as a JavaScript number.
 */
const nameless: ReadonlySet<string> = new Set([
  '',
  '0',
  '-1',
  '2147483647',
  '4294967295',
  '9223372036854775807',
  String(2 ** 63),
]);

/** Returns true for an id that names a transaction. */
export function namesTransaction(id: string | null): id is string {
  return id !== null && !nameless.has(id.trim());
}
