import { ocpiVersions } from '#shared/domain/roaming/ocpi.ts';
import { type Entries, currency, entry, flag, minor, nullable, oneOf, text, uuid, version } from './entry.ts';

const partner = {
  status: oneOf(['PENDING', 'REGISTERED', 'SUSPENDED'], 'Status of the partner.'),
  ocpiVersion: nullable(oneOf(ocpiVersions, 'OCPI version of the handshake. Null before it.')),
  version,
};

/** Events of roaming. */
export const roamingEvents = {
  'partner.created': entry('The partner.', 'A roaming partner was created.', partner),
  'partner.updated': entry('The partner.', 'A roaming partner was changed, reset or registered.', partner),
  'partner.removed': entry('The partner.', 'A roaming partner was removed.', partner),
  'cdr.created': entry('The CDR.', 'A CDR of an ended session, or its credit, was created for a partner.', {
    cdrId: text('Identifier of the CDR in OCPI.', '123e4567-e89b-42d3-a456-426614174000'),
    partnerId: uuid('Partner.'),
    isCredit: flag('True when the CDR credits an earlier one.'),
    currency,
    totalInclVatMinor: minor('Total with VAT; below zero for a credit'),
  }),
} satisfies Entries;
