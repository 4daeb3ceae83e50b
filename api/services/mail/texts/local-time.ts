/** A time as people of a place read it. */
export function localTime(language: string, time: Date, timeZone: string): string {
  return time.toLocaleString(language, { timeZone, dateStyle: 'full', timeStyle: 'short' });
}

/** A day as people of a place read it. */
export function localDay(language: string, time: Date, timeZone: string): string {
  return time.toLocaleDateString(language, { timeZone, dateStyle: 'long' });
}
