/** Returns the wall-clock time of an instant in a time zone, for an input of type `datetime-local`. */
export function zonedInput(instant: string | number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(instant));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`;
}

/**
 * Returns the instant of a wall-clock time in a time zone, or null when the text is invalid. Of an hour that the clock
 * repeats, the first is meant.
 */
export function zonedInstant(text: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return null;
  const offsetAt = (instant: number) => Date.parse(`${zonedInput(instant, timeZone)}Z`) - instant;
  // The offset before the time decides: around a change of the clock, it is that of the first of two hours.
  const guess = asUtc - offsetAt(asUtc - 86_400_000);
  const instant = Date.parse(`${zonedInput(guess, timeZone)}Z`) === asUtc ? guess : asUtc - offsetAt(guess);
  return new Date(instant).toISOString();
}

/** Returns the wall-clock time of an instant to the minute, for an input of type `datetime-local`. */
export const inputOf = (instant: string | number, timeZone: string): string =>
  zonedInput(instant, timeZone).slice(0, 16);

/** Returns the instant of an input of type `datetime-local` (RFC 3339), or undefined when it is empty. */
export const instantOf = (text: string, timeZone: string): string | undefined =>
  zonedInstant(text, timeZone) ?? undefined;

/** Returns the instant of an edited wall-clock time: the instant that it was before while its text is the same. */
export function editedInstant(text: string, timeZone: string, before: string | null): string | null {
  if (before !== null && zonedInput(before, timeZone) === text) return before;
  return zonedInstant(text, timeZone);
}

/** Returns the first instant of a day in a time zone (RFC 3339), or undefined for a text that is no date. */
export function zonedDayStart(date: string | undefined, timeZone: string): string | undefined {
  return zonedInstant(`${date ?? ''}T00:00:00`, timeZone) ?? undefined;
}

/** Returns the last millisecond of a day in a time zone. */
export function zonedDayEnd(date: string | undefined, timeZone: string): string | undefined {
  const day = Date.parse(`${date ?? ''}T00:00:00Z`);
  if (Number.isNaN(day)) return undefined;
  const after = zonedDayStart(new Date(day + 86_400_000).toISOString().slice(0, 10), timeZone);
  return after === undefined ? undefined : new Date(Date.parse(after) - 1).toISOString();
}
