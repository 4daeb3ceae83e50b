import type { OcpiTariff } from '#api/services/roaming/tariffs.service.ts';
import { tariffObject as tariff221 } from '#api/services/roaming/wire/v221/tariff.ts';
import { taxedLimit } from './price.ts';

/** Inclusion of taxes in the prices of a tariff (OCPI 2.3.0, TaxIncluded). */
export const taxIncluded = ['YES', 'NO', 'N/A'] as const;
type TaxIncluded = (typeof taxIncluded)[number];

interface Priced {
  elements: readonly { price_components: readonly { vat?: number }[] }[];
  min_price?: { excl_vat: number; incl_vat?: number } | undefined;
  max_price?: { excl_vat: number; incl_vat?: number } | undefined;
}

/** Converts a tariff. */
export function tariffObject(tariff: OcpiTariff) {
  return withTaxes(tariff221(tariff));
}

/** Adds the taxes to a tariff of 2.2.1: its prices are without VAT. */
export function withTaxes<Tariff extends Priced>(tariff: Tariff) {
  const { min_price: least, max_price: most, ...same } = tariff;
  return {
    ...same,
    ...(least && { min_price: taxedLimit(least) }),
    ...(most && { max_price: taxedLimit(most) }),
    tax_included: taxIncludedOf(tariff),
  };
}

function taxIncludedOf({ elements }: Priced): TaxIncluded {
  const hasTaxes = elements.some(({ price_components: components }) =>
    components.some(({ vat }) => vat !== undefined),
  );
  return hasTaxes ? 'NO' : 'N/A';
}
