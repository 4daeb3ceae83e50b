import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { Schemas } from '../../api/client.ts';

/** True when the browser has passkeys on this page: in a secure context only. */
export const hasPasskeys = typeof PublicKeyCredential !== 'undefined';

/** Options of WebAuthn, which the API passes on as they are. */
type Options = NonNullable<Schemas['LoginChallenge']['passkey']>;

/** Signs a challenge with a passkey. The package is loaded when it is needed. */
export async function signWithPasskey(options: Options) {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON });
}

/** Creates a passkey. */
export async function createPasskey(options: Options) {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON });
}
