import { DomainError } from '#shared/domain/kernel/errors.ts';
import { partyName } from '#shared/domain/roaming/ocpi.ts';
import type { PartnerRecord } from '#shared/postgres/roaming/ocpi-partners.ts';

/** Returns the fields of a partner for the audit log: without tokens. */
export function shown(partner: PartnerRecord) {
  const { name, status, registration, countryCode, partyId, writeScopes, quirks } = partner;
  const { rateLimitPerHour, authorizationOrder, hubParties, versionsUrl, ocpiVersion } = partner;
  const { isNationalAccessPoint, tokenValidDays } = partner;
  const parties = partner.parties.map(partyName);
  return {
    name,
    status,
    registration,
    countryCode,
    partyId,
    parties,
    writeScopes,
    quirks,
    rateLimitPerHour,
    authorizationOrder,
    hubParties,
    isNationalAccessPoint,
    tokenValidDays,
    versionsUrl,
    ocpiVersion,
  };
}

/** Returns the resource of an audit entry about a partner. */
export function audited({ networkId, uuid, name }: PartnerRecord, action: string) {
  return { networkId, category: 'ocpi-partner', action, resourceId: uuid, resourceName: name };
}

/**
 * Returns a partner that was looked up.
 * @throws {DomainError} PARTNER_NOT_FOUND.
 */
export function found(partner: PartnerRecord | null, uuid: string): PartnerRecord {
  if (partner === null) throw noPartner(uuid);
  return partner;
}

export function noPartner(uuid: string): DomainError {
  return new DomainError('PARTNER_NOT_FOUND', `There is no partner ${uuid}.`);
}
