import { toAlpha2 } from './countries.ts';

/** Zones of a region, in engines that know them. Some have a property instead of the method. */
interface RegionZones {
  getTimeZones?: () => string[] | undefined;
  timeZones?: string[];
}

/** Times of the comparison of zones: in winter and in summer. */
const seasons = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)];

/**
 * Returns the time zone of a country (ISO 3166-1), or null when its parts have different times, the country is unknown, or the engine has
 * no zones of countries.
 */
export function countryZone(country: string): string | null {
  const alpha2 = toAlpha2(country);
  if (alpha2 === null) return null;
  const locale = new Intl.Locale(`und-${alpha2}`) as Intl.Locale & RegionZones;
  const [first, ...others] = locale.getTimeZones?.() ?? locale.timeZones ?? [];
  if (first === undefined || others.some((zone) => timesOf(zone) !== timesOf(first))) return null;
  return first;
}

function timesOf(timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return seasons.map((time) => format.format(time)).join();
}
