import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { UpdatedSlice } from '#shared/postgres/roaming/ocpi-locations.ts';
import {
  findOcpiTariffRows,
  listOcpiTariffRows,
  type OcpiTariffRow,
} from '#shared/postgres/roaming/ocpi-tariffs.ts';
import type { RoamingDeps } from './deps.ts';
import { objectLoader } from './object-loader.ts';
import { isVisibleTo, type Viewer } from './withdrawn.ts';
import {
  type ShownElement,
  type ShownLimit,
  shownElements,
  shownIdle,
  shownLimit,
} from '#api/services/money/tariff-terms.ts';
import type { IdlePrice } from '#shared/pricing/tariff.ts';

/** A tariff as partners see it (OCPI 2.2.1 §11.3.1): prices as numbers, our idle fee in OCPI's words. */
export interface OcpiTariff extends Omit<OcpiTariffRow, 'elements' | 'idle' | 'minPrice' | 'maxPrice'> {
  elements: ShownElement[];
  minPrice: ShownLimit | null;
  maxPrice: ShownLimit | null;
}

/** One slice of the tariffs that a partner sees: those that are assigned, or were since its registration. Oldest first. */
export async function listOcpiTariffs(
  { sql }: Pick<RoamingDeps, 'sql'>,
  { networkId, firstRegisteredAt }: Viewer,
  slice: UpdatedSlice,
): Promise<{ rows: OcpiTariff[]; total: number }> {
  const { rows, total } = await listOcpiTariffRows(sql, networkId, firstRegisteredAt, slice);
  return { rows: rows.map(toOcpi), total };
}

/** @throws {DomainError} TARIFF_NOT_FOUND. */
export async function readOcpiTariff(
  { sql }: Pick<RoamingDeps, 'sql'>,
  viewer: Viewer,
  id: string,
): Promise<OcpiTariff> {
  const row = await tariffById(sql, viewer.networkId, id);
  if (row === undefined || !isVisibleTo(viewer, row.withdrawnAt)) {
    throw new DomainError('TARIFF_NOT_FOUND', `There is no tariff ${id}.`);
  }
  return toOcpi(row);
}

const tariffById = objectLoader({ read: findOcpiTariffRows, idOf: ({ uuid }) => uuid });

function toOcpi({ elements, idle, minPrice, maxPrice, altText, ...row }: OcpiTariffRow): OcpiTariff {
  return {
    ...row,
    endsAt: endOf(row),
    elements: [...shownElements(elements), ...(idle === null ? [] : [parkingElement(idle)])],
    altText: [...altText, ...(idle === null || idle.grace_minutes === 0 ? [] : [graceText(idle)])],
    minPrice: minPrice && shownLimit(minPrice),
    maxPrice: maxPrice && shownLimit(maxPrice),
  };
}

/** Returns the end of a tariff. One that is not assigned any more has ended: a partner that polls learns it in no other way. */
function endOf({ endsAt, endedAt }: Pick<OcpiTariffRow, 'endsAt' | 'endedAt'>): Date | null {
  if (endedAt === null) return endsAt;
  return endsAt !== null && endsAt < endedAt ? endsAt : endedAt;
}

/**
 * Price of occupying a connector without charging: OCPI's PARKING_TIME, by the second, priced by the hour.
 */
function parkingElement(idle: IdlePrice): ShownElement {
  const { price_per_minute: perMinute, vat } = shownIdle(idle);
  // Four decimals are OCPI's (§16.5): the product of a decimal with four and 60 has no more.
  const price = Number((perMinute * 60).toFixed(4));
  return {
    price_components: [{ type: 'PARKING_TIME', price, ...(vat !== undefined && { vat }), step_size: 1 }],
  };
}

/**
 * Returns the grace of an idle period as text: OCPI's restrictions count from the start of a session and
 * cannot express it.
 */
function graceText({ grace_minutes: minutes }: IdlePrice): { language: string; text: string } {
  return {
    language: 'en',
    text: `The parking time is free for the first ${minutes} minutes after charging has ended.`,
  };
}
