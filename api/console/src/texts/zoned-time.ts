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
 * Returns the instant of a wall-clock time in a time zone, or null when the text is none. Of an hour that the clock
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
