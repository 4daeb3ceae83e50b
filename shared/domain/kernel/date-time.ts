/** Date, time, optional seconds, fraction (any number of digits, dot or comma), optional zone. */
const pattern =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:([Zz])|([+-])(\d\d):?(\d\d)?)?$/;

/**
 * Reads a time as chargers write it: RFC 3339, and besides that times without zone (read as UTC, which OCPP
 * recommends), without seconds, with a space for the T, an offset without colon, or any number of fraction digits.
 * Returns milliseconds since 1970 (finer digits are cut off), or null for anything that is no time.
 */
export function parseDateTime(text: string): number | null {
  if (text !== last.text) last = { text, ms: parseTime(text) };
  return last.ms;
}

/** Returns whether a time states its zone. */
export function hasZone(text: string): boolean {
  return text.endsWith('Z') || /[Zz]$|[+-]\d\d(:?\d\d)?$/.test(text.slice(16));
}

/** Time that was read last: a message repeats its own, and each is checked before it is read. */
let last: { text: string; ms: number | null } = { text: '', ms: null };

function parseTime(text: string): number | null {
  return text.length === 24 || text.length === 20 ? (parsedUtc(text) ?? parsedAny(text)) : parsedAny(text);
}

/**
 * Reads the form that nearly all chargers write, `2026-01-31T23:59:59Z` with or without milliseconds, which takes a
 * tenth of the time of the pattern. Returns null for any other.
 */
function parsedUtc(text: string): number | null {
  const isUtc =
    text.charCodeAt(4) === 45 &&
    text.charCodeAt(7) === 45 &&
    text.charCodeAt(10) === 84 &&
    text.charCodeAt(13) === 58 &&
    text.charCodeAt(16) === 58 &&
    text.charCodeAt(text.length - 1) === 90 &&
    (text.length === 20 || text.charCodeAt(19) === 46);
  if (!isUtc) return null;
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)];
  const [hour, minute, second] = [digits(text, 11, 13), digits(text, 14, 16), digits(text, 17, 19)];
  const ms = text.length === 20 ? 0 : digits(text, 20, 23);
  // NaN, of what is no digit, makes every comparison false.
  const isTime =
    year > 99 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) && hour <= 23;
  return isTime && minute <= 59 && second <= 59 && ms >= 0
    ? Date.UTC(year, month - 1, day, hour, minute, second, ms)
    : null;
}

/** Returns the number that so many digits form, NaN when one of them is no digit. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let index = from; index < to; index += 1) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function parsedAny(text: string): number | null {
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

/** `Date.UTC` by itself would read the years 0 to 99 as 1900 to 1999. */
function utc(year: number, month: number, day: number): number {
  return year > 99 ? Date.UTC(year, month - 1, day) : new Date(0).setUTCFullYear(year, month - 1, day);
}

/** Range of the years 1 to 9999: ISO 8601 writes them with four digits, and PostgreSQL reads them. */
const storable = { from: -62_135_596_800_000, before: 253_402_300_800_000 };

/** Returns whether all stores accept a time in ms since 1970. NaN is refused. */
export function isStorableTime(time: number): boolean {
  return time >= storable.from && time < storable.before;
}
