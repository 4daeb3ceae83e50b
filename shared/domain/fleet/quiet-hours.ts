import type { QuietHours } from './alert-rules.ts';

const minutesOfDay = 24 * 60;

/** Returns the end of the quiet hours in progress, or null outside of them. Exact to the minute. */
export function quietUntil(quiet: QuietHours, timeZone: string, now: Date): Date | null {
  const local = localMinutes(timeZone, now);
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  const isQuiet = from <= to ? local >= from && local < to : local >= from || local < to;
  if (!isQuiet) return null;
  const remaining = (to - local + minutesOfDay) % minutesOfDay;
  return new Date(Math.floor(now.getTime() / 60_000) * 60_000 + remaining * 60_000);
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function localMinutes(timeZone: string, now: Date): number {
  const time = now.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  return minutesOf(time);
}
