import { parseDateTime } from '#shared/domain/kernel/date-time.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type {
  IdlePrice,
  PriceComponent,
  PriceLimit,
  TariffElement,
  TariffRestrictions,
} from '#shared/pricing/tariff.ts';

export { daysOfWeek, priceDimensions, tariffTypes } from '#shared/pricing/tariff.ts';
export type { Tariff } from '#shared/pricing/tariff.ts';

/** Prices as numbers: OCPI's number has four decimals (§16.5). */
type AsNumbers<T, Names extends keyof T> = { [Name in keyof T]: Name extends Names ? number : T[Name] };

export type ShownComponent = Omit<PriceComponent, 'price' | 'vat'> & { price: number; vat?: number };
export interface ShownElement {
  price_components: ShownComponent[];
  restrictions?: TariffRestrictions;
}
export type ShownIdle = AsNumbers<IdlePrice, 'price_per_minute' | 'vat'>;
export type ShownLimit = AsNumbers<PriceLimit, 'excl_vat' | 'incl_vat'>;

/** The parts of a tariff with prices in them, as requests and answers have them. */
export interface ShownPrices {
  elements: ShownElement[];
  idle?: ShownIdle | null | undefined;
  min_price?: ShownLimit | null | undefined;
  max_price?: ShownLimit | null | undefined;
}

/**
 * Elements as they are stored: prices as decimal text, exactly as they were written.
 * @throws {DomainError} VALIDATION_FAILED for what a schema cannot tell.
 */
export function storedElements(elements: readonly ShownElement[]): TariffElement[] {
  if (elements.every(({ restrictions }) => restrictions?.reservation !== undefined)) {
    throw invalid('elements', 'must have one that prices a session, not only reservations');
  }
  return elements.map((element, index) => {
    const field = `elements.${index}`;
    const types = element.price_components.map(({ type }) => type);
    if (new Set(types).size < types.length) {
      throw invalid(`${field}.price_components`, 'must have at most one of each type');
    }
    if (element.restrictions !== undefined) requireRestrictions(field, element.restrictions, types);
    return {
      ...element,
      price_components: element.price_components.map(({ price, vat, ...component }, at) => ({
        ...component,
        price: decimal(`${field}.price_components.${at}.price`, price),
        ...(vat !== undefined && { vat: decimal(`${field}.price_components.${at}.vat`, vat) }),
      })),
    };
  });
}

const pairs = [
  ['min_kwh', 'max_kwh'],
  ['min_current', 'max_current'],
  ['min_power', 'max_power'],
  ['min_duration', 'max_duration'],
  ['start_date', 'end_date'],
] as const satisfies [keyof TariffRestrictions, keyof TariffRestrictions][];

function requireRestrictions(
  field: string,
  restrictions: TariffRestrictions,
  types: readonly PriceComponent['type'][],
): void {
  for (const [least, most] of pairs) {
    const low = restrictions[least];
    const high = restrictions[most];
    if (low !== undefined && high !== undefined && low >= high) {
      throw invalid(`${field}.restrictions.${most}`, `must be above ${least}`);
    }
  }
  for (const name of ['start_date', 'end_date'] as const) {
    const date = restrictions[name];
    if (date !== undefined && parseDateTime(`${date}T00:00:00Z`) === null) {
      throw invalid(`${field}.restrictions.${name}`, 'must be a day of the calendar');
    }
  }
  if (restrictions.reservation !== undefined && !types.every((type) => type === 'FLAT' || type === 'TIME')) {
    throw invalid(`${field}.price_components`, 'of a reservation must be FLAT or TIME');
  }
}

/** @throws {DomainError} VALIDATION_FAILED. */
export function storedIdle({ price_per_minute, vat, grace_minutes }: ShownIdle): IdlePrice {
  return {
    price_per_minute: decimal('idle.price_per_minute', price_per_minute),
    grace_minutes,
    ...(vat !== undefined && { vat: decimal('idle.vat', vat) }),
  };
}

/** @throws {DomainError} VALIDATION_FAILED. */
export function storedLimit(field: string, { excl_vat, incl_vat }: ShownLimit): PriceLimit {
  if (incl_vat !== undefined && incl_vat < excl_vat) {
    throw invalid(`${field}.incl_vat`, 'must not be less than excl_vat');
  }
  return {
    excl_vat: decimal(`${field}.excl_vat`, excl_vat),
    ...(incl_vat !== undefined && { incl_vat: decimal(`${field}.incl_vat`, incl_vat) }),
  };
}

/**
 * Checks the conditions that span several fields of a tariff.
 * @throws {DomainError} VALIDATION_FAILED.
 */
export function requireConsistent(terms: {
  elements: readonly TariffElement[];
  idle: IdlePrice | null;
  minPrice: PriceLimit | null;
  maxPrice: PriceLimit | null;
  startsAt: Date | null;
  endsAt: Date | null;
}): void {
  const { elements, idle, minPrice, maxPrice, startsAt, endsAt } = terms;
  const pricesParking = elements.some(({ price_components }) =>
    price_components.some(({ type }) => type === 'PARKING_TIME'),
  );
  if (idle !== null && pricesParking) {
    throw invalid('idle', 'cannot be combined with PARKING_TIME: both price the same minutes');
  }
  if (minPrice !== null && maxPrice !== null) {
    for (const name of ['excl_vat', 'incl_vat'] as const) {
      const [least, most] = [minPrice[name], maxPrice[name]];
      if (least !== undefined && most !== undefined && Number(least) > Number(most)) {
        throw invalid(`max_price.${name}`, 'must not be less than min_price');
      }
    }
  }
  if (startsAt !== null && endsAt !== null && startsAt >= endsAt) {
    throw invalid('end_date_time', 'must be after start_date_time');
  }
}

/** Elements as they are shown: prices as numbers. */
export function shownElements(elements: readonly TariffElement[]): ShownElement[] {
  return elements.map((element) => ({
    ...element,
    price_components: element.price_components.map(({ price, vat, ...component }) => ({
      ...component,
      price: Number(price),
      ...(vat !== undefined && { vat: Number(vat) }),
    })),
  }));
}

export function shownIdle({ price_per_minute, grace_minutes, vat }: IdlePrice): ShownIdle {
  return {
    price_per_minute: Number(price_per_minute),
    grace_minutes,
    ...(vat !== undefined && { vat: Number(vat) }),
  };
}

export function shownLimit({ excl_vat, incl_vat }: PriceLimit): ShownLimit {
  return { excl_vat: Number(excl_vat), ...(incl_vat !== undefined && { incl_vat: Number(incl_vat) }) };
}

/** A number as it was written; JSON has no other exact form of it. */
function decimal(field: string, value: number): string {
  const text = String(value);
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(text)) throw invalid(field, 'must have at most 4 decimals');
  return text;
}

/** The error of one field of a body. */
export function invalid(field: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `Invalid body: ${field} ${message}.`, {
    errors: [{ field, message }],
  });
}
