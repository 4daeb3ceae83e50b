import {
  type ChargingProfile,
  firstLoadProfileId,
  type ProfileCriteria,
  type ProfilePurpose,
} from '#shared/domain/charging/charging-profile.ts';
import type { StationQuirk } from './quirks.ts';

/** Seconds for which a limit is valid. The fallback applies after it. */
export const limitSeconds = 120;

/** Seconds after which a limit is sent again. */
export const renewSeconds = limitSeconds / 3;

/**
 * Message that limits a connector. A fallback has no end and applies below every limit. A limit ends after `limitSeconds`, and with
 * its transaction if the station accepts profiles of one.
 */
export interface LimitMessage {
  kind: 'fallback' | 'limit';
  amps: number;
  /** Null: no transaction runs. */
  transactionId: string | null;
}

/** Message to the station of a connector. `clear`: it forgets the profiles from elsewhere that outrank ours. */
export type StationMessage = LimitMessage | { kind: 'clear' };

/** Station of a connector, as far as its profiles depend on it. */
export interface LimitedStation {
  /** Number of the EVSE, or of the connector in OCPP 1.6. */
  evse: number;
  quirks: readonly StationQuirk[];
}

/** Start of an absolute schedule before the present in ms, in case the clock of the station is late. */
const earlierMs = 86_400_000;

/**
 * Returns the profile of a message. Its purpose is never external constraints, which belong to a controller at the site (1.6 does not
 * have them; 2.0.1 K11 forbids them to a back end).
 */
export function profileOf(
  message: LimitMessage,
  { evse, quirks }: LimitedStation,
  now: number,
): { evse: number; profile: ChargingProfile } {
  const isLimit = message.kind === 'limit';
  const purpose = purposeOf(message.kind, quirks);
  const level = isLimit && purpose !== 'Tx' && !quirks.includes('single-level') ? 1 : 0;
  const isAbsolute = purpose === 'StationMax';
  return {
    evse: isAbsolute ? 0 : evse,
    profile: {
      profileId: firstLoadProfileId + evse * 10 + (purpose === 'Tx' ? 2 : level),
      stackLevel: level,
      purpose,
      // A schedule of the station may not be relative (1.6 §3.13.2); one of a session starts with it, without the station's clock.
      kind: isAbsolute ? 'Absolute' : 'Relative',
      updateIntervalSeconds: null,
      recurrency: null,
      validFrom: null,
      validTo: isLimit && !endsNever(quirks, purpose) ? new Date(now + limitSeconds * 1000) : null,
      transactionId: isLimit && purpose === 'Tx' ? message.transactionId : null,
      startsAt: isAbsolute ? new Date(now - earlierMs) : null,
      durationSeconds: null,
      rateUnit: 'A',
      minChargingRate: null,
      periods: [{ startSeconds: 0, limit: message.amps, phases: null }],
      maxOfflineSeconds: isLimit ? limitSeconds : null,
    },
  };
}

/**
 * Returns the profiles to clear before the first fallback: those from elsewhere that could allow more than ours. A maximum of the
 * station or a constraint from outside only lowers a limit, and stays. Other connectors of the station keep their fallback.
 */
export function outrankingProfiles({ evse, quirks }: LimitedStation): ProfileCriteria[] {
  const any = { profileId: null, stackLevel: null };
  const fallback = purposeOf('fallback', quirks);
  if (fallback === 'StationMax') return [{ ...any, evse: 0, purpose: fallback }];
  return [
    { ...any, evse: 0, purpose: fallback },
    { ...any, evse, purpose: fallback },
    { ...any, evse, purpose: 'Tx' },
    { ...any, evse: null, purpose: 'PriorityCharging' },
  ];
}

/** Returns true if the end of the session ends the limit of a station. */
export function endsWithSession(quirks: readonly StationQuirk[]): boolean {
  return purposeOf('limit', quirks) === 'Tx';
}

function purposeOf(kind: LimitMessage['kind'], quirks: readonly StationQuirk[]): ProfilePurpose {
  if (quirks.includes('station-max-only')) return 'StationMax';
  return kind === 'fallback' || quirks.includes('tx-default-only') ? 'TxDefault' : 'Tx';
}

/** A limit that replaces the fallback has no end: without any profile the station would charge with its maximum. */
function endsNever(quirks: readonly StationQuirk[], purpose: ProfilePurpose): boolean {
  return purpose !== 'Tx' && quirks.includes('single-level');
}
