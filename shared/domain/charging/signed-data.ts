import { keyInAlfen } from './alfen.ts';
import type { SignedFormat, SignedMeterValue, SignedNature } from './signed-meter-value.ts';

/** Signed data as the transport has it: SignedMeterValueType of OCPP 2.0.1, or its JSON in a value of 1.6. */
interface TransportedData {
  signedMeterData: string;
  encodingMethod?: string | undefined;
  signingMethod?: string | undefined;
  publicKey?: string | undefined;
}

/** Context and times of a signed value. */
type SignedAt = Pick<SignedMeterValue, 'measuredAt' | 'receivedAt'> & { context: string };

const natures: Readonly<Record<string, SignedNature>> = {
  'Transaction.Begin': 'START',
  'Transaction.End': 'END',
};

/** Returns a signed value without the encoding of its transport. */
export function signedValueOf(transported: TransportedData, at: SignedAt): SignedMeterValue {
  const data = decodeText(transported.signedMeterData);
  const format = formatOf(data);
  return {
    nature: natures[at.context] ?? 'INTERMEDIATE',
    measuredAt: at.measuredAt,
    receivedAt: at.receivedAt,
    format,
    data,
    encodingMethod: orNull(transported.encodingMethod),
    signingMethod: orNull(transported.signingMethod),
    claimedKey: orNull(transported.publicKey) ?? (format === 'ALFEN' ? keyInAlfen(data) : null),
  };
}

/**
 * Reads a value of 1.6 with the format SignedData: SignedMeterValueType as JSON (OCA, Signed Meter Values in OCPP), or the signed
 * data only.
 */
export function transportedIn(value: string): TransportedData {
  if (!value.trimStart().startsWith('{')) return { signedMeterData: value };
  const { signedMeterData, encodingMethod, signingMethod, publicKey } = parseObject(value) ?? {};
  if (typeof signedMeterData !== 'string') return { signedMeterData: value };
  return {
    signedMeterData,
    encodingMethod: textOrNone(encodingMethod),
    signingMethod: textOrNone(signingMethod),
    publicKey: textOrNone(publicKey),
  };
}

function textOrNone(field: unknown): string | undefined {
  return typeof field === 'string' ? field : undefined;
}

/** Parses a JSON object; null for anything else. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const hex = /^(?:[0-9a-f]{2})+$/i;
const base64 = /^[0-9a-z+/]+={0,2}$/i;

/** Returns the bytes of a text in hex or base64, with white space anywhere; null for other texts. */
export function bytesOf(text: string): Buffer | null {
  const compact = text.replaceAll(/\s/g, '');
  if (hex.test(compact)) return Buffer.from(compact, 'hex');
  return base64.test(compact) ? Buffer.from(compact, 'base64') : null;
}

/** Removes hex or base64 where a known format is inside. OCPP asks for base64, and chargers also send hex or the text itself. */
function decodeText(sent: string): string {
  const text = sent.trim();
  if (isKnown(text)) return text;
  const decoded = bytesOf(text)?.toString('utf8').trim() ?? '';
  // Binary data stays encoded, since PostgreSQL stores no NUL in a text.
  return isKnown(decoded) && !decoded.includes('\0') ? decoded : text;
}

/** Beginnings of the formats; `<` is a container in XML. */
function isKnown(text: string): boolean {
  return formatOf(text) !== 'OTHER' || text.startsWith('<');
}

function formatOf(text: string): SignedFormat {
  if (text.startsWith('OCMF|')) return 'OCMF';
  return text.startsWith('AP;') ? 'ALFEN' : 'OTHER';
}

function orNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
