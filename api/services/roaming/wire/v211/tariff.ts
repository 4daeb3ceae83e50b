import type { OcpiTariff } from '#api/services/roaming/tariffs.service.ts';
import type { ShownElement } from '#api/services/money/tariff-terms.ts';
import { tariffObject as tariff221 } from '#api/services/roaming/wire/v221/tariff.ts';
import { omitNulls } from '#api/services/roaming/wire/omit-nulls.ts';
import { energyMix } from './energy-mix.ts';
import { onValidDays } from './valid-days.ts';

/**
 * Converts a tariff. Null: an element depends on the current, which 2.1.1 cannot express, or none is valid. Prices of reservations,
 * VAT and limits of the price have no fields. The time of validity is that of the elements.
 */
export function tariffObject(tariff: OcpiTariff) {
  const { elements, ...object } = tariff221(tariff);
  return withoutTaxes({ ...object, elements: onValidDays(elements, tariff) });
}

type Element = Pick<ShownElement, 'price_components' | 'restrictions'>;

/** Converts a tariff of 2.2.1 whose elements were valid, such as the tariff of a stored CDR. */
export function withoutTaxes({
  id,
  currency,
  elements,
  last_updated,
  ...more
}: {
  id: string;
  currency: string;
  elements: readonly Element[];
  last_updated: string;
  tariff_alt_text?: { language: string; text: string }[];
  tariff_alt_url?: string;
  energy_mix?: Record<string, unknown>;
}) {
  const priced = elements.filter(({ restrictions }) => restrictions?.reservation === undefined);
  if (priced.length === 0 || priced.some(dependsOnCurrent)) return null;
  return {
    id,
    currency,
    ...omitNulls({
      tariff_alt_text: more.tariff_alt_text,
      tariff_alt_url: more.tariff_alt_url,
      energy_mix: more.energy_mix && energyMix(more.energy_mix),
    }),
    elements: priced.map(({ price_components: components, restrictions }) => ({
      price_components: components.map(({ type, price, step_size }) => ({ type, price, step_size })),
      ...(restrictions && { restrictions }),
    })),
    last_updated,
  };
}

function dependsOnCurrent({ restrictions }: Element): boolean {
  return restrictions?.min_current !== undefined || restrictions?.max_current !== undefined;
}
