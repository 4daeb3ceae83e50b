/** A time as people of a place read it. */
export function localTime(language: string, time: Date, timeZone: string): string {
  return time.toLocaleString(language, { timeZone, dateStyle: 'full', timeStyle: 'short' });
}
