import { type Static, Type } from 'typebox';
import { DateTime, isoOrNull, Named, Nullable, Uuid } from '#api/routes/schema.ts';
import { userFields } from '#api/routes/user-view.ts';
import type { DriverSession } from '#api/services/people/driver-sessions.ts';

/** Which network an account is of, where nobody is logged in to say so. */
export const networkId = Type.Optional(
  Uuid(
    'Network of the account. Without it a registration goes into the default network, and an address means its only account; ' +
      'of several accounts that of the default network, else of the oldest.',
  ),
);

/** A password that is chosen: length is what counts (NIST SP 800-63B §3.1.1). */
export const NewPassword = Type.String({
  minLength: 8,
  maxLength: 128,
  description: 'Password of 8 to 128 characters.',
  examples: ['an altogether different sentence'],
});

/** What was once chosen may be shorter than what may be chosen now. */
export const SentPassword = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'Password of the account.',
  examples: ['correct horse battery staple'],
});

export const RefreshToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Refresh token from the latest login or refresh. Each is valid for one refresh.',
  examples: ['rt_5Jq0T8w2mXcVbN4k'],
});

/** What came by e-mail. */
export const MailToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'From the e-mail',
  examples: ['Zm9yIG9uZSB1c2Ugb25seQ'],
});

/** What a driver tells of themselves. */
export const { email, name, phone, language } = userFields;

/** Nothing but a sentence: it is the same whatever was found. */
export const Message = Type.Object(
  { message: Type.String({ description: 'A sentence for people', examples: ['The charger accepted.'] }) },
  { title: 'Message', description: 'It was taken' },
);

const Profile = Named('DriverAccount', {
  id: Nullable(Uuid('The user; null until the address is verified')),
  networkId: Uuid('Network identifier.'),
  email,
  name,
  phone,
  language,
  emailVerified: Type.Boolean({ description: 'Until then the tokens open nothing: 403 EMAIL_NOT_VERIFIED' }),
  createdAt: DateTime('Time of creation.'),
  lastLoginAt: Nullable(DateTime('Time of the latest login. Null before the first one.')),
});

export const DriverAuth = Type.Object(
  {
    accessToken: Type.String({ description: 'For the header Authorization: Bearer …' }),
    tokenType: Type.Literal('Bearer', { description: 'Always `Bearer`.' }),
    expiresIn: Type.Integer({ description: 'Seconds that the access token is good for' }),
    refreshToken: Type.String({
      description: 'Renews the session once; used twice, it ends it',
      examples: ['rt_5Jq0T8w2mXcVbN4k'],
    }),
    refreshExpiresAt: DateTime('When the driver must log in again'),
    driver: Profile,
  },
  { title: 'DriverTokens', description: 'The session' },
);

/** A session as it is answered. */
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
