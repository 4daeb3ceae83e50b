/** Kinds of second factors: an authenticator app (TOTP, RFC 6238), a passkey (WebAuthn). */
export const factorKinds = ['totp', 'passkey'] as const;
export type FactorKind = (typeof factorKinds)[number];
