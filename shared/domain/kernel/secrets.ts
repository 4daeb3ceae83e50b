import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Keys and charger passwords are random and long (160 bits and more), so a plain SHA-256 is enough to store
 * them safely, and 20,000 chargers can return at once; a slow hash is for what people choose (ADR 0005).
 */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Compares in constant time. */
function sameHash(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * A charger's Basic password: 20 random bytes as 40 hex characters. That is the AuthorizationKey of OCPP 1.6
 * (security whitepaper, A00.FR.205: 16 to 20 bytes, hexadecimal) and within 2.0.1's 16 to 40 characters.
 */
export function newChargerPassword(): string {
  return randomBytes(20).toString('hex');
}

/** Secret API key with 192 random bits. Its prefix names its family. */
export function newApiKey(family: 'cpms' | 'emsp'): string {
  return `cw_${family}_${randomBytes(24).toString('base64url')}`;
}

/**
 * Publishable API key with 192 random bits. Its prefix distinguishes it from secrets in apps, pages and scans
 * for leaks.
 */
export function newPublishableKey(): string {
  return `pk_${randomBytes(24).toString('base64url')}`;
}

/**
 * Returns the token of a roaming partner: 256 random bits, printable as OCPI requires (at most 64
 * characters).
 */
export function newPartnerToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns a refresh token: 256 random bits. */
export function newRefreshToken(): string {
  return `cw_refresh_${randomBytes(32).toString('base64url')}`;
}

/** Returns the token of a browser's session: 256 random bits. */
export function newSessionToken(): string {
  return `cw_session_${randomBytes(32).toString('base64url')}`;
}

/** Returns a token that proves the receipt of an e-mail: 256 random bits. */
export function newMailToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the token of a log-in that waits for a second factor: 256 random bits. */
export function newChallengeToken(): string {
  return `cw_challenge_${randomBytes(32).toString('base64url')}`;
}

/** Returns a recovery code: 80 random bits in four groups of letters and digits that are hard to confuse. */
export function newRecoveryCode(): string {
  const code = Array.from(randomBytes(16), (byte) => recoveryAlphabet[byte % recoveryAlphabet.length]).join(
    '',
  );
  return code.replace(/.{4}(?=.)/g, '$&-');
}

/** 32 characters, so that each has five bits. */
const recoveryAlphabet = 'abcdefghjkmnpqrstuvwxyz023456789';

/** Returns the digest of a recovery code, in any case and with or without hyphens and spaces. */
export function hashRecoveryCode(code: string): Buffer {
  return hashSecret(code.toLowerCase().replaceAll(/[\s-]/g, ''));
}

/** A password that is made for an operator who has not chosen one yet: 120 random bits. */
export function newOperatorPassword(): string {
  return randomBytes(15).toString('base64url');
}

/**
 * Returns whether the Basic password that a charger sent is the stored one. 1.6 chargers send either the hex
 * text or the raw bytes that it stands for (both occur in the field), so bytes are compared, never text.
 */
export function isChargerPassword(sent: Buffer, storedHash: Uint8Array): boolean {
  // The usual form first: each of 20,000 concurrent reconnects then costs one hash. The form itself is no
  // secret.
  return (
    sameHash(hash('sha256', sent, 'buffer'), storedHash) ||
    sameHash(hashSecret(sent.toString('hex')), storedHash) ||
    sameHash(hashSecret(sent.toString('latin1').toLowerCase()), storedHash)
  );
}
