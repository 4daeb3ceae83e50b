import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import { type ChargerTime, isTimeDoubtful, type TimeFlag } from '#shared/domain/kernel/clock.ts';
import type { MeterSample } from './meter-sample.ts';
import type { SignedMeterValue } from './signed-meter-value.ts';

/**
 * The states of a charging session. RESERVATION: the connector is reserved at a price, and charging has not begun. STOPPING: the
 * charger accepted a remote stop and has not confirmed it yet.
 */
export const sessionStatuses = ['RESERVATION', 'ACTIVE', 'STOPPING', 'COMPLETED', 'INVALID'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

/** Token kinds of both OCPP versions that the product distinguishes. */
export const idTokenTypes = ['RFID', 'APP_USER', 'AD_HOC_USER', 'OTHER'] as const;
export type IdTokenType = (typeof idTokenTypes)[number];

/** Results of the authorization of a token, in the words of OCPP 2.0.1. 1.6 lacks NoCredit. */
export type AuthorizationStatus =
  | 'Accepted'
  | 'Blocked'
  | 'Expired'
  | 'Invalid'
  | 'ConcurrentTx'
  | 'NoCredit';

/** The result of asking whether a token may charge. */
export interface Authorization {
  status: AuthorizationStatus;
  expiresAt: Date | null;
  /** The group whose tokens may end each other's sessions: parentIdTag of 1.6, groupIdToken of 2.0.1. */
  groupId?: string | null;
}

/** A session begins, as either version reports it. */
export interface SessionStart {
  position: ConnectorPosition;
  idToken: string | null;
  /** The charger's own transaction id (2.0.1); null when ours to give (1.6). */
  transactionId: string | null;
  startedAt: Date;
  receivedAt: Date;
  meterStartWh: number | null;
  remoteStartId: number | null;
  /** The reservation that it uses, where the charger names one. */
  reservationId?: number;
  flags: string[];
}

/** Flag of a session whose start was not received. A later message created it; the start corrects it. */
export const startMissing = 'start-missing';

/** Flag of a session whose start did not tell the register: it counts from the first reading. */
export const meterStartMissing = 'meter-start-missing';

/**
 * Flag of a session that ended without a stop and was closed from its last reading. A second flag names the
 * sign.
 */
export const estimated = 'estimated';

/** Flag of a session that was ended by a stop that named another transaction. */
export const stopReconciled = 'stop-reconciled';

/** Flag of a session whose estimated or reconciled end was replaced by that of its real stop. */
export const amended = 'amended';

/** Flag of a session that ran on after an assumed end, since its charger sent readings of it. */
export const reopened = 'reopened';

/** Flag of a session with the decision AMENDED. */
export const corrected = 'corrected';

/** Flag of a session whose implausible values an operator approved. */
export const approved = 'approved';

/**
 * Decisions of an operator on a session. APPROVED: implausible values are right, and the price is settled as it stood. AMENDED: end,
 * energy or price were corrected; no later message of the charger changes them.
 */
export type SessionDecision = 'APPROVED' | 'AMENDED';

/** Sign that a stop is missing. The flag of a session closed because of it is `closed-` and this. */
export type MissingStopSign = 'next-start' | 'available' | 'offline';

/** Returns whether a session was ended by its own stop: its end was not assumed, or the stop corrected it. */
export function hasOwnStop(session: { endedAt: Date | null; flags: readonly string[] }): boolean {
  if (session.endedAt === null) return false;
  const isAssumed = session.flags.includes(estimated) || session.flags.includes(stopReconciled);
  return !isAssumed || session.flags.includes(amended);
}

/** Returns true when the session's own stop may still end it: it runs, or its end was assumed and not corrected since. */
export function awaitsStop(session: {
  endedAt: Date | null;
  flags: readonly string[];
  priceDecision: SessionDecision | null;
}): boolean {
  return session.endedAt === null || !(hasOwnStop(session) || session.priceDecision === 'AMENDED');
}

/** Facts that tell a start from another one with the same fields. */
type KnownStart = Pick<SessionStart, 'idToken' | 'startedAt' | 'meterStartWh' | 'flags'> & {
  /** Null while it runs. */
  endedAt: Date | null;
};

/**
 * Returns whether a start with the fields or the transaction id of a known session begins another one. In
 * doubt it is a repeat.
 */
export function beginsAnother(start: SessionStart, known: KnownStart): boolean {
  // 1.6 stops a session by the id in our answer to its start, which is not repeated after that. A clock that
  // stands still sends the next start with the same fields.
  if (start.transactionId === null) return isTimeDoubtful(start.flags) && hasOwnStop(known);
  // 2.0.1 forbids the reuse of ids, but some chargers count from the beginning again after a reset.
  if (start.flags.includes(startMissing) || start.startedAt <= known.startedAt) return false;
  const isTimeSure = !isTimeDoubtful(start.flags) && !isTimeDoubtful(known.flags);
  const isAfterEnd = known.endedAt !== null && known.endedAt <= start.startedAt;
  if (isTimeSure && isAfterEnd) return true;
  // The assumed start of a session whose start was not received is no other start.
  if (known.flags.includes(startMissing)) return false;
  return differ(start.idToken, known.idToken) || differ(start.meterStartWh, known.meterStartWh);
}

/** Returns whether two values are both known and differ. */
function differ<Value>(one: Value | null, other: Value | null): boolean {
  return one !== null && other !== null && one !== other;
}

/** Limits of a session. Null: unlimited. */
export interface SessionLimits {
  /** Including VAT, in minor units of its currency. */
  maxCostMinor: bigint | null;
  maxDurationSeconds: number | null;
  maxEnergyWh: number | null;
}

/** The limits that a session can pass; WalletBalance: what its driver's wallet can pay. */
export const limitNames = ['MaxCost', 'MaxDuration', 'MaxEnergy', 'WalletBalance'] as const;
export type LimitName = (typeof limitNames)[number];

/** A session ends, as either version reports it. */
export interface SessionStop {
  transactionId: string;
  endedAt: Date;
  receivedAt: Date;
  meterStopWh: number | null;
  reason: string | null;
  idToken: string | null;
  flags: string[];
}

/** Flag of a session whose stop had unreadable fields: they were left out. */
const stopPartlyUnreadable = 'stop-partly-unreadable';

/** Returns the flags of a stop as received. `isPartial`: some fields were unreadable. */
export function stopFlags(time: ChargerTime['flag'], isPartial: boolean): string[] {
  return [...(time === null ? [] : [time]), ...(isPartial ? [stopPartlyUnreadable] : [])];
}

/**
 * Moves a stop whose clock puts it before the start of its session to the time of its receipt, the best
 * estimate.
 */
export function notBefore(startedAt: Date, stop: SessionStop): SessionStop {
  if (stop.endedAt >= startedAt) return stop;
  const endedAt = stop.receivedAt < startedAt ? startedAt : stop.receivedAt;
  return { ...stop, endedAt, flags: [...stop.flags, 'time-past' satisfies TimeFlag] };
}

/** Live values of a running session, coalesced in the shard (rule 3 of the architecture). */
export interface LiveValues {
  energyRegisterWh: number | null;
  powerW: number | null;
  socPercent: number | null;
  time: Date;
}

/** A message with readings in it: from MeterValues, TransactionEvent or StopTransaction. */
export interface MeterReport {
  position: ConnectorPosition;
  /** The charger's transaction id when it named one. */
  transactionId: string | null;
  samples: MeterSample[];
  /** Signed values alongside the readings. */
  signed: readonly SignedMeterValue[];
}

/** Energy counted up to a time, in ms since 1970. */
export interface CountedEnergy {
  energyWh: number;
  atMs: number;
}
