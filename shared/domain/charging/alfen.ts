import { noRegisters, type SignedRegisters } from './signed-registers.ts';

/**
 * Signed value of Alfen: `AP;type;version;key;data;signature;`, the last three in base32. The signature is over the 82 bytes of the
 * data, on secp192r1 with SHA-256 (layout as published with the transparency software of S.A.F.E. e.V.).
 */
interface AlfenRecord {
  data: Buffer;
  /** Both numbers of the signature, 24 bytes each. */
  signature: Buffer;
  registers: SignedRegisters;
  takenAt: Date;
}

/** Lengths and positions in bytes. Numbers are little-endian. */
const dataLength = 82;
const signatureLength = 48;
const adapterUntil = 10;
const meterAt = 16;
const statusAt = 26;
const timeAt = 34;
const obisAt = 38;
const unitAt = 44;
const scalarAt = 45;
const valueAt = 46;
const sessionAt = 74;
const pageAt = 78;

/** Bits of the status that state an error of meter or adapter, or a register that changed since the start. */
const errorBits = [1, 2, 16, 26, 30, 31].reduce((mask, bit) => mask | (1n << BigInt(bit)), 0n);

/** OBIS code of the register of imported energy. */
const importRegister = '0100010800ff';

/** Wh in the units of DLMS. */
const wattHour = 30;

/** Parses a record; null for a malformed one. */
export function parseAlfen(text: string): AlfenRecord | null {
  const [name, type, , , dataText = '', signatureText = ''] = text.split(';');
  const [data, signature] = [base32(dataText), base32(signatureText)];
  if (name !== 'AP' || data?.length !== dataLength || signature?.length !== signatureLength) return null;
  return { data, signature, registers: registersOf(type, data), takenAt: timeOf(data) };
}

/** Returns the register of a record. Its type, start (0) or end (1), is not signed; the order of the pages is. */
function registersOf(type: string | undefined, data: Buffer): SignedRegisters {
  const wh = wattHours(data);
  if (wh === null) return noRegisters;
  const at = timeOf(data);
  return {
    ...noRegisters,
    ...(type === '0' && { startWh: wh, startAt: at }),
    ...(type === '1' && { endWh: wh, endAt: at }),
    register: JSON.stringify([
      data.toString('hex', 0, adapterUntil),
      data.toString('hex', meterAt, statusAt),
      importRegister,
      data.readUInt32LE(sessionAt),
    ]),
    page: data.readUInt32LE(pageAt),
  };
}

/** Returns the key in a record, which proves nothing; null: none. */
export function keyInAlfen(text: string): string | null {
  const key = text.split(';')[3] ?? '';
  return key === '' ? null : key;
}

function timeOf(data: Buffer): Date {
  return new Date(data.readUInt32LE(timeAt) * 1000);
}

function wattHours(data: Buffer): number | null {
  const isImport = data.subarray(obisAt, obisAt + 6).toString('hex') === importRegister;
  const isFaulty = (BigInt(data.readUInt32LE(statusAt)) & errorBits) !== 0n;
  if (!isImport || isFaulty || data[unitAt] !== wattHour) return null;
  return Number(data.readBigUInt64LE(valueAt)) * 10 ** data.readInt8(scalarAt);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the bytes of a text in base32 (RFC 4648); null for other texts. */
export function base32(text: string): Buffer | null {
  if (!/^[A-Z2-7]+=*$/.test(text)) return null;
  const bytes: number[] = [];
  let [bits, buffer] = [0, 0];
  for (const character of text.replace(/=+$/, '')) {
    buffer = ((buffer << 5) | alphabet.indexOf(character)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((buffer >> bits) & 0xff);
  }
  return Buffer.from(bytes);
}
