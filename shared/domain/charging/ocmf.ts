import { parseObject } from './signed-data.ts';

/**
 * Open Charge Metering Format: `OCMF|payload|signature`, both in JSON (S.A.F.E. e.V., version 1.3). The signature is over the exact
 * text of the payload.
 */
export interface Ocmf {
  payload: string;
  signature: {
    /** Identifier of the algorithm, such as ECDSA-secp256r1-SHA256. */
    algorithm: string;
    /** Bytes; null: they cannot be read. */
    data: Buffer | null;
    /** MIME type of the bytes. */
    type: string;
  };
  /** Registers at start and end of the transaction, Wh; null: not in this record, or not usable for billing. */
  startWh: number | null;
  endWh: number | null;
}

/** Default of the field SA. */
const defaultAlgorithm = 'ECDSA-secp256r1-SHA256';

/** Default of the field SM. */
export const derType = 'application/x-der';

/** Parses a record; null for a malformed one. */
export function parseOcmf(text: string): Ocmf | null {
  // JSON strings may hold a pipe, though the format forbids it. A signature holds none.
  const last = text.lastIndexOf('|');
  if (!text.startsWith('OCMF|') || last < 'OCMF|'.length) return null;
  const payload = text.slice('OCMF|'.length, last);
  const content = parseObject(payload);
  const signature = parseObject(text.slice(last + 1));
  if (content === null || signature === null) return null;
  const { SA, SE, SM, SD } = signature;
  return {
    payload,
    signature: {
      algorithm: typeof SA === 'string' && SA !== '' ? SA : defaultAlgorithm,
      data: typeof SD === 'string' ? signatureBytes(SD, SE) : null,
      type: typeof SM === 'string' && SM !== '' ? SM : derType,
    },
    ...registersOf(content['RD']),
  };
}

function signatureBytes(data: string, encoding: unknown): Buffer | null {
  if (encoding === 'base64') return Buffer.from(data, 'base64');
  return /^(?:[0-9a-f]{2})+$/i.test(data) ? Buffer.from(data, 'hex') : null;
}

/** Codes of TX for an end: E, or the reason of the end. */
const endCodes = new Set(['E', 'L', 'R', 'A', 'P']);

/** OBIS codes of registers for imported energy. B0 to B3 are those of OCMF itself. */
const importRegister = /(?:^|[:-])(?:1|98|b[0-3])\.0?8\./i;

interface Reading {
  TX?: unknown;
  RV?: unknown;
  RI?: unknown;
  RU?: unknown;
  EF?: unknown;
  ST?: unknown;
}

/** Returns the registers of the first imported energy that a record has. */
function registersOf(readings: unknown): Pick<Ocmf, 'startWh' | 'endWh'> {
  const usable = withInherited(readings).filter((reading) => wattHours(reading) !== null);
  const register = usable[0]?.RI;
  const own = usable.filter(({ RI }) => RI === register);
  const start = own.find(({ TX }) => TX === 'B');
  const end = own.findLast(({ TX }) => typeof TX === 'string' && endCodes.has(TX));
  return {
    startWh: start === undefined ? null : wattHours(start),
    endWh: end === undefined ? null : wattHours(end),
  };
}

/** Returns the readings with the fields that they omit because those of the reading before are the same. */
function withInherited(readings: unknown): Reading[] {
  let before: Reading = {};
  return (Array.isArray(readings) ? (readings as unknown[]) : []).map((reading) => {
    before = { ...before, ...(typeof reading === 'object' ? (reading as Reading) : {}) };
    return before;
  });
}

/** Returns a register of imported energy in Wh; null where the meter states an error, and for other quantities. */
function wattHours({ RV, RI, RU, EF, ST }: Reading): number | null {
  if (ST !== 'G' || (typeof EF === 'string' && EF.includes('E'))) return null;
  if (RI !== undefined && !(typeof RI === 'string' && importRegister.test(RI))) return null;
  const value = typeof RV === 'string' && RV.trim() !== '' ? Number(RV) : RV;
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  if (RU === 'Wh') return value;
  return RU === 'kWh' ? Math.round(value * 1e6) / 1000 : null;
}
