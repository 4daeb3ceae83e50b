import { createHash, createPublicKey, ECDH, type KeyObject } from 'node:crypto';
import { base32 } from './alfen.ts';
import { bytesOf } from './signed-data.ts';

/** Public key of a meter: SubjectPublicKeyInfo (RFC 5480) of an elliptic curve. */
export interface MeterPublicKey {
  /** DER in hex, upper case, as transparency software reads it. */
  publicKey: string;
  /** Name of the curve in OpenSSL. */
  curve: string;
}

/**
 * DER before an uncompressed point, by the length of the point. Keys on the labels of meters often are only the point, which does
 * not name its curve: the NIST curve of the length is assumed.
 */
const pointHeaders: ReadonlyMap<number, string> = new Map([
  [49, '3049301306072A8648CE3D020106082A8648CE3D030101033200'],
  [65, '3059301306072A8648CE3D020106082A8648CE3D030107034200'],
  [97, '3076301006072A8648CE3D020106052B81040022036200'],
]);

/**
 * Reads a public key in PEM, hex or base64, as DER or as a point of a NIST curve, and in the form of the Open Charge Alliance
 * (`oca:base16:asn1:` and hex) or of Alfen (a compressed point in base32). Null for another key, or a curve that OpenSSL does not have.
 */
export function readMeterKey(text: string): MeterPublicKey | null {
  const key = text.includes('-----BEGIN') ? importKey(text) : keyOfText(text);
  const curve = key?.asymmetricKeyDetails?.namedCurve;
  if (key === null || key.asymmetricKeyType !== 'ec' || curve === undefined) return null;
  return { publicKey: key.export({ type: 'spki', format: 'der' }).toString('hex').toUpperCase(), curve };
}

/** Curves of points that are compressed to one coordinate, by the length of the point. */
const compressedCurves: ReadonlyMap<number, string> = new Map([
  [25, 'prime192v1'],
  [33, 'prime256v1'],
]);

/** Returns the SHA-256 digest of a key in hex. People compare keys by it. */
export function keyFingerprint({ publicKey }: Pick<MeterPublicKey, 'publicKey'>): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest('hex');
}

/** Returns the key of a stored text. */
export function keyObjectOf({ publicKey }: Pick<MeterPublicKey, 'publicKey'>): KeyObject {
  return createPublicKey({ key: Buffer.from(publicKey, 'hex'), format: 'der', type: 'spki' });
}

/** Removes `oca:base16:asn1:`; the part after the last colon is the key. */
function withoutPrefix(text: string): string {
  const trimmed = text.trim();
  return /^oca:/i.test(trimmed) ? trimmed.slice(trimmed.lastIndexOf(':') + 1) : trimmed;
}

function keyOfText(text: string): KeyObject | null {
  const ofAlfen = base32(text.replaceAll(/\s/g, ''));
  return (ofAlfen && decompress(ofAlfen)) ?? keyOfBytes(bytesOf(withoutPrefix(text)));
}

/** Returns the key of a compressed point; null for other bytes. */
function decompress(bytes: Buffer): KeyObject | null {
  const curve = bytes[0] === 2 || bytes[0] === 3 ? compressedCurves.get(bytes.length) : undefined;
  if (curve === undefined) return null;
  try {
    return keyOfBytes(ECDH.convertKey(bytes, curve, undefined, undefined, 'uncompressed') as Buffer);
  } catch {
    return null;
  }
}

function keyOfBytes(bytes: Buffer | null): KeyObject | null {
  if (bytes === null) return null;
  const inner = bytes.toString('latin1');
  // Base64 of a text: the form of the Open Charge Alliance, or hex.
  if (/^(?:oca:[\w:]+:)?[0-9a-f\s]{48,}$/i.test(inner)) return keyOfBytes(bytesOf(withoutPrefix(inner)));
  const ofPoint = decompress(bytes);
  if (ofPoint !== null) return ofPoint;
  const header = bytes[0] === 4 ? pointHeaders.get(bytes.length) : undefined;
  return importKey(header === undefined ? bytes : Buffer.concat([Buffer.from(header, 'hex'), bytes]));
}

function importKey(key: string | Buffer): KeyObject | null {
  try {
    return typeof key === 'string'
      ? createPublicKey(key)
      : createPublicKey({ key, format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}
