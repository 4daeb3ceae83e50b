/** Date, time, optional seconds, fraction (any number of digits, dot or comma), optional zone. */
const pattern =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:([Zz])|([+-])(\d\d):?(\d\d)?)?$/;

/**
 * Reads a time as chargers write it: RFC 3339, and besides that times without zone (read as UTC, which OCPP
 * recommends), without seconds, with a space for the T, an offset without colon, or any number of fraction digits.
 * Returns milliseconds since 1970 (finer digits are cut off), or null for anything that is no time.
 */
export function parseDateTime(text: string): number | null {
  if (text !== last.text) last = { text, ms: parsed(text) };
  return last.ms;
}

/** Time that was read last: a message repeats its own, and each is checked before it is read. */
let last: { text: string; ms: number | null } = { text: '', ms: null };

function parsed(text: string): number | null {
  const match = pattern.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute] = [+match[1]!, +match[2]!, +match[3]!, +match[4]!, +match[5]!];
  const second = match[6] === undefined ? 0 : +match[6];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  // 60 is a leap second in RFC 3339; it becomes the first instant of the next minute.
  if (hour > 23 || minute > 59 || second > 60) return null;
  const offset = offsetMinutes(match[9], match[10], match[11]);
  if (offset === null) return null;
  return utc(year, month, day) + ((hour * 60 + minute - offset) * 60 + second) * 1000 + millis(match[7]);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function offsetMinutes(
  sign: string | undefined,
  hours: string | undefined,
  minutes: string | undefined,
): number | null {
  if (sign === undefined || hours === undefined) return 0;
  const [hour, minute] = [+hours, minutes === undefined ? 0 : +minutes];
  if (hour > 23 || minute > 59) return null;
  return (sign === '-' ? -1 : 1) * (hour * 60 + minute);
}

function millis(fraction: string | undefined): number {
  return fraction === undefined ? 0 : +fraction.slice(0, 3).padEnd(3, '0');
}

/** `Date.UTC` alone would read the years 0 to 99 as 1900 to 1999. */
function utc(year: number, month: number, day: number): number {
  return year > 99 ? Date.UTC(year, month - 1, day) : new Date(0).setUTCFullYear(year, month - 1, day);
}

/** Range of the years 1 to 9999: ISO 8601 writes them with four digits, and PostgreSQL reads them. */
const storable = { from: -62_135_596_800_000, before: 253_402_300_800_000 };

/** Returns whether all stores accept a time in ms since 1970. NaN is refused. */
export function isStorableTime(time: number): boolean {
  return time >= storable.from && time < storable.before;
}
