import { type SessionPeriod, signedEnergy, type SignedReading } from './signed-registers.ts';

/**
 * Signed meter values of a session and the state of their signatures (docs/adr/0087-signed-meter-values.md). A charger sends them
 * alongside its plain readings, so that a driver can check the billed energy with software of a third party.
 */

/** Point of the session that a value belongs to, as the OCPP context names it. */
export const signedNatures = ['START', 'INTERMEDIATE', 'END'] as const;
export type SignedNature = (typeof signedNatures)[number];

/** Formats of signed data that are checked, and OTHER: only stored and exported. */
export const signedFormats = ['OCMF', 'ALFEN', 'OTHER'] as const;
export type SignedFormat = (typeof signedFormats)[number];

/** Signed value as a charger sent it. */
export interface SignedMeterValue {
  nature: SignedNature;
  /** By the charger's clock. */
  measuredAt: Date;
  receivedAt: Date;
  format: SignedFormat;
  /** Text of the format, without the base64 or hex of the transport. */
  data: string;
  /** As sent; null: not stated. */
  encodingMethod: string | null;
  signingMethod: string | null;
  /** Key that came with the value. It proves nothing, since any signer can add a key. */
  claimedKey: string | null;
}

/**
 * States of one value. UNVERIFIED: no key is registered. VERIFIED: a registered key signed it. INVALID: none did, or the data is
 * malformed. UNSUPPORTED: its format is not checked.
 */
export const valueStates = ['UNVERIFIED', 'VERIFIED', 'INVALID', 'UNSUPPORTED'] as const;
export type ValueState = (typeof valueStates)[number];

const asChecked = {
  UNVERIFIED: 'UNVERIFIED',
  VERIFIED: 'VERIFIED',
  INVALID: 'INVALID',
  UNSUPPORTED: 'UNSUPPORTED',
} as const;

/**
 * Transition table of a value: the states after a check with the registered keys, by the state before it. UNVERIFIED is the result
 * without any key. A value that a registered
 * key signed stays verified when the key is removed, since the key was trusted when the value was made.
 */
export const valueTransitions: Readonly<Record<ValueState, Readonly<Record<ValueState, ValueState>>>> = {
  UNVERIFIED: asChecked,
  VERIFIED: { UNVERIFIED: 'VERIFIED', VERIFIED: 'VERIFIED', INVALID: 'VERIFIED', UNSUPPORTED: 'VERIFIED' },
  // The right key was registered later, or a wrong one was removed.
  INVALID: asChecked,
  UNSUPPORTED: asChecked,
};

/**
 * States of a session. NONE: no signed values. INVALID: a value of the start or the end is invalid. UNSUPPORTED, UNVERIFIED:
 * a value is, and none of start or end is invalid. INCOMPLETE: the registers at start and end are not both verified, do not belong
 * together or to the session, or a value between them is invalid. VERIFIED: all are verified, with both registers.
 */
export const signatureStates = [
  'NONE',
  'UNVERIFIED',
  'INCOMPLETE',
  'VERIFIED',
  'INVALID',
  'UNSUPPORTED',
] as const;
export type SignatureState = (typeof signatureStates)[number];

/** Signed readings of a session in total. */
export interface SessionSignatures {
  signatureState: SignatureState;
  /** Difference of the verified registers at end and start, Wh; null: not known. */
  signedEnergyWh: number | null;
}

/** State of one stored value, with the registers in it. */
export interface CheckedValue extends SignedReading {
  nature: SignedNature;
  state: ValueState;
}

/** Returns the state of a session from its values, in their order. */
export function signaturesOf(values: readonly CheckedValue[], period: SessionPeriod): SessionSignatures {
  const signatureState = stateOf(values);
  if (signatureState !== 'VERIFIED') return { signatureState, signedEnergyWh: null };
  const signedEnergyWh = signedEnergy(values, period);
  return { signatureState: signedEnergyWh === null ? 'INCOMPLETE' : 'VERIFIED', signedEnergyWh };
}

/** Returns the state of a session whose registers fit. */
function stateOf(values: readonly CheckedValue[]): SignatureState {
  if (values.length === 0) return 'NONE';
  const invalid = values.filter(({ state }) => state === 'INVALID');
  if (invalid.some(isOfEnd)) return 'INVALID';
  for (const state of ['UNSUPPORTED', 'UNVERIFIED'] as const) {
    if (values.some((value) => value.state === state)) return state;
  }
  return invalid.length > 0 ? 'INCOMPLETE' : 'VERIFIED';
}

/** Returns true for a value of the start or the end of a session: what is billed depends on it. */
function isOfEnd({ nature, startWh, endWh }: CheckedValue): boolean {
  return nature !== 'INTERMEDIATE' || startWh !== null || endWh !== null;
}

/** Flag of a session with a signature that no registered key made: its price is reviewed. */
export const signatureInvalid = 'signature-invalid';

/** Flag of a session whose signed values are not all verified, or missing, although a key of the meter is registered. */
export const signatureUnverified = 'signature-unverified';

/** Flag of a session whose billed energy differs from the signed energy. */
export const signedEnergyMismatch = 'signed-energy-mismatch';

/** Flags that `signatureFlags` returns. */
export const signatureFlagNames: ReadonlySet<string> = new Set([
  signatureInvalid,
  signatureUnverified,
  signedEnergyMismatch,
]);

/** Difference in Wh that is no mismatch: OCMF recommends kWh with two decimals, so each of two registers is rounded to 10 Wh. */
const toleranceWh = 20;

/** Signed readings of a session whose end is judged. */
export interface JudgedSignatures extends SessionSignatures {
  /** A key is registered for the connector. */
  hasMeterKey: boolean;
}

/** Returns the flags that the signed values of a session with this billed energy give it. */
export function signatureFlags(
  { signatureState, signedEnergyWh, hasMeterKey }: JudgedSignatures,
  billedWh: number,
): string[] {
  if (signatureState === 'INVALID') return [signatureInvalid];
  if (hasMeterKey && signatureState !== 'VERIFIED') return [signatureUnverified];
  if (signedEnergyWh === null) return [];
  return Math.abs(signedEnergyWh - billedWh) > toleranceWh ? [signedEnergyMismatch] : [];
}

/** Maximum length of one value, in characters (2.1 SignedMeterValueType). OCMF records have about 1000. */
export const maxSignedLength = 32_768;

/** Maximum length of a claimed key and of the names of methods, in characters (OCPP 2.0.1 allows 2500 and 50). */
const maxKeyLength = 2500;
const maxMethodLength = 250;

/** Returns false for a value that is too long, or whose inner JSON has text that PostgreSQL refuses. */
export function isStorable({ data, claimedKey, encodingMethod, signingMethod }: SignedMeterValue): boolean {
  const parts: [string | null, number][] = [
    [data, maxSignedLength],
    [claimedKey, maxKeyLength],
    [encodingMethod, maxMethodLength],
    [signingMethod, maxMethodLength],
  ];
  return parts.every(
    ([text, most]) => text === null || (text.length <= most && !text.includes('\0') && text.isWellFormed()),
  );
}

/** Signed values of a message without any, as nearly all are. */
export const noSignedValues: readonly SignedMeterValue[] = Object.freeze([]);

/** Maximum number of stored values of a session, by nature. */
export const maxSignedValues: Readonly<Record<SignedNature, number>> = { START: 5, INTERMEDIATE: 50, END: 5 };
