import { Type } from 'typebox';
import { Formed, Named, Str } from '#api/routes/schema.ts';
import { credentialFields as flatFields } from '#api/services/roaming/wire/v211/credentials.ts';
import { credentialFields } from '#api/services/roaming/wire/v221/credentials.ts';

const token = Type.Optional(
  Formed('1 to 64 visible ASCII characters', '^[!-~]+$', {
    minLength: 1,
    maxLength: 64,
    description: 'Token.',
  }),
);

/** Credentials in a partner's request (OCPI 2.2.1 §7.4). Further fields are ignored. */
export const CredentialsRequest = Named('OcpiCredentialsRequest', { token, ...credentialFields });

/** Credentials in a partner's request of 2.1.1. Further fields are ignored. */
export const FlatCredentialsRequest = Named('Ocpi211CredentialsRequest', { token, ...flatFields });

const Details = Type.Object({
  name: Str('Name.'),
  website: Type.Optional(Str('URL of the website.')),
  logo: Type.Optional(
    Type.Object(
      {
        url: Str('URL.'),
        category: Str('Category (OCPI).'),
        type: Str('Type (OCPI).'),
      },
      { description: 'Logo.' },
    ),
  ),
});

/** Our credentials: the roles with the names of the standard (2.2.1) or the documented ones (2.2). */
export const Credentials = Named('OcpiCredentials', {
  token: Str('Token.'),
  url: Str('URL.'),
  roles: Type.Array(
    Type.Object({
      role: Str('Role (OCPI).'),
      party_id: Type.Optional(Str('OCPI party identifier.')),
      partyId: Type.Optional(Str('OCPI party identifier.')),
      country_code: Type.Optional(Str('Country of the party (ISO 3166-1 alpha-2).')),
      countryCode: Type.Optional(Str('Country of the party (ISO 3166-1 alpha-2).')),
      business_details: Type.Optional(Details),
      businessDetails: Type.Optional(Details),
    }),
    { description: 'Roles of the party.' },
  ),
});

/** Our credentials in 2.1.1. */
export const FlatCredentials = Named('Ocpi211Credentials', {
  token: Str('Token.'),
  url: Str('URL.'),
  business_details: Details,
  party_id: Str('OCPI party identifier.'),
  country_code: Str('Country of the party (ISO 3166-1 alpha-2).'),
});
