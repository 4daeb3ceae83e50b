import type { Schemas } from '../../../api/client.ts';
import { optionalNumber, requiredNumber } from '../../../texts/numbers.ts';
import { editedInstant, zonedInput, zonedInstant } from '../../../texts/zoned-time.ts';
import { type EnergyDraft, energyDraftOf, energyMixOf } from '../../locations/energy-mix.ts';
import { mixOfTariff, tariffMixOf } from '../energy-mix.ts';
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

interface IdleFields {
  price: string;
  grace: string;
  vat: string;
}

/** Audiences. `ANY`: all of them. */
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
  energy: EnergyDraft;
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
    energy: energyDraftOf(null),
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
    energy: energyDraftOf(mixOfTariff(tariff.energy_mix)),
    startsAt: wallClock(from),
    endsAt: wallClock(until),
  };
}

/** Returns a draft whose typed times are the same instants in another time zone. */
export function draftInZone(draft: Draft, from: string, to: string): Draft {
  const moved = (text: string) => {
    const instant = zonedInstant(text, from);
    return instant === null ? text : zonedInput(instant, to);
  };
  return { ...draft, startsAt: moved(draft.startsAt), endsAt: moved(draft.endsAt) };
}

const limitOf = (fields: LimitFields | null) =>
  fields === null
    ? null
    : { excl_vat: requiredNumber(fields.excl), ...optionalNumber('incl_vat', fields.incl) };

/** Returns the prices of a draft as the API accepts them. */
export function pricesOf({ elements, idle, minimum, maximum }: Draft): Omit<Prices, 'currency'> {
  return {
    elements: elements.map(({ components, conditions }) => {
      const restrictions = restrictionsOf(conditions, requiredNumber);
      return {
        price_components: components.map(({ type, price, vat, step }) => ({
          type,
          price: requiredNumber(price),
          ...optionalNumber('vat', vat),
          step_size: requiredNumber(step),
        })),
        ...(restrictions === undefined ? {} : { restrictions }),
      };
    }),
    idle:
      idle === null
        ? null
        : {
            price_per_minute: requiredNumber(idle.price),
            grace_minutes: requiredNumber(idle.grace),
            ...optionalNumber('vat', idle.vat),
          },
    min_price: limitOf(minimum),
    max_price: limitOf(maximum),
  };
}

/**
 * Returns a draft as the API accepts it.
 * @param base tariff that the draft began with: times whose text is unchanged stay as they are to the millisecond
 */
export function bodyOf(
  draft: Draft,
  timeZone: string,
  base?: Pick<Tariff, 'start_date_time' | 'end_date_time'>,
): Omit<Schemas['CreateTariffRequest'], 'networkUuid'> {
  return {
    name: draft.name.trim(),
    type: draft.audience === 'ANY' ? null : draft.audience,
    ...pricesOf(draft),
    tariff_alt_text: draft.texts.map(({ language, text: words }) => ({
      language: language.trim(),
      text: words.trim(),
    })),
    tariff_alt_url: draft.url.trim() === '' ? null : draft.url.trim(),
    energy_mix: tariffMixOf(energyMixOf(draft.energy)),
    start_date_time: editedInstant(draft.startsAt, timeZone, base?.start_date_time ?? null),
    end_date_time: editedInstant(draft.endsAt, timeZone, base?.end_date_time ?? null),
  };
}

/** Returns the VAT that a new price of a draft begins with: that of the first that has one. */
export const usualVat = ({ elements }: Pick<Draft, 'elements'>): string =>
  elements.flatMap(({ components }) => components).find(({ vat }) => vat !== '')?.vat ?? '';

/** Returns an id that no row has. */
export const nextId = (rows: readonly { id: number }[]): number =>
  rows.reduce((highest, { id }) => Math.max(highest, id), -1) + 1;
