import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { durationText, exactDurationText } from './duration.ts';
import { usePageZone } from './page-zone.ts';

/** Text of an absent value. */
export const absent = '–';

/** Formats of numbers, units, money and times in a language and a time zone. */
export type Formats = ReturnType<typeof formatsOf>;

/** Returns the formats of the shown language. `ownZone`: an IANA name; the page's when left out. */
export function useFormats(ownZone?: string): Formats {
  const pageZone = usePageZone();
  const timeZone = ownZone ?? pageZone;
  const { i18n } = useTranslation();
  const language = i18n.language;
  return useMemo(() => formatsOf(localeOf(language), timeZone), [language, timeZone]);
}

/** Returns the browser's variant of a language (en-GB, de-AT), which decides on separators and the order of dates. */
function localeOf(language: string): string {
  return navigator.languages.find((tag) => tag.startsWith(language)) ?? language;
}

type SpanUnit = 'second' | 'minute' | 'hour' | 'day' | 'year';

const units: [Exclude<SpanUnit, 'year'>, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

const sizes: [string, number][] = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
];

/** Makes a format that shows absent values as such. */
const orAbsent =
  <Value>(write: (value: Value) => string) =>
  (value: Value | null | undefined) =>
    value === null || value === undefined ? absent : write(value);

const dateOf = (value: string | number | Date) => (value instanceof Date ? value : new Date(value));

function formatsOf(locale: string, timeZone: string) {
  const integer = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const decimals = [0, 1, 2, 3].map(
    (digits) =>
      new Intl.NumberFormat(locale, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        // No sign before a rounded zero.
        signDisplay: 'negative',
      }),
  );
  const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone });
  const shortDateTime = new Intl.DateTimeFormat(locale, {
    day: '2-digit',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  const time = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  const preciseTime = new Intl.DateTimeFormat(locale, {
    day: '2-digit',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    timeZone,
  });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });

  const fixed = (value: number, digits: number) => (decimals[digits] ?? integer).format(value);
  /** Three significant digits at most, with the SI prefix that the size asks for. */
  const scaled = (value: number, unit: string) => {
    const size = Math.abs(value);
    if (size === 0) return `0 k${unit}`;
    if (size >= 1000) return `${fixed(value / 1000, size >= 100_000 ? 0 : size >= 10_000 ? 1 : 2)} M${unit}`;
    if (size > 0 && size < 1) return `${fixed(value * 1000, 0)} ${unit}`;
    return `${fixed(value, size >= 100 ? 0 : size >= 10 ? 1 : 2)} k${unit}`;
  };

  const spanOf = (count: number, unit: SpanUnit) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: 1,
    }).format(count);

  return {
    locale,
    timeZone,
    integer: orAbsent((value: number) => integer.format(value)),
    /** Number in few characters, such as `1.2K`. */
    compact: orAbsent((value: number) => compact.format(value)),
    number: (value: number | null | undefined, digits = 1) =>
      value === null || value === undefined ? absent : fixed(value, digits),
    /** Part of a whole, from 0 to 1. */
    percent: orAbsent((value: number) => percent.format(value)),
    /** Power in kW. */
    power: orAbsent((kw: number) => scaled(kw, 'W')),
    /** Energy in kWh. */
    energy: orAbsent((kwh: number) => scaled(kwh, 'Wh')),
    /** Amount in units of its currency. */
    money: (amount: number | string | null | undefined, currency: string) =>
      amount === null || amount === undefined
        ? absent
        : new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(amount)),
    /** Amount in minor units of its currency. */
    minorMoney: (amount: number | null | undefined, currency: string) => {
      if (amount === null || amount === undefined) return absent;
      const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
      const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
      return format.format(amount / 10 ** digits);
    },
    /** Price of a unit: as many decimals as it has, up to 5. */
    unitPrice: (amount: string, currency: string) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 5 }).format(
        Number(amount),
      ),
    /** Number with the decimals that it has, up to 6. */
    decimal: orAbsent((value: number) => decimal.format(value)),
    dateTime: orAbsent((value: string | number | Date) => dateTime.format(dateOf(value))),
    shortDateTime: orAbsent((value: string | number | Date) => shortDateTime.format(dateOf(value))),
    date: orAbsent((value: string | number | Date) => date.format(dateOf(value))),
    time: orAbsent((value: string | number | Date) => time.format(dateOf(value))),
    /** Name of a day of the week, from 1 for Monday. */
    weekday: (day: number, width: 'short' | 'long' = 'long') =>
      new Intl.DateTimeFormat(locale, { weekday: width, timeZone: 'UTC' }).format(Date.UTC(2024, 0, day)),
    /** Day and time to the millisecond. */
    preciseTime: orAbsent((value: string | number | Date) => preciseTime.format(dateOf(value))),
    /** Latency in ms. */
    latency: orAbsent((ms: number) =>
      ms < 1000 ? `${fixed(ms, ms < 10 ? 1 : 0)} ms` : `${fixed(ms / 1000, ms < 10_000 ? 2 : 1)} s`,
    ),
    /** Size in bytes, in the unit that fits. */
    bytes: orAbsent((size: number) => {
      const [unit, width] = sizes.find(([, length]) => size >= length) ?? ['B', 1];
      return `${fixed(size / width, unit === 'B' ? 0 : 1)} ${unit}`;
    }),
    /** Duration in seconds, in words. */
    duration: orAbsent((seconds: number) => durationText(seconds, locale)),
    /** Duration in seconds, in words that leave nothing out: of settings. */
    exactDuration: (seconds: number) => exactDurationText(seconds, locale),
    /** Number of units of time, such as `24 hrs`. */
    span: (count: number, unit: SpanUnit) => spanOf(count, unit),
    /** Difference of a time to now. */
    relative: orAbsent((value: string | number | Date) => {
      const seconds = Math.round((dateOf(value).getTime() - Date.now()) / 1000);
      const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
      return relative.format(Math.trunc(seconds / size), unit);
    }),
  };
}
