import { isCountryCode } from '#shared/domain/fleet/countries.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { compactIban, isIban } from '#shared/domain/money/iban.ts';
import type { Seller } from '#shared/postgres/money/invoices.statements.ts';
import type { NetworkDetailRecord } from '#shared/postgres/fleet/network-details.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';

/** Returns the seller of a network's sessions, as receipts and invoices name it. */
export function sellerOf(network: NetworkDetailRecord): Seller {
  const { name, legalName, vatNumber, postalAddress, postalCode, city, country } = network;
  const { iban, bic, bankAccount, website, supportEmail, supportPhone } = network;
  return {
    name,
    legalName,
    vatNumber,
    postalAddress,
    postalCode,
    city,
    country,
    iban,
    bic,
    bankAccount,
    website,
    supportEmail,
    supportPhone,
  };
}

const required = ['legalName', 'postalAddress', 'city', 'country', 'vatNumber'] as const;

/**
 * Stops an invoice whose seller lacks what an invoice must state.
 * @throws {DomainError} SELLER_INCOMPLETE with the fields to fill.
 */
export function requireSeller(network: NetworkDetailRecord, isAnythingDue: boolean): void {
  const fields: string[] = required.filter((field) => network[field] === null);
  const hasAccount = network.iban !== null || network.bankAccount !== null;
  if (isAnythingDue && !hasAccount) fields.push('iban');
  if (fields.length === 0) return;
  throw new DomainError(
    'SELLER_INCOMPLETE',
    `The network ${network.name} cannot issue this invoice: ${fields.join(', ')} must be filled` +
      `${fields.includes('iban') ? ' (or bankAccount instead of iban)' : ''}. ` +
      `An operator sets them with PATCH /cpms/v1/networks/${network.uuid}.`,
    { networkId: network.uuid, fields },
  );
}

/**
 * Returns fields of a network with the IBAN as it is stored, without spaces and in capitals.
 * @throws {DomainError} VALIDATION_FAILED for an IBAN or a country that does not exist.
 */
export function withSellerFields<T extends Partial<Pick<Seller, 'iban' | 'country'>>>(given: T): T {
  const { iban, country } = given;
  if (typeof country === 'string' && !isCountryCode(country)) {
    throw wrongField('country', 'must be a country code of ISO 3166-1 alpha-2, such as SE');
  }
  if (typeof iban !== 'string') return given;
  if (!isIban(iban)) throw wrongField('iban', 'must be an IBAN with valid check digits');
  return { ...given, iban: compactIban(iban) };
}
