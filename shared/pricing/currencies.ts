/**
 * Decimals of the minor units that are not two, by ISO 4217 (list one of the maintenance agency, 2026-01-01). CLDR, and so
 * `Intl`, follows cash usage and gives fewer for HUF, IDR, COP and others.
 */
const exceptions = new Map([
  ...codes(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...codes(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...codes(4, 'CLF UYW'),
]);

function codes(digits: number, list: string): [string, number][] {
  return list.split(' ').map((code) => [code, digits]);
}

/**
 * Returns the decimals of a currency's minor unit by ISO 4217: 2 for EUR and HUF, 0 for JPY, 3 for KWD.
 * @throws {RangeError} when the text is no currency code.
 */
export function minorDigits(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError(`not a currency code: ${currency}`);
  return exceptions.get(currency) ?? 2;
}
