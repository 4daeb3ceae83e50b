import type { Schemas } from '../../../api/client.ts';
import { zonedInput, zonedInstant } from '../../../texts/zoned-time.ts';
import { numberOf } from '../../../texts/numbers.ts';
import type { Dimension } from '../prices/price-words.ts';
import type { Prices, Tariff } from '../tariff-queries.ts';
import { type ConditionFields, conditionFields, noConditions, restrictionsOf } from './conditions.ts';

/** Price of a dimension, as its inputs hold it. */
export interface ComponentFields {
  type: Dimension;
  price: string;
  /** Empty: no VAT applies. */
  vat: string;
  step: string;
}

export interface ElementFields {
  /** Identifies the element while it is moved. */
  id: number;
  components: readonly ComponentFields[];
  conditions: ConditionFields;
}

export interface LimitFields {
  excl: string;
  incl: string;
}

export interface IdleFields {
  price: string;
  grace: string;
  vat: string;
}

/** Audiences; `ANY` is none in particular. */
export const audiences = [
  'ANY',
  'REGULAR',
  'AD_HOC_PAYMENT',
  'PROFILE_CHEAP',
  'PROFILE_FAST',
  'PROFILE_GREEN',
] as const;

/** Tariff that is being written, as its inputs hold it. */
export interface Draft {
  name: string;
  audience: (typeof audiences)[number];
  elements: readonly ElementFields[];
  idle: IdleFields | null;
  minimum: LimitFields | null;
  maximum: LimitFields | null;
  texts: readonly { id: number; language: string; text: string }[];
  url: string;
  /** Wall-clock times in the zone of the network. */
  startsAt: string;
  endsAt: string;
}

/** Returns an empty element; its VAT is that of another. */
export function newElement(id: number, type: Dimension = 'ENERGY', vat = ''): ElementFields {
  return { id, components: [{ type, price: '', vat, step: '1' }], conditions: noConditions };
}

export function newDraft(): Draft {
  return {
    name: '',
    audience: 'ANY',
    elements: [newElement(0)],
    idle: null,
    minimum: null,
    maximum: null,
    texts: [],
    url: '',
    startsAt: '',
    endsAt: '',
  };
}

const text = (value: number | undefined) => (value === undefined ? '' : String(value));

/** Returns a tariff as the inputs hold it. */
export function draftOf(tariff: Tariff, timeZone: string): Draft {
  const { idle, min_price, max_price, start_date_time: from, end_date_time: until } = tariff;
  const limit = (price: Tariff['min_price']) =>
    price === null ? null : { excl: text(price.excl_vat), incl: text(price.incl_vat) };
  const wallClock = (time: string | null) => (time === null ? '' : zonedInput(time, timeZone));
  return {
    name: tariff.name,
    audience: tariff.type ?? 'ANY',
    elements: tariff.elements.map(({ price_components, restrictions }, id) => ({
      id,
      components: price_components.map(({ type, price, vat, step_size }) => ({
        type,
        price: text(price),
        vat: text(vat),
        step: text(step_size),
      })),
      conditions: conditionFields(restrictions),
    })),
    idle:
      idle === null
        ? null
        : { price: text(idle.price_per_minute), grace: text(idle.grace_minutes), vat: text(idle.vat) },
    minimum: limit(min_price),
    maximum: limit(max_price),
    texts: tariff.tariff_alt_text.map((each, id) => ({ id, ...each })),
    url: tariff.tariff_alt_url ?? '',
    startsAt: wallClock(from),
    endsAt: wallClock(until),
  };
}

/** Returns the number of an input. The server refuses what is none, and names the field. */
const required = (input: string): number => numberOf(input) ?? Number.NaN;
const optional = <Name extends string>(name: Name, input: string) =>
  (input.trim() === '' ? {} : { [name]: required(input) }) as { [Each in Name]?: number };

/** Returns the prices of a draft as the API accepts them. */
export function pricesOf({ elements, idle, minimum, maximum }: Draft): Omit<Prices, 'currency'> {
  const limit = (fields: LimitFields | null) =>
    fields === null ? null : { excl_vat: required(fields.excl), ...optional('incl_vat', fields.incl) };
  return {
    elements: elements.map(({ components, conditions }) => {
      const restrictions = restrictionsOf(conditions, required);
      return {
        price_components: components.map(({ type, price, vat, step }) => ({
          type,
          price: required(price),
          ...optional('vat', vat),
          step_size: required(step),
        })),
        ...(restrictions === undefined ? {} : { restrictions }),
      };
    }),
    idle:
      idle === null
        ? null
        : {
            price_per_minute: required(idle.price),
            grace_minutes: required(idle.grace),
            ...optional('vat', idle.vat),
          },
    min_price: limit(minimum),
    max_price: limit(maximum),
  };
}

/**
 * Returns a draft as the API accepts it. The energy mix is left as it is.
 * @param base tariff that the draft began with: times whose text is unchanged stay as they are to the millisecond
 */
export function bodyOf(
  draft: Draft,
  timeZone: string,
  base?: Pick<Tariff, 'start_date_time' | 'end_date_time'>,
): Omit<Schemas['CreateTariffRequest'], 'networkUuid' | 'energy_mix'> {
  const instant = (text: string, before: string | null = null) => {
    if (text === '') return null;
    if (before !== null && zonedInput(before, timeZone) === text) return before;
    return zonedInstant(text, timeZone);
  };
  return {
    name: draft.name.trim(),
    type: draft.audience === 'ANY' ? null : draft.audience,
    ...pricesOf(draft),
    tariff_alt_text: draft.texts.map(({ language, text: words }) => ({
      language: language.trim(),
      text: words.trim(),
    })),
    tariff_alt_url: draft.url.trim() === '' ? null : draft.url.trim(),
    start_date_time: instant(draft.startsAt, base?.start_date_time),
    end_date_time: instant(draft.endsAt, base?.end_date_time),
  };
}

/** Returns the VAT that a new price of a draft begins with: that of the first that has one. */
export const usualVat = ({ elements }: Pick<Draft, 'elements'>): string =>
  elements.flatMap(({ components }) => components).find(({ vat }) => vat !== '')?.vat ?? '';

/** Returns an id that no row has. */
export const nextId = (rows: readonly { id: number }[]): number =>
  rows.reduce((highest, { id }) => Math.max(highest, id), -1) + 1;
