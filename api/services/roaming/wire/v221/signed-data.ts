import { parseOcmf } from '#shared/domain/charging/ocmf.ts';
import type { SignedNature } from '#shared/domain/charging/signed-meter-value.ts';
import type { StoredSignedValue } from '#shared/postgres/charging/signed-meter-values.ts';

/** Signed meter values of a CDR (OCPI 2.2.1 §10.4.7). */
export type SignedData = {
  encoding_method: string;
  public_key?: string;
  signed_values: SignedValue[];
};

/** One of them (§10.4.8). */
export type SignedValue = { nature: string; plain_data: string; signed_data: string };

const natures: Record<SignedNature, string> = { START: 'Start', INTERMEDIATE: 'Intermediate', END: 'End' };

/** Maximum lengths of OCPI. */
const maxPlain = 512;
const maxSigned = 5000;

/** Maximum number of values in the middle of a session, so that a CDR stays small. */
const maxIntermediate = 10;

/**
 * Returns the signed values of a session, or null where it has none that OCPI can hold. All have the format of the first one. Base64
 * of the whole record is `signed_data`: OCPI does not define how the parts of OCMF are divided.
 */
export function signedDataObject(values: readonly StoredSignedValue[]): SignedData | null {
  const fitting = values.filter(({ data }) => base64(data).length <= maxSigned);
  const format = fitting[0]?.format;
  let intermediate = 0;
  const chosen = fitting.filter((value) => {
    if (value.nature === 'INTERMEDIATE') intermediate += 1;
    return value.format === format && (value.nature !== 'INTERMEDIATE' || intermediate <= maxIntermediate);
  });
  const [first] = chosen;
  if (first === undefined) return null;
  const key = chosen.find(({ publicKey }) => publicKey !== null)?.publicKey ?? null;
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
