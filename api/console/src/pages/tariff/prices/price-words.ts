import type { TFunction } from 'i18next';
import type { Formats } from '../../../texts/formats.ts';
import { restrictionWords } from '../../session/price/restriction-words.ts';
import type { PriceComponent, Prices, TariffElement } from '../tariff-queries.ts';

type TariffWords = TFunction<['tariffs', 'session', 'common']>;

/** Writes the words of a tariff in the shown language. */
export interface PriceWriter {
  t: TariffWords;
  /** Words of the price of a session: conditions of elements. */
  sessionWords: TFunction<['session', 'common']>;
  /** Words of locations: energy mix. */
  locationWords: TFunction<'locations'>;
  formats: Formats;
  currency: string;
}

/** Dimensions in the order in which drivers read them. */
export const dimensions = ['ENERGY', 'TIME', 'PARKING_TIME', 'FLAT'] as const;
export type Dimension = (typeof dimensions)[number];

/** Returns a price with its unit: `€0.40 per kWh`. */
export function priceText({ t, formats, currency }: PriceWriter, type: Dimension, price: number): string {
  return t(`price.${type}`, { price: formats.unitPrice(String(price), currency) });
}

/** Returns a price with VAT, at the precision of prices. */
export function withVat(price: number, vat: number | undefined): string {
  return (price * (1 + (vat ?? 0) / 100)).toFixed(5);
}

/** Returns the rate of VAT in words: `21% VAT`, `no VAT`. */
export function vatText({ t, formats }: PriceWriter, vat: number | undefined): string {
  return vat === undefined ? t('price.noVat') : t('price.vat', { percent: formats.percent(vat / 100) });
}

/** Returns a step in words; nothing where it changes no price. */
export function stepText({ t, formats }: PriceWriter, { type, step_size }: PriceComponent): string | null {
  if (type === 'FLAT' || step_size <= 1) return null;
  const size = formats.integer(step_size);
  return t('price.step', { step: type === 'ENERGY' ? `${size} Wh` : `${size} s` });
}

/** Returns the conditions of an element; nothing when it always applies. */
export function conditionsOf({ t, sessionWords, formats }: PriceWriter, element: TariffElement): string[] {
  const { restrictions } = element;
  if (restrictions === undefined) return [];
  const { reservation, ...others } = restrictions;
  return [
    ...(reservation === undefined ? [] : [t(`reservation.${reservation}`)]),
    ...restrictionWords(sessionWords, formats, others),
  ];
}

/** Returns the prices of an element without its conditions: `€0.40 per kWh + €0.50 per session`. */
function elementPrices(writer: PriceWriter, { price_components }: TariffElement): string {
  return price_components.map(({ type, price }) => priceText(writer, type, price)).join(' + ');
}

/** Returns an element with its conditions and rates of VAT. */
export function elementText(writer: PriceWriter, element: TariffElement): string {
  const prices = element.price_components.map((component) => {
    const step = stepText(writer, component);
    const vat = vatText(writer, component.vat);
    const price = priceText(writer, component.type, component.price);
    return `${price} (${step === null ? vat : `${vat}, ${step}`})`;
  });
  const conditions = conditionsOf(writer, element);
  const text = prices.join(' + ');
  return conditions.length === 0 ? text : `${conditions.join(', ')}: ${text}`;
}

/** Returns the idle fee in words. */
export function idleText({ t, formats, currency }: PriceWriter, idle: NonNullable<Prices['idle']>): string {
  const price = formats.unitPrice(String(idle.price_per_minute), currency);
  return idle.grace_minutes === 0
    ? t('price.idleAtOnce', { price })
    : t('price.idle', { price, minutes: formats.decimal(idle.grace_minutes) });
}

/** Returns a limit of the price of a session in words. */
export function limitText(
  { t, formats, currency }: PriceWriter,
  { excl_vat, incl_vat }: NonNullable<Prices['min_price']>,
): string {
  const net = t('price.net', { price: formats.money(excl_vat, currency) });
  return incl_vat === undefined
    ? net
    : `${net}, ${t('price.gross', { price: formats.money(incl_vat, currency) })}`;
}

/** Returns the prices of a tariff in one line: `22:00–06:00: €0.20 per kWh; otherwise €0.40 per kWh`. */
export function summaryText(writer: PriceWriter, { elements, idle }: Prices): string {
  const parts = elements.map((element, index) => {
    const conditions = conditionsOf(writer, element);
    const prices = elementPrices(writer, element);
    if (conditions.length > 0) return `${conditions.join(', ')}: ${prices}`;
    return index === 0 ? prices : writer.t('price.otherwise', { prices });
  });
  return [...parts, ...(idle === null ? [] : [idleText(writer, idle)])].join('; ');
}
