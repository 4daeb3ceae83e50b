import { type Static, Type } from 'typebox';
import { Closed, DateTime, isoOrNull, Named, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import {
  bytes,
  clientData,
  code,
  credential,
  options,
} from '#api/routes/cpms/kernel/login-challenge.routes.ts';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '#api/services/people/passkeys.service.ts';
import type { SecondFactor as FactorRecord } from '#api/services/people/second-factors.service.ts';
import { factorKinds } from '#shared/domain/access/second-factors.ts';

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

/** Proof that a new second factor works. */
export const FactorProof = Type.Union([Closed({ code }), Closed({ passkey: NewPasskey })]);

export const SecondFactor = Named('SecondFactor', {
  id: Uuid('Second factor identifier.'),
  kind: OneOf(factorKinds, 'totp: authenticator app with codes of 30 seconds (RFC 6238). passkey: WebAuthn.'),
  name: Str('Name of the factor.', 'Phone'),
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
        secret: Str('Secret in base 32, to type.', 'GEZDGNBVGY3TQOJQ'),
        uri: Str('Address for a QR code.', 'otpauth://totp/csms.example.org:ada?secret=GEZDGNBVGY3TQOJQ'),
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
