import { AuditedRecords } from '#api/services/access/audited-records.ts';
import { partyName } from '#shared/domain/roaming/ocpi.ts';
import { findPartner, type PartnerRecord } from '#shared/postgres/roaming/ocpi-partners.statements.ts';

/** Returns the fields of a partner for the audit log: without tokens. */
function auditedFields(partner: PartnerRecord) {
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

/** Partners and their changes. */
export const partners = new AuditedRecords<PartnerRecord>({
  category: 'ocpi-partner',
  noun: 'partner',
  notFound: 'PARTNER_NOT_FOUND',
  find: findPartner,
  networkOf: ({ networkId }) => networkId,
  nameOf: ({ name }) => name,
  audited: auditedFields,
});
