import { parseObject } from './signed-data.ts';
import { noRegisters, type SignedRegisters } from './signed-registers.ts';

/**
 * Open Charge Metering Format: `OCMF|payload|signature`, both in JSON (S.A.F.E. e.V., version 1.3). The signature is over the exact
 * text of the payload.
 */
interface Ocmf {
  payload: string;
  signature: {
    /** Identifier of the algorithm, such as ECDSA-secp256r1-SHA256. */
    algorithm: string;
    /** Bytes; null: they cannot be read. */
    data: Buffer | null;
    /** MIME type of the bytes. */
    type: string;
  };
  registers: SignedRegisters;
  /** Time of the last reading, of any kind, by the meter's clock; null: not known. */
  takenAt: Date | null;
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
    registers: registersOf(content),
    takenAt: timeOf(withInherited(content['RD']).at(-1) ?? {}),
  };
}

function signatureBytes(data: string, encoding: unknown): Buffer | null {
  if (encoding === 'base64') return Buffer.from(data, 'base64');
  return /^(?:[0-9a-f]{2})+$/i.test(data) ? Buffer.from(data, 'hex') : null;
}

/** Codes of TX for an end: E, or the reason of the end. */
const endCodes = new Set(['E', 'L', 'R', 'A', 'P']);

/** Code of TX for an error, from which on the readings of the transaction are not usable. */
const exceptionCode = 'X';

/** OBIS codes of registers for imported energy. B0 to B3 are those of OCMF itself. Leading zeros may be there. */
const importRegister = /(?:^|[:-])0*(?:1|98|b[0-3])\.0*8\./i;

interface Reading {
  TM?: unknown;
  TX?: unknown;
  RV?: unknown;
  RI?: unknown;
  RU?: unknown;
  EF?: unknown;
  ST?: unknown;
}

/** Returns the registers of the first imported energy that a record has. */
function registersOf({ RD, GS, MS, PG }: Record<string, unknown>): SignedRegisters {
  const readings = withInherited(RD);
  const first = readings.find((reading) => wattHours(reading) !== null);
  if (first === undefined) return noRegisters;
  const own = readings.filter((reading) => reading.RI === first.RI && wattHours(reading) !== null);
  const start = own.find(({ TX }) => TX === 'B');
  const isBroken = readings.some(({ TX }) => TX === exceptionCode);
  const end = isBroken ? undefined : own.findLast(({ TX }) => typeof TX === 'string' && endCodes.has(TX));
  return {
    startWh: start === undefined ? null : wattHours(start),
    endWh: end === undefined ? null : wattHours(end),
    startAt: start === undefined ? null : timeOf(start),
    endAt: end === undefined ? null : timeOf(end),
    register: JSON.stringify([GS, MS, first.RI]),
    page: pageOf(PG),
  };
}

/** Returns the number of a page of transactions (T); those of other readings count for themselves. */
function pageOf(page: unknown): number | null {
  const [, digits] = typeof page === 'string' ? (/^T(\d{1,9})$/.exec(page) ?? []) : [];
  return digits === undefined ? null : Number(digits);
}

const timePattern =
  /^((?:19|20)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[.,](\d{3}))?([+-]\d\d):?(\d\d)(?: ([UISR]))?$/;

/** Returns the time of a reading; null where the meter does not know it. */
function timeOf({ TM, EF }: Reading): Date | null {
  if (typeof TM !== 'string' || (typeof EF === 'string' && EF.includes('t'))) return null;
  const [, seconds, ms = '000', hours, minutes, synchronicity] = timePattern.exec(TM.trim()) ?? [];
  if (seconds === undefined || synchronicity === 'U') return null;
  const time = new Date(`${seconds}.${ms}${hours}:${minutes}`);
  return Number.isNaN(time.getTime()) ? null : time;
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
