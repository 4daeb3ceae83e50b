import { type Static, Type } from 'typebox';
import { Closed, DateTime, Named, Nullable, OneOf, Str } from '#api/routes/schema.ts';
import type { LoginChallenge as Challenge } from '#api/services/people/login-challenges.service.ts';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '#api/services/people/passkeys.service.ts';
import { factorKinds } from '#shared/domain/access/second-factors.ts';

/** Bytes in base64url. */
export const bytes = (maxLength: number, description: string) =>
  Str(description, 'dGVzdA', { pattern: '^[A-Za-z0-9_-]+$', maxLength });

/** Field of every response of an authenticator. */
export const clientData = bytes(8192, 'Data of the browser that the authenticator signed, in base64url.');

/** Fields of every passkey. */
export const credential = {
  id: bytes(1400, 'Credential identifier in base64url.'),
  rawId: bytes(1400, 'Credential identifier in base64url.'),
  type: Type.Literal('public-key', { description: 'Always `public-key`.' }),
  authenticatorAttachment: Type.Optional(
    Nullable(Str('Attachment of the authenticator.', 'platform', { maxLength: 32 })),
  ),
  clientExtensionResults: Type.Object({}, { description: 'Results of extensions, which are ignored.' }),
};

/** Response of an authenticator that signs in (WebAuthn, AuthenticationResponseJSON). */
const PasskeySignature = Type.Unsafe<AuthenticationResponseJSON>(
  Type.Object(
    {
      ...credential,
      response: Type.Object(
        {
          clientDataJSON: clientData,
          authenticatorData: bytes(8192, 'Data of the authenticator, in base64url.'),
          signature: bytes(8192, 'Signature in base64url.'),
          userHandle: Type.Optional(Nullable(Str('User handle.', 'dGVzdA', { maxLength: 200 }))),
        },
        { description: 'Signature of the authenticator.' },
      ),
    },
    { description: 'Response of the browser to the passkey options (WebAuthn AuthenticationResponseJSON).' },
  ),
);

/** Options of WebAuthn, which a browser receives as they are. */
export const options = <T>(description: string) =>
  Nullable(
    Type.Unsafe<T>(
      Type.Object({}, { additionalProperties: true, description, examples: [{ challenge: 'dGVzdA' }] }),
    ),
  );

export const code = Str('Code of the authenticator app. Each is accepted once.', '287082', {
  pattern: '^\\d{6}$',
});

const challenge = Str(
  'Token of the log-in that waits for a second factor.',
  'cw_challenge_5Jq0T8w2mXcVbN4k',
  { minLength: 1, maxLength: 200 },
);

/** Answer to a challenge: a code, a recovery code or a passkey. */
export const FactorAnswer = Type.Union([
  Closed({ challenge, code }),
  Closed({
    challenge,
    recoveryCode: Str('Recovery code. Each is accepted once.', '7gka-m2qx-r9wd-4htz', {
      minLength: 16,
      maxLength: 32,
    }),
  }),
  Closed({ challenge, passkey: PasskeySignature }),
]);

export const LoginChallenge = Named('LoginChallenge', {
  challenge,
  methods: Type.Array(OneOf([...factorKinds, 'recovery-code'], 'Way to answer.'), {
    description: 'Ways to answer that the account has.',
  }),
  passkey: options<PublicKeyCredentialRequestOptionsJSON>(
    'Options for `navigator.credentials.get`. Null: the account has no passkey.',
  ),
  expiresAt: DateTime('Time at which the log-in must begin again.'),
});

/** Returns a challenge as the API shows it. */
export function challengeView({
  token,
  methods,
  passkey,
  expiresAt,
}: Challenge): Static<typeof LoginChallenge> {
  return { challenge: token, methods, passkey, expiresAt: expiresAt.toISOString() };
}
