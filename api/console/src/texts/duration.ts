const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns a duration in words, such as `45 sec`, `19 min`, `1 hr 4 min` or `3 days 2 hr`. */
export function durationText(seconds: number, locale: string): string {
  const counts = countsOf(seconds);
  return inWords(counts[0]?.unit === 'minute' ? counts.slice(0, 1) : counts.slice(0, 2), locale);
}

/** Returns a duration in words to the second, such as `1 min 30 sec`. */
export function exactDurationText(seconds: number, locale: string): string {
  return inWords(countsOf(seconds), locale);
}

interface Count {
  unit: (typeof units)[number][0];
  count: number;
}

/** Returns the counts of the largest unit in a duration and of those below. */
function countsOf(seconds: number): Count[] {
  let rest = Math.max(0, Math.round(seconds));
  const counts = units.map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return { unit, count };
  });
  const largest = counts.findIndex(({ count }) => count > 0);
  return counts.slice(largest);
}

/** The largest unit is written even if it is zero. British English would write "19 mins", so the variant of a language is left out. */
function inWords(counts: readonly Count[], locale: string): string {
  const { language } = new Intl.Locale(locale);
  return counts
    .filter(({ count }, index) => index === 0 || count > 0)
    .map(({ unit, count }) =>
      new Intl.NumberFormat(language, { style: 'unit', unitDisplay: 'short', unit }).format(count),
    )
    .join(' ');
}
