import { countryName, toAlpha2 } from '#shared/domain/fleet/countries.ts';

/** Postal address; null: unknown or not used. */
interface PostalAddress {
  /** Street lines, separated by line breaks. */
  street: string | null;
  postalCode: string | null;
  city: string | null;
  /** ISO 3166-1, alpha-2 or alpha-3. */
  country: string | null;
}

/** Countries that write the postal code after the city (UPU addressing formats). */
const codeLast = new Set(['AU', 'CA', 'GB', 'ID', 'IE', 'IN', 'NZ', 'SG', 'TH', 'US', 'ZA']);

/** Returns an address on several lines, the name of the country in a language (BCP 47) on the last. */
export function postalLines({ street, postalCode, city, country }: PostalAddress, language: string): string {
  const isLast = country !== null && codeLast.has(toAlpha2(country) ?? '');
  const place = (isLast ? [city, postalCode] : [postalCode, city]).filter((part) => part !== null).join(' ');
  return [street, place, country === null ? null : countryName(country, language)]
    .filter((line) => line !== null && line !== '')
    .join('\n');
}
