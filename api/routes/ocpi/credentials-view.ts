import { Type } from 'typebox';
import { Formed, Named } from '#api/routes/schema.ts';
import { credentialFields } from '#api/services/roaming/wire/v221/credentials.ts';

/** Credentials in a partner's request (OCPI 2.2.1 §7.4). Further fields are ignored. */
export const CredentialsBody = Named('OcpiCredentialsRequest', {
  token: Type.Optional(
    Formed('1 to 64 visible ASCII characters', '^[!-~]+$', {
      minLength: 1,
      maxLength: 64,
      description: 'Token.',
    }),
  ),
  ...credentialFields,
});

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
