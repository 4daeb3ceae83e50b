import { type KeyObject, verify } from 'node:crypto';
import { parseAlfen } from './alfen.ts';
import { keyObjectOf, type MeterPublicKey } from './meter-key.ts';
import { derType, parseOcmf } from './ocmf.ts';
import type { SignedMeterValue, ValueState } from './signed-meter-value.ts';
import { noRegisters, type SignedRegisters } from './signed-registers.ts';

/** Result of the check of a value; `key`: the registered key that signed it, or null. */
export interface SignatureCheck<Key> extends SignedRegisters {
  state: ValueState;
  key: Key | null;
}

/** Signature of a record of any format. */
interface SignedRecord {
  registers: SignedRegisters;
  /** Time of the last reading in it; null: not known. */
  takenAt: Date | null;
  /** Signed bytes. */
  content: Buffer;
  /** Null: they cannot be read. */
  signature: Buffer | null;
  /** Form of the signature: a structure in DER, or both numbers one after the other. */
  encoding: 'der' | 'ieee-p1363';
  /** Hash of the algorithm; null: the format has no such algorithm. A forger can change its name, since it is not signed. */
  hash: string | null;
}

/** Checks a signed value with the keys that are registered for its connector. */
export function checkSignature<Key extends MeterPublicKey>(
  value: Pick<SignedMeterValue, 'format' | 'data'>,
  keys: readonly Key[],
): SignatureCheck<Key> {
  const record = recordOf(value);
  const registers = record?.registers ?? noRegisters;
  const result = (state: ValueState, key: Key | null = null) => ({ ...registers, state, key });
  if (keys.length === 0) return result('UNVERIFIED');
  if (value.format === 'OTHER') return result('UNSUPPORTED');
  if (record === null) return result('INVALID');
  const key = keys.find((candidate) => isSignedBy(candidate, record));
  return key === undefined ? result('INVALID') : result('VERIFIED', key);
}

/** Difference of the clock of a meter, which may show whole seconds, and that of its charger. */
const clockToleranceMs = 60_000;

/** Returns true when a value states that it was taken since a time. */
export function isTakenSince(value: Pick<SignedMeterValue, 'format' | 'data'>, since: Date): boolean {
  const takenAt = recordOf(value)?.takenAt ?? null;
  return takenAt !== null && takenAt.getTime() >= since.getTime() - clockToleranceMs;
}

/** Returns the signature of a value; null for a malformed value, and for one of another format. */
function recordOf({ format, data }: Pick<SignedMeterValue, 'format' | 'data'>): SignedRecord | null {
  if (format === 'ALFEN') {
    const record = parseAlfen(data);
    return record && { ...record, content: record.data, encoding: 'ieee-p1363', hash: 'sha256' };
  }
  const record = format === 'OCMF' ? parseOcmf(data) : null;
  if (record === null) return null;
  const { payload, signature, registers, takenAt } = record;
  const hash = signature.type === derType ? hashOf(signature.algorithm) : null;
  return {
    content: Buffer.from(payload),
    signature: signature.data,
    encoding: 'der',
    hash,
    registers,
    takenAt,
  };
}

/**
 * Returns the hash of an algorithm of OCMF, or null. The curve is that of the key: some meters omit the algorithm although their
 * curve is not the default one.
 */
function hashOf(algorithm: string): string | null {
  const [, hash] = /^ECDSA-\w+-(SHA(?:256|384|512))$/i.exec(algorithm) ?? [];
  return hash?.toLowerCase() ?? null;
}

/** Keys in the form that verifies, while their records are in use: all values of a message are checked with the same ones. */
const keyObjects = new WeakMap<MeterPublicKey, KeyObject>();

function keyObject(key: MeterPublicKey): KeyObject {
  const known = keyObjects.get(key);
  if (known !== undefined) return known;
  const made = keyObjectOf(key);
  keyObjects.set(key, made);
  return made;
}

function isSignedBy(key: MeterPublicKey, { content, signature, encoding, hash }: SignedRecord): boolean {
  if (signature === null || hash === null) return false;
  try {
    return verify(hash, content, { key: keyObject(key), dsaEncoding: encoding }, signature);
  } catch {
    return false;
  }
}
