import type { Price } from '#api/services/roaming/wire/numbers.ts';

/** Tax of a price (OCPI 2.3.0, TaxAmount). */
interface TaxAmount {
  name: string;
  amount: number;
}

/** Price with its taxes apart (OCPI 2.3.0, Price). */
export interface TaxedPrice {
  before_taxes: number;
  taxes?: TaxAmount[];
}

/** Converts a price. VAT is the only tax that we charge; a price without VAT has no taxes. */
export function taxedPrice({ excl_vat: beforeTaxes, incl_vat: afterTaxes }: Price): TaxedPrice {
  // OCPI's numbers have four decimals.
  const vat = Math.round((afterTaxes - beforeTaxes) * 10_000) / 10_000;
  return { before_taxes: beforeTaxes, ...(vat !== 0 && { taxes: [{ name: 'VAT', amount: vat }] }) };
}

/** Lowest or highest price of a session (OCPI 2.3.0, PriceLimit). */
interface TaxedLimit {
  before_taxes: number;
  after_taxes?: number;
}

/** Converts the limit of a price. */
export function taxedLimit(limit: { excl_vat: number; incl_vat?: number }): TaxedLimit {
  const { excl_vat: beforeTaxes, incl_vat: afterTaxes } = limit;
  return { before_taxes: beforeTaxes, ...(afterTaxes !== undefined && { after_taxes: afterTaxes }) };
}
