import { parseOcmf } from '#shared/domain/charging/ocmf.ts';
import {
  type SignatureState,
  signedEnergyMismatch,
  type SignedNature,
} from '#shared/domain/charging/signed-meter-value.ts';
import type { SessionRecord } from '#shared/postgres/charging/session-records.ts';
import type { StoredSignedValue } from '#shared/postgres/charging/signed-meter-values.statements.ts';

/** Signed meter values of a CDR (OCPI 2.2.1 §10.4.7). */
export type SignedData = {
  encoding_method: string;
  public_key?: string;
  signed_values: SignedValue[];
};

/** One of them (§10.4.8). */
type SignedValue = { nature: string; plain_data: string; signed_data: string };

const natures: Record<SignedNature, string> = { START: 'Start', INTERMEDIATE: 'Intermediate', END: 'End' };

/** Maximum lengths of OCPI. */
const maxPlain = 512;
const maxSigned = 5000;

/** Maximum number of values in the middle of a session, so that a CDR stays small. */
const maxIntermediate = 10;

/**
 * Returns the signed values of a session, or null where it has none that OCPI can hold. Invalid ones are left out: they prove
 * nothing, and OCPI has no state of a value. All have the format of the first one. `public_key` is the key that verified all of them.
 * Base64 of the whole record is `signed_data`: OCPI does not define how the parts of OCMF are divided.
 */
export function signedDataObject(values: readonly StoredSignedValue[]): SignedData | null {
  const fitting = values.filter(({ data, state }) => state !== 'INVALID' && base64(data).length <= maxSigned);
  const format = fitting[0]?.format;
  let intermediate = 0;
  const chosen = fitting.filter((value) => {
    if (value.nature === 'INTERMEDIATE') intermediate += 1;
    return value.format === format && (value.nature !== 'INTERMEDIATE' || intermediate <= maxIntermediate);
  });
  const [first] = chosen;
  if (first === undefined) return null;
  const key = chosen.every(({ publicKey }) => publicKey === first.publicKey) ? first.publicKey : null;
  const method = first.format === 'OTHER' ? first.encodingMethod : first.format;
  return {
    encoding_method: (method ?? 'Unknown').slice(0, 36),
    ...(key !== null && { public_key: key }),
    signed_values: chosen.map((value) => ({
      nature: natures[value.nature],
      plain_data: plainOf(value),
      signed_data: base64(value.data),
    })),
  };
}

const stateTexts: Record<Exclude<SignatureState, 'NONE'>, string> = {
  VERIFIED: 'verified',
  INVALID: 'a signature at start or end is invalid',
  INCOMPLETE: 'verified in part',
  UNVERIFIED: 'not all verified',
  UNSUPPORTED: 'not all verified, format not supported',
};

/** Returns the state of the signed values of a session for the remark of its CDR. Null: it has none. */
export function signatureRemark({
  signatureState,
  flags,
}: Pick<SessionRecord, 'signatureState' | 'flags'>): string | null {
  if (signatureState === 'NONE') return null;
  const differs = flags.includes(signedEnergyMismatch) ? ', billed energy differs from signed energy' : '';
  return `Signed meter values: ${stateTexts[signatureState]}${differs}.`;
}

/** Returns the signed content as text; of a long record the registers, since OCPI has 512 characters for it. */
function plainOf({ data, startWh, endWh }: StoredSignedValue): string {
  const content = parseOcmf(data)?.payload ?? data;
  if (content.length <= maxPlain) return content;
  const registers = [startWh, endWh].flatMap((wh) => (wh === null ? [] : `${wh} Wh`));
  return registers.length === 0 ? content.slice(0, maxPlain) : registers.join(', ');
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
