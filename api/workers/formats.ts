import type { CostLine } from '#shared/pricing/cost.ts';
import { minorDigits } from '#shared/pricing/currencies.ts';

/** How numbers, money and times are written in one language. */
export interface Formats {
  money(minor: bigint, currency: string): string;
  /** Of a tariff: with as many decimals as it has. */
  price(decimal: string, currency: string): string;
  percent(decimal: string): string;
  /** A billed volume with its unit. */
  quantity(line: CostLine): string;
  energy(wattHours: number): string;
  date(time: Date, timeZone: string): string;
  /** With the zone, since a clock change tells the hour twice. */
  time(time: Date, timeZone: string): string;
}

const units: Record<CostLine['type'], string> = {
  ENERGY: 'kWh',
  TIME: 'h',
  PARKING_TIME: 'h',
  IDLE: 'min',
  FLAT: '×',
  MIN_PRICE: '×',
  MAX_PRICE: '×',
  AMENDED: '×',
};

/** What keeps a number and its unit on one line. */
const noBreak = '\u00a0';

/** The formats of a language (BCP 47), English where there is none of that name. */
export function formatsOf(language: string): Formats {
  const locale = known(language);
  const number = (decimals: number) => new Intl.NumberFormat(locale, { maximumFractionDigits: decimals });
  const three = number(3);
  return {
    money: (minor, currency) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        minimumFractionDigits: minorDigits(currency),
        maximumFractionDigits: minorDigits(currency),
      }).format(decimalOf(minor, currency)),
    price: (decimal, currency) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        minimumFractionDigits: minorDigits(currency),
        maximumFractionDigits: 8,
      }).format(decimal as `${number}`),
    percent: (decimal) => `${number(4).format(decimal as `${number}`)}${noBreak}%`,
    quantity: ({ type, quantity }) => `${three.format(quantity)}${noBreak}${units[type]}`,
    energy: (wattHours) => `${three.format(wattHours / 1000)}${noBreak}kWh`,
    date: (time, timeZone) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(time),
    time: (time, timeZone) =>
      new Intl.DateTimeFormat(locale, {
        year: 'numeric',
        month: 'short',
        day: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        timeZoneName: 'short',
        timeZone,
      }).format(time),
  };
}

/** How long, in units that need no translation. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours}${noBreak}h ${minutes}${noBreak}min`;
  if (minutes > 0) return `${minutes}${noBreak}min ${seconds % 60}${noBreak}s`;
  return `${seconds}${noBreak}s`;
}

/** Exactly, which a number is not above 2^53. */
function decimalOf(minor: bigint, currency: string): `${number}` {
  const digits = minorDigits(currency);
  const sign = minor < 0n ? '-' : '';
  const text = String(minor < 0n ? -minor : minor).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${sign}${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`}` as `${number}`;
}

function known(language: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
