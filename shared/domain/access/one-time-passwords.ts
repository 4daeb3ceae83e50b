import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Length of a time step in seconds (RFC 6238 §4.1). */
const stepSeconds = 30;
const digits = 6;

/** Returns the secret of an authenticator app: 160 random bits (RFC 4226 §4). */
export function newTotpSecret(): Buffer {
  return randomBytes(20);
}

/** Returns the one-time password of a time step (RFC 4226 §5.3). */
export function passwordAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * Returns the time step of a one-time password: the present one, or one of its neighbours because clocks differ. Null: the
 * password is wrong, or its step is not after `lastStep`, so that a password is accepted once (RFC 6238 §5.2).
 */
export function stepOf(secret: Buffer, password: string, now: Date, lastStep: number): number | null {
  const present = Math.floor(now.getTime() / 1000 / stepSeconds);
  const steps = [present, present - 1, present + 1].filter((step) => step > lastStep);
  return steps.find((step) => isSame(passwordAt(secret, step), password)) ?? null;
}

/** Returns the address that authenticator apps read from a QR code (Key Uri Format). */
export function totpUri(secret: Buffer, issuer: string, account: string): string {
  const label = [issuer, account].map(encodeURIComponent).join(':');
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}

/** Returns bytes in base 32 without padding (RFC 4648 §6). */
export function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function isSame(expected: string, sent: string): boolean {
  return expected.length === sent.length && timingSafeEqual(Buffer.from(expected), Buffer.from(sent));
}
