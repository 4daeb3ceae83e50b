import { type Static, Type } from 'typebox';
import { DateTime, isoOrNull, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
import type { LoginChallenge as Challenge } from '#api/services/people/login-challenges.ts';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '#api/services/people/passkeys.ts';
import type { SecondFactor as FactorRecord } from '#api/services/people/second-factors.ts';
import { factorKinds } from '#shared/postgres/people/second-factors.ts';

const bytes = (maxLength: number, description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength, description, examples: ['dGVzdA'] });

const clientData = bytes(8192, 'Data of the browser that the authenticator signed, in base64url.');

const credential = {
  id: bytes(1400, 'Credential identifier in base64url.'),
  rawId: bytes(1400, 'Credential identifier in base64url.'),
  type: Type.Literal('public-key', { description: 'Always `public-key`.' }),
  authenticatorAttachment: Type.Optional(
    Nullable(
      Type.String({ maxLength: 32, description: 'Attachment of the authenticator.', examples: ['platform'] }),
    ),
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
          userHandle: Type.Optional(
            Nullable(Type.String({ maxLength: 200, description: 'User handle.', examples: ['dGVzdA'] })),
          ),
        },
        { description: 'Signature of the authenticator.' },
      ),
    },
    { description: 'Response of the browser to the passkey options (WebAuthn AuthenticationResponseJSON).' },
  ),
);

/** Response of an authenticator that made a passkey (WebAuthn, RegistrationResponseJSON). */
const NewPasskey = Type.Unsafe<RegistrationResponseJSON>(
  Type.Object(
    {
      ...credential,
      response: Type.Object(
        {
          clientDataJSON: clientData,
          attestationObject: bytes(65_536, 'Attestation in base64url.'),
          transports: Type.Optional(
            Type.Array(Type.String({ maxLength: 32, examples: ['internal'] }), {
              maxItems: 10,
              description: 'Connections of the authenticator.',
            }),
          ),
        },
        { description: 'Data of the authenticator.' },
      ),
    },
    { description: 'Response of the browser to the passkey options (WebAuthn RegistrationResponseJSON).' },
  ),
);

const options = <T>(description: string) =>
  Nullable(
    Type.Unsafe<T>(
      Type.Object({}, { additionalProperties: true, description, examples: [{ challenge: 'dGVzdA' }] }),
    ),
  );

const code = Type.String({
  pattern: '^\\d{6}$',
  description: 'Code of the authenticator app. Each is accepted once.',
  examples: ['287082'],
});

const challenge = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Token of the log-in that waits for a second factor.',
  examples: ['cw_challenge_5Jq0T8w2mXcVbN4k'],
});

/** Answer to a challenge: a code, a recovery code or a passkey. */
export const FactorAnswer = Type.Union([
  Type.Object({ challenge, code }, { additionalProperties: false }),
  Type.Object(
    {
      challenge,
      recoveryCode: Type.String({
        minLength: 16,
        maxLength: 32,
        description: 'Recovery code. Each is accepted once.',
        examples: ['7gka-m2qx-r9wd-4htz'],
      }),
    },
    { additionalProperties: false },
  ),
  Type.Object({ challenge, passkey: PasskeySignature }, { additionalProperties: false }),
]);

/** Proof that a new second factor works. */
export const FactorProof = Type.Union([
  Type.Object({ code }, { additionalProperties: false }),
  Type.Object({ passkey: NewPasskey }, { additionalProperties: false }),
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

export const SecondFactor = Named('SecondFactor', {
  id: Uuid('Second factor identifier.'),
  kind: OneOf(factorKinds, 'totp: authenticator app with codes of 30 seconds (RFC 6238). passkey: WebAuthn.'),
  name: Type.String({ description: 'Name of the factor.', examples: ['Phone'] }),
  createdAt: DateTime('Time of the enrolment.'),
  lastUsedAt: Nullable(DateTime('Time of the latest log-in with the factor. Null before the first.')),
});

/** Returns a second factor as the API shows it. */
export function factorView({
  uuid,
  kind,
  name,
  createdAt,
  lastUsedAt,
}: FactorRecord): Static<typeof SecondFactor> {
  return { id: uuid, kind, name, createdAt: createdAt.toISOString(), lastUsedAt: isoOrNull(lastUsedAt) };
}

export const NewSecondFactor = Named('NewSecondFactor', {
  id: Uuid('Second factor identifier.'),
  totp: Nullable(
    Type.Object(
      {
        secret: Type.String({ description: 'Secret in base 32, to type.', examples: ['GEZDGNBVGY3TQOJQ'] }),
        uri: Type.String({
          description: 'Address for a QR code.',
          examples: ['otpauth://totp/csms.example.org:ada?secret=GEZDGNBVGY3TQOJQ'],
        }),
      },
      { description: 'Secret for an authenticator app, returned once. Null for a passkey.' },
    ),
  ),
  passkey: options<PublicKeyCredentialCreationOptionsJSON>(
    'Options for `navigator.credentials.create`. Null for an authenticator app.',
  ),
});

export const RecoveryCodes = Type.Array(Type.String({ examples: ['7gka-m2qx-r9wd-4htz'] }), {
  description: 'Recovery codes, returned once. They replace earlier ones.',
});
