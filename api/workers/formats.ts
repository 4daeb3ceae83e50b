import type { CostLine } from '#shared/pricing/cost.ts';
import { minorDigits } from '#shared/pricing/currencies.ts';

/** Formats of numbers, money and times in one language and region. */
export interface Formats {
  money(minor: bigint, currency: string): string;
  /** Price of the tariff with its unit and as many decimals as it has. */
  unitPrice(line: CostLine, currency: string): string;
  percent(decimal: string): string;
  /** Billed volume with its unit: times in minutes. */
  quantity(line: CostLine): string;
  energy(wattHours: number): string;
  /** Day of an instant in a time zone. */
  date(time: Date, timeZone: string): string;
  /** Day given as YYYY-MM-DD. */
  day(date: string): string;
  /** On 24 hours, with the zone: a clock change repeats an hour. */
  time(time: Date, timeZone: string): string;
}

/** Units that prices are for; a tariff prices time by the hour and idle time by the minute (OCPI 2.2.1, section 11.4.5). */
const priceUnits: Partial<Record<CostLine['type'], string>> = {
  ENERGY: 'kWh',
  TIME: 'h',
  PARKING_TIME: 'h',
  RESERVATION_TIME: 'h',
  IDLE: 'min',
};

/** Keeps a number and its unit on one line. */
const noBreak = '\u00a0';

/** Returns the formats of a language tag (BCP 47), those of English where `Intl` does not know it. */
export function formatsOf(tag: string): Formats {
  const locale = known(tag);
  const numerals = numeralsOf(locale);
  const number = (decimals: number) => new Intl.NumberFormat(numerals, { maximumFractionDigits: decimals });
  const three = number(3);
  const energy = (kilowattHours: number) => `${three.format(kilowattHours)}${noBreak}kWh`;
  const price = (decimal: string, currency: string) =>
    new Intl.NumberFormat(numerals, {
      style: 'currency',
      currency,
      minimumFractionDigits: minorDigits(currency),
      maximumFractionDigits: 8,
    }).format(decimal as `${number}`);
  const date = (time: Date, timeZone: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(time);
  return {
    money: (minor, currency) =>
      new Intl.NumberFormat(numerals, {
        style: 'currency',
        currency,
        minimumFractionDigits: minorDigits(currency),
        maximumFractionDigits: minorDigits(currency),
      }).format(decimalOf(minor, currency)),
    unitPrice({ type, unitPrice }, currency) {
      if (unitPrice === null) return '';
      const unit = priceUnits[type];
      return unit === undefined ? price(unitPrice, currency) : `${price(unitPrice, currency)}/${unit}`;
    },
    percent: (decimal) => `${number(4).format(decimal as `${number}`)}${noBreak}%`,
    quantity({ type, quantity }) {
      if (type === 'ENERGY') return energy(quantity);
      if (priceUnits[type] === 'h') return minutes(quantity * 60, three);
      return type === 'IDLE' ? minutes(quantity, three) : three.format(quantity);
    },
    energy: (wattHours) => energy(wattHours / 1000),
    date,
    day: (day) => date(new Date(`${day}T12:00:00Z`), 'UTC'),
    time: (time, timeZone) =>
      new Intl.DateTimeFormat(locale, {
        year: 'numeric',
        month: 'short',
        day: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
        timeZoneName: 'short',
        timeZone,
      }).format(time),
  };
}

/** A time in minutes, with seconds where it is not whole. */
function minutes(decimal: number, number: Intl.NumberFormat): string {
  const seconds = Math.round(decimal * 60);
  const rest = Math.abs(seconds % 60);
  const whole = `${number.format(Math.trunc(seconds / 60))}${noBreak}min`;
  return rest === 0 ? whole : `${whole} ${rest}${noBreak}s`;
}

/** A duration in units that need no translation. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [hours, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours}${noBreak}h ${rest}${noBreak}min`;
  if (rest > 0) return `${rest}${noBreak}min ${seconds % 60}${noBreak}s`;
  return `${seconds}${noBreak}s`;
}

/** An amount as decimal text, exactly: a number is not exact above 2^53. */
function decimalOf(minor: bigint, currency: string): `${number}` {
  const digits = minorDigits(currency);
  const sign = minor < 0n ? '-' : '';
  const text = String(minor < 0n ? -minor : minor).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${sign}${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`}` as `${number}`;
}

/**
 * Returns the locale for numbers. CLDR gives some regions (en-NL, en-SE) a decimal comma in numbers and a point in money: their
 * documents follow the language only.
 */
function numeralsOf(locale: string): string {
  const decimalMark = (options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, options).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;
  const isUniform = decimalMark({}) === decimalMark({ style: 'currency', currency: 'EUR' });
  return isUniform ? locale : new Intl.Locale(locale).language;
}

function known(tag: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
