import type { OpeningTimes } from '#shared/domain/fleet/location.ts';

const days = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const;

/**
 * Returns opening times in the notation of OpenStreetMap, such as `Mo-Fr 08:00-20:00,Sa 09:00-18:00`. Exceptional days are left
 * out. Null: nothing is stated.
 */
export function osmHours(times: OpeningTimes | null): string | null {
  if (times === null) return null;
  if (times.twentyFourSeven) return '24/7';
  const hours = times.regularHours ?? [];
  const byPeriod = Map.groupBy(hours, ({ periodBegin, periodEnd }) => `${periodBegin}-${periodEnd}`);
  const rules = [...byPeriod].flatMap(([period, on]) =>
    dayRanges(on.map(({ weekday }) => weekday)).map((range) => `${range} ${period}`),
  );
  return rules.length === 0 ? null : rules.join(',');
}

/** Returns weekdays, 1 Monday to 7 Sunday, as ranges such as `Mo-Fr`. */
function dayRanges(weekdays: readonly number[]): string[] {
  const sorted = [...new Set(weekdays)].toSorted((one, other) => one - other);
  const ranges: [number, number][] = [];
  for (const day of sorted) {
    const last = ranges.at(-1);
    if (last?.[1] === day - 1) last[1] = day;
    else ranges.push([day, day]);
  }
  return ranges.map(([from, to]) => [...new Set([from, to])].map((day) => days[day - 1]).join('-'));
}
