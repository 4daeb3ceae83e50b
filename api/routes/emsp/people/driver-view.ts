import { type Static, Type } from 'typebox';
import { DateTime, Flag, Integer, isoOrNull, Named, Nullable, Str, Uuid } from '#api/routes/schema.ts';
import { userFields } from '#api/routes/user-view.ts';
import type { DriverSession } from '#api/services/people/driver-sessions.ts';

/** Network of an account, in requests without credentials. */
export const networkId = Type.Optional(
  Uuid(
    'Network of the account. Default for a registration: the default network. Otherwise, the only account of the address; if there ' +
      'are several, the account in the default network, then in the oldest network.',
  ),
);

/** New password. Only its length matters (NIST SP 800-63B §3.1.1). */
export const NewPassword = Str('Password of 8 to 128 characters.', 'an altogether different sentence', {
  minLength: 8,
  maxLength: 128,
});

/** Password in a login. Earlier rules allowed shorter passwords than the current one. */
export const SentPassword = Str('Password of the account.', 'correct horse battery staple', {
  minLength: 1,
  maxLength: 128,
});

export const RefreshToken = Str(
  'Refresh token from the latest login or refresh. Each is valid for one refresh.',
  'rt_5Jq0T8w2mXcVbN4k',
  { minLength: 1, maxLength: 200 },
);

/** Token from an e-mail. */
export const MailToken = Str('Token from the link in the e-mail.', 'Zm9yIG9uZSB1c2Ugb25seQ', {
  minLength: 1,
  maxLength: 200,
});

/** Fields that drivers provide. */
export const { email, name, phone, language } = userFields;

/** Response with a sentence only, the same for any outcome. */
export const Message = Type.Object(
  { message: Str('Outcome as a sentence.', 'An e-mail was sent.') },
  { title: 'Message', description: 'The request was accepted.' },
);

const Profile = Named('DriverAccount', {
  id: Nullable(Uuid('Driver identifier. Null until the e-mail address is verified.')),
  networkId: Uuid('Network identifier.'),
  email,
  name,
  phone,
  language,
  emailVerified: Flag(
    'True when the e-mail address is verified. Before that, the tokens open nothing: 403 EMAIL_NOT_VERIFIED.',
  ),
  createdAt: DateTime('Time of creation.'),
  lastLoginAt: Nullable(DateTime('Time of the latest login. Null before the first one.')),
});

export const DriverAuth = Type.Object(
  {
    accessToken: Str('Access token for the header `Authorization: Bearer`.'),
    tokenType: Type.Literal('Bearer', { description: 'Always `Bearer`.' }),
    expiresIn: Integer('Lifetime of the access token in seconds.'),
    refreshToken: Str(
      'Refresh token, valid for one refresh. A second use ends the session.',
      'rt_5Jq0T8w2mXcVbN4k',
    ),
    refreshExpiresAt: DateTime('Time at which the driver must log in again.'),
    driver: Profile,
  },
  { title: 'DriverTokens', description: 'Tokens of the session.' },
);

/** Converts a session. */
export function driverAuthView(session: DriverSession): Static<typeof DriverAuth> {
  const { account, refreshExpiresAt, ...tokens } = session;
  return {
    ...tokens,
    tokenType: 'Bearer',
    refreshExpiresAt: refreshExpiresAt.toISOString(),
    driver: {
      id: account.user?.uuid ?? null,
      networkId: account.networkUuid,
      email: account.email,
      name: account.name,
      phone: account.phone,
      language: account.language,
      emailVerified: account.user !== null,
      createdAt: account.createdAt.toISOString(),
      lastLoginAt: isoOrNull(account.lastLoginAt),
    },
  };
}
