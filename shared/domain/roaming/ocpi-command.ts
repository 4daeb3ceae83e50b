import type { ChargingProfile } from '#shared/domain/charging/charging-profile.ts';
import type { IdTokenType } from '#shared/domain/charging/session.ts';

/** Commands of a partner (OCPI 2.2.1 §13.4.3, CommandType). */
export const commandTypes = [
  'CANCEL_RESERVATION',
  'RESERVE_NOW',
  'START_SESSION',
  'STOP_SESSION',
  'UNLOCK_CONNECTOR',
] as const;
export type CommandType = (typeof commandTypes)[number];

/**
 * Immediate responses to a command (§13.4.1 CommandResponseType, §14.6.5 ChargingProfileResponseType, the
 * latter with TOO_OFTEN).
 */
export const commandAnswers = [
  'ACCEPTED',
  'NOT_SUPPORTED',
  'REJECTED',
  'UNKNOWN_SESSION',
  'TOO_OFTEN',
] as const;
export type CommandAnswer = (typeof commandAnswers)[number];

/** Results of a command (§13.4.2, CommandResultType). */
export const commandResults = [
  'ACCEPTED',
  'CANCELED_RESERVATION',
  'EVSE_OCCUPIED',
  'EVSE_INOPERATIVE',
  'FAILED',
  'NOT_SUPPORTED',
  'REJECTED',
  'TIMEOUT',
  'UNKNOWN_RESERVATION',
] as const;
export type CommandResultType = (typeof commandResults)[number];

/** Results of a request about charging profiles (§14.6.6, ChargingProfileResultType). */
const profileResults = ['ACCEPTED', 'REJECTED', 'UNKNOWN'] as const;
export type ProfileResultType = (typeof profileResults)[number];

/** Validated request of a partner, ready for execution. */
export type PartnerTask =
  | { type: 'START_SESSION'; chargerUuid: string; connectorNumber: number | null; idTag: string }
  | { type: 'STOP_SESSION'; chargerUuid: string; sessionUuid: string }
  | { type: 'UNLOCK_CONNECTOR'; chargerUuid: string; connectorNumber: number }
  | ReserveTask
  | { type: 'CANCEL_RESERVATION'; reservationUuid: string }
  | { type: 'GET_PROFILE'; chargerUuid: string; sessionUuid: string; durationSeconds: number }
  | { type: 'SET_PROFILE'; chargerUuid: string; sessionUuid: string; profile: SessionProfile }
  | { type: 'CLEAR_PROFILE'; chargerUuid: string; sessionUuid: string };

/** A reservation to make, or to change. */
export interface ReserveTask {
  type: 'RESERVE_NOW';
  chargerUuid: string;
  connectorNumber: number | null;
  idTag: string;
  tokenType: IdTokenType;
  groupId: string | null;
  /** ISO 8601. */
  expiresAt: string;
  /** The partner's name of it; the charger knows another one (§13.3.4). */
  reservationRef: string;
  /** OCPP's number: of the reservation with that name that this one changes, or a new one. Kept before the charger receives it. */
  reservationId: number;
}

/** Limits that a partner sets for a session (§14.6.3, ChargingProfile). */
export type SessionProfile = Pick<
  ChargingProfile,
  'durationSeconds' | 'rateUnit' | 'minChargingRate' | 'periods'
> & {
  /** ISO 8601; null: the profile begins with the session. */
  startsAt: string | null;
};

/** Seconds after which a partner can assume that no result follows (§13.3.2, `timeout`). */
export const commandTimeoutSeconds = 60;

/** Seconds within which a command must begin: a driver who has left must not find a session started. */
export const beginWithinSeconds = 25;
