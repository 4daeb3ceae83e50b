import { type Static, Type } from 'typebox';
import { Named, Formed } from '#api/routes/schema.ts';
import type { SentCredentials } from '#api/services/roaming/handshake.ts';
import { WireText, WireUrl } from '#api/services/roaming/wire/text.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { CredentialsRole, OcpiVersion } from '#shared/domain/roaming/ocpi.ts';

const text = (maxLength: number) => Type.Optional(WireText(maxLength, 0));

const SentDetails = Type.Object({
  name: text(100),
  website: text(255),
  logo: Type.Optional(Type.Object({ url: text(255) }, { description: 'Logo.' })),
});

/** Role in a partner's request, with the names of the standard or of the documented 2.2 surface. */
const SentRole = Type.Object({
  role: text(20),
  party_id: text(3),
  partyId: text(3),
  country_code: text(2),
  countryCode: text(2),
  business_details: Type.Optional(SentDetails),
  businessDetails: Type.Optional(SentDetails),
});

/** Credentials in a partner's request (OCPI 2.2.1 §7.4). Further fields are ignored. */
export const CredentialsBody = Named('OcpiCredentialsRequest', {
  token: Type.Optional(
    Formed('1 to 64 visible ASCII characters', '^[!-~]+$', {
      minLength: 1,
      maxLength: 64,
      description: 'Token.',
    }),
  ),
  url: Type.Optional(WireUrl()),
  roles: Type.Optional(Type.Array(SentRole, { maxItems: 20, description: 'Roles of the party.' })),
});

/**
 * Converts a partner's credentials; omitted fields stay as they are.
 * @throws {DomainError} VALIDATION_FAILED (2001) when a required field is missing.
 */
export function sentCredentials(
  body: Static<typeof CredentialsBody>,
  known: Partial<SentCredentials> = {},
): SentCredentials {
  const roles = body.roles?.map(toRole) ?? known.roles ?? [];
  const token = body.token ?? known.token;
  const url = body.url ?? known.url;
  if (token === undefined) throw missing('token');
  if (url === undefined) throw missing('url');
  if (roles.length === 0) throw missing('roles');
  return { token, url, roles };
}

function toRole(sent: Static<typeof SentRole>): CredentialsRole {
  const partyId = sent.party_id ?? sent.partyId;
  const countryCode = sent.country_code ?? sent.countryCode;
  if (partyId === undefined || !/^[A-Za-z0-9]{3}$/.test(partyId)) throw missing('roles.party_id');
  if (countryCode === undefined || !/^[A-Za-z]{2}$/.test(countryCode)) throw missing('roles.country_code');
  const details = sent.business_details ?? sent.businessDetails;
  return {
    role: sent.role ?? 'EMSP',
    partyId: partyId.toUpperCase(),
    countryCode: countryCode.toUpperCase(),
    businessDetails: {
      name: details?.name ?? '',
      website: details?.website ?? null,
      logoUrl: details?.logo?.url ?? null,
    },
  };
}

function missing(field: string): DomainError {
  const message = 'is required';
  return new DomainError('VALIDATION_FAILED', `The body is wrong: ${field} ${message}.`, {
    errors: [{ field, message }],
  });
}

const Details = Type.Object({
  name: Type.String({ description: 'Name.' }),
  website: Type.Optional(Type.String({ description: 'URL of the website.' })),
  logo: Type.Optional(
    Type.Object(
      {
        url: Type.String({ description: 'URL.' }),
        category: Type.String({ description: 'Category (OCPI).' }),
        type: Type.String({ description: 'Type (OCPI).' }),
      },
      { description: 'Logo.' },
    ),
  ),
});

/** Our credentials: the roles with the names of the standard (2.2.1) or the documented ones (2.2). */
export const Credentials = Named('OcpiCredentials', {
  token: Type.String({ description: 'Token.' }),
  url: Type.String({ description: 'URL.' }),
  roles: Type.Array(
    Type.Object({
      role: Type.String({ description: 'Role (OCPI).' }),
      party_id: Type.Optional(Type.String({ description: 'OCPI party identifier.' })),
      partyId: Type.Optional(Type.String({ description: 'OCPI party identifier.' })),
      country_code: Type.Optional(Type.String({ description: 'Country of the party (ISO 3166-1 alpha-2).' })),
      countryCode: Type.Optional(Type.String({ description: 'Country of the party (ISO 3166-1 alpha-2).' })),
      business_details: Type.Optional(Details),
      businessDetails: Type.Optional(Details),
    }),
    { description: 'Roles of the party.' },
  ),
});

/** Returns our credentials with the names of a version. */
export function credentialsView(
  version: OcpiVersion,
  { token, url, roles }: SentCredentials,
): Static<typeof Credentials> {
  return {
    token,
    url,
    roles: roles.map((role) => (version === '2.2' ? documentedRole(role) : standardRole(role))),
  };
}

function documentedRole({ role, partyId, countryCode, businessDetails }: CredentialsRole) {
  return { role, businessDetails: detailsView(businessDetails), partyId, countryCode };
}

function standardRole({ role, partyId, countryCode, businessDetails }: CredentialsRole) {
  return {
    role,
    business_details: detailsView(businessDetails),
    party_id: partyId,
    country_code: countryCode,
  };
}

function detailsView({ name, website, logoUrl }: CredentialsRole['businessDetails']): Static<typeof Details> {
  return {
    name,
    ...(website !== null && { website }),
    ...(logoUrl !== null && { logo: { url: logoUrl, category: 'OPERATOR', type: imageType(logoUrl) } }),
  };
}

/** Returns the type of an image (OCPI 2.2.1 §8.4.15) from the extension of its file name. */
function imageType(url: string): string {
  return /\.(gif|jpe?g|png|svg)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? 'png';
}
