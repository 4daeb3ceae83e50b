import { type Static, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { BusinessDetails, CredentialsRole, OcpiVersion } from '#shared/domain/roaming/ocpi.ts';
import { WireText, WireUrl } from '#api/services/roaming/wire/text.ts';

/** Credentials of a party (OCPI 2.2.1 §7.3), whatever the names on the wire. */
export interface SentCredentials {
  token: string;
  url: string;
  roles: CredentialsRole[];
}

const text = (maxLength: number) => Type.Optional(WireText(maxLength, 0));

const Details = Type.Object({
  name: text(100),
  website: text(255),
  logo: Type.Optional(Type.Object({ url: text(255) }, { description: 'Logo.' })),
});

/** Fields of a party in credentials. */
export const roleFields = {
  party_id: text(3),
  country_code: text(2),
  business_details: Type.Optional(Details),
};

/** Role of a partner, with the names of the standard or of the documented 2.2 surface. */
const Role = Type.Object({
  role: text(20),
  party_id: roleFields.party_id,
  partyId: text(3),
  country_code: roleFields.country_code,
  countryCode: text(2),
  business_details: roleFields.business_details,
  businessDetails: Type.Optional(Details),
});

/** Token of credentials (OCPI 2.2.1 §7.3). */
export const tokenPattern = '^[!-~]{1,64}$';

/** Versions URL of a partner. */
export const urlField = Type.Optional(WireUrl());

/** A hub of 2.3.0 lists all of its clients. The limit of a body's size is reached at about as many. */
const maxRoles = 5000;

/** Fields of credentials that a partner sends; `token` is up to the side that reads them. Further fields are ignored. */
export const credentialFields = {
  url: urlField,
  roles: Type.Optional(Type.Array(Role, { maxItems: maxRoles, description: 'Roles of the party.' })),
  hub_party_id: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2}[A-Za-z0-9]{3}$',
      description: 'Party of a hub: its country and its party identifier (OCPI 2.3.0).',
    }),
  ),
};

/** Credentials in a partner's answer. */
const Answer = Type.Object({ ...credentialFields, token: Type.String({ pattern: tokenPattern }) });

/** Credentials as a partner sends them; all fields are optional. */
export type CredentialsBody = Partial<Static<typeof Answer>>;

/**
 * Converts a partner's credentials; omitted fields stay as they are.
 * @throws {DomainError} VALIDATION_FAILED (2001) when a required field is missing.
 */
export function sentCredentials(
  sent: CredentialsBody,
  known: Partial<SentCredentials> = {},
): SentCredentials {
  const roles =
    sent.roles === undefined ? (known.roles ?? []) : [...hubRole(sent), ...sent.roles.map(toRole)];
  const token = sent.token ?? known.token;
  const url = sent.url ?? known.url;
  if (token === undefined) throw missing('token');
  if (url === undefined) throw missing('url');
  if (roles.length === 0) throw missing('roles');
  return { token, url, roles };
}

/** Returns the credentials of a partner's answer. A missing URL is `versionsUrl`. Null: they cannot be read. */
export function answeredCredentials(data: unknown, versionsUrl: string): SentCredentials | null {
  if (!Check(Answer, data)) return null;
  try {
    return sentCredentials(data, { url: versionsUrl });
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

function toRole(sent: Static<typeof Role>): CredentialsRole {
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

/** Returns the role of a hub that names its own party apart: 2.3.0 has no role HUB. */
function hubRole({ hub_party_id: party, roles = [] }: CredentialsBody): CredentialsRole[] {
  if (party === undefined || roles.some(({ role }) => role === 'HUB')) return [];
  return [toRole({ role: 'HUB', country_code: party.slice(0, 2), party_id: party.slice(2) })];
}

function missing(field: string): DomainError {
  const message = 'is required';
  return new DomainError('VALIDATION_FAILED', `Invalid body: ${field} ${message}.`, {
    errors: [{ field, message }],
  });
}

/** Returns credentials with the names of a version: those of the standard (2.2.1) or the documented ones (2.2). */
export function credentialsView(version: OcpiVersion, { token, url, roles }: SentCredentials) {
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

function detailsView({ name, website, logoUrl }: BusinessDetails) {
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
