import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { OperatorRecord } from '#shared/postgres/people/operators.statements.ts';
import type { PasskeyFactor } from '#shared/postgres/people/second-factors.statements.ts';

export type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';

/** Passkeys belong to the host of the console. The password has identified the user: a PIN or a finger is not required. */
const userVerification = 'preferred';

/** Returns the options for a new passkey, which none of the operator's authenticators has yet. */
export function newPasskeyOptions(
  publicUrl: string,
  { uuid, email, name }: OperatorRecord,
  existing: readonly PasskeyFactor[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { hostname } = new URL(publicUrl);
  return generateRegistrationOptions({
    rpName: hostname,
    rpID: hostname,
    userID: new Uint8Array(Buffer.from(uuid)),
    userName: email ?? name,
    userDisplayName: name,
    excludeCredentials: existing.map(credentialOf),
    authenticatorSelection: { residentKey: 'discouraged', userVerification },
  });
}

/** Returns the credential of a new passkey. @throws {Error} when the response is no answer to the challenge. */
export async function verifyNewPasskey(
  publicUrl: string,
  expectedChallenge: string,
  response: RegistrationResponseJSON,
) {
  const { hostname: expectedRPID, origin: expectedOrigin } = new URL(publicUrl);
  const expected = { expectedRPID, expectedOrigin, expectedChallenge };
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    ...expected,
    requireUserVerification: false,
  });
  if (!verified) throw new Error('the passkey was not verified');
  const { id, publicKey, counter } = registrationInfo.credential;
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey),
    signCount: counter,
    transports: response.response.transports ?? [],
  };
}

/** Returns the options with which a browser signs in with one of these passkeys. */
export function passkeyOptions(
  publicUrl: string,
  passkeys: readonly PasskeyFactor[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: new URL(publicUrl).hostname,
    allowCredentials: passkeys.map(credentialOf),
    userVerification,
  });
}

/** Returns the new count of signatures of a passkey; null: the response is no answer to the challenge. */
export async function verifyPasskey(
  publicUrl: string,
  expectedChallenge: string,
  { credentialId, publicKey, signCount }: PasskeyFactor,
  response: AuthenticationResponseJSON,
): Promise<number | null> {
  const { hostname: expectedRPID, origin: expectedOrigin } = new URL(publicUrl);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedRPID,
      expectedOrigin,
      expectedChallenge,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: signCount },
      requireUserVerification: false,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // The library throws for every response that it refuses.
    return null;
  }
}

function credentialOf({ credentialId, transports }: PasskeyFactor) {
  return { id: credentialId, transports: transports as AuthenticatorTransport[] };
}

type AuthenticatorTransport = NonNullable<RegistrationResponseJSON['response']['transports']>[number];
