import { verify } from 'node:crypto';
import { keyObjectOf, type MeterPublicKey } from './meter-key.ts';
import { derType, parseOcmf } from './ocmf.ts';
import type { CheckedValue, SignedMeterValue, ValueState } from './signed-meter-value.ts';

/** Value with the result of its check; `key`: the registered key that signed it, or null. */
export interface SignatureCheck<Key> extends CheckedValue {
  key: Key | null;
}

/** Checks a signed value with the keys that are registered for its connector. */
export function checkSignature<Key extends MeterPublicKey>(
  { format, data }: Pick<SignedMeterValue, 'format' | 'data'>,
  keys: readonly Key[],
): SignatureCheck<Key> {
  if (format !== 'OCMF') return without(keys.length === 0 ? 'UNVERIFIED' : 'UNSUPPORTED');
  const record = parseOcmf(data);
  if (record === null) return without(keys.length === 0 ? 'UNVERIFIED' : 'INVALID');
  const { startWh, endWh } = record;
  if (keys.length === 0) return { state: 'UNVERIFIED', startWh, endWh, key: null };
  const { algorithm, data: signature, type } = record.signature;
  const hash = hashOf(algorithm);
  if (hash === null || type !== derType) return { state: 'UNSUPPORTED', startWh, endWh, key: null };
  const key =
    signature === null
      ? null
      : keys.find((candidate) => isSignedBy(candidate, hash, record.payload, signature));
  return { state: key ? 'VERIFIED' : 'INVALID', startWh, endWh, key: key ?? null };
}

/**
 * Returns the hash of an algorithm of OCMF, or null. The curve is that of the key: some meters omit the algorithm although their
 * curve is not the default one.
 */
function hashOf(algorithm: string): string | null {
  const [, hash] = /^ECDSA-\w+-(SHA(?:256|384|512))$/i.exec(algorithm) ?? [];
  return hash?.toLowerCase() ?? null;
}

function isSignedBy(key: MeterPublicKey, hash: string, payload: string, signature: Buffer): boolean {
  try {
    return verify(hash, Buffer.from(payload, 'utf8'), keyObjectOf(key), signature);
  } catch {
    return false;
  }
}

function without(state: ValueState): SignatureCheck<never> {
  return { state, startWh: null, endWh: null, key: null };
}
