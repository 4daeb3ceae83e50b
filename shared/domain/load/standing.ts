import type { Connector } from './site.ts';

/** Current in ampere by which a reading may exceed a limit: accuracy of meters and of the control pilot. */
export const readingTolerance = 1;

/** Seconds after an accepted limit in which a station may still draw more. Then it does not obey. */
export const settleSeconds = 15;

/** Seconds after an accepted limit from which a reading shows it: the car follows within them, and a reading may be older than it is. */
export const visibleSeconds = 5;

/** Rejected messages in a row after which a connector counts as one without control. */
const maxRejections = 3;

/** Seconds after which a reading no longer describes the present. */
export const freshSeconds = 30;

/**
 * Knowledge about the limit at one connector. `inForce` is the highest limit that the station may apply: it rises when a limit is
 * sent, and falls only when a lower one was accepted and is visible. Null: unknown, after a restart.
 */
export interface Standing {
  inForce: number | null;
  /** Limit that was sent and has no answer yet. */
  pending: { amps: number; at: number } | null;
  /** Newest accepted limit. Null: none since the restart or the last lost answer. */
  accepted: { amps: number; at: number } | null;
  /** Newest reading: the highest current of a phase. */
  reading: { amps: number; at: number } | null;
  /** Highest fallback that the station may have. Null: unknown, after a restart or because it refused to have it installed again. */
  fallback: number | null;
  /** Messages that the station rejected since it accepted one. */
  rejections: number;
  /** Counted at its maximum, because its readings exceeded an accepted limit. An operator ends it. */
  isSetAside: boolean;
}

/** Event at a connector. Times are milliseconds of one clock. */
export type StandingEvent =
  | { kind: 'sent'; amps: number; at: number }
  | { kind: 'accepted'; at: number }
  /** Refused, or without an answer in time: the station applies the sent limit or an earlier one. */
  | { kind: 'unanswered'; at: number }
  | { kind: 'rejected' }
  | { kind: 'fallback-sent' | 'fallback-accepted'; amps: number }
  /** The station refused the fallback, and may have lost the earlier one. */
  | { kind: 'fallback-lost' }
  /** All profiles may be gone. */
  | { kind: 'cleared' }
  | { kind: 'reading'; amps: number; at: number }
  /** Time passed. Stations without readings are trusted after the settling time. */
  | { kind: 'tick'; at: number }
  | { kind: 'session-ended'; at: number }
  | { kind: 'released'; at: number };

/** State after a restart. */
export const unknownStanding: Standing = {
  inForce: null,
  pending: null,
  accepted: null,
  reading: null,
  fallback: null,
  rejections: 0,
  isSetAside: false,
};

type Transition<Kind extends StandingEvent['kind']> = (
  state: Standing,
  event: Extract<StandingEvent, { kind: Kind }>,
) => Standing;

const transitions: { [Kind in StandingEvent['kind']]: Transition<Kind> } = {
  sent: (state, { amps, at }) => ({
    ...state,
    inForce: state.inForce === null ? null : Math.max(state.inForce, amps),
    pending: { amps, at },
  }),
  accepted(state, { at }) {
    if (state.pending === null) return state;
    const { amps } = state.pending;
    const before = state.accepted;
    // A limit that is not lower than the one before has been kept since then.
    const since = before !== null && before.amps <= amps ? before.at : at;
    return lowered({ ...state, pending: null, accepted: { amps, at: since }, rejections: 0 }, at);
  },
  unanswered: (state) => ({ ...state, pending: null, accepted: null }),
  rejected: (state) => ({ ...state, rejections: state.rejections + 1 }),
  'fallback-sent': (state, { amps }) => ({
    ...state,
    fallback: state.fallback === null ? null : Math.max(state.fallback, amps),
  }),
  'fallback-accepted': (state, { amps }) => ({ ...state, fallback: amps, rejections: 0 }),
  'fallback-lost': (state) => ({ ...state, fallback: null }),
  cleared: (state) => ({ ...state, inForce: null, pending: null, accepted: null, fallback: null }),
  reading(state, { amps, at }) {
    const read = { ...state, reading: { amps, at } };
    return lowered(setAside(read, at), at);
  },
  tick: (state, { at }) => lowered(state, at),
  // The limit of a session ends with it, and the fallback is in force.
  'session-ended'(state, { at }) {
    const { inForce, pending, fallback } = state;
    if (inForce === null || pending !== null) return state;
    if (fallback === null) return { ...state, accepted: null };
    return { ...state, inForce: fallback, accepted: { amps: fallback, at } };
  },
  released: (state) => ({ ...state, isSetAside: false }),
};

/** Returns the state of a connector after an event. */
export function nextStanding(state: Standing, event: StandingEvent): Standing {
  const transition = transitions[event.kind] as (state: Standing, event: StandingEvent) => Standing;
  return transition(state, event);
}

/** Lowers the limit in force to the accepted one when a reading shows it, or nothing contradicts it after the settling time. */
function lowered(state: Standing, now: number): Standing {
  const { accepted, pending, reading, inForce } = state;
  if (accepted === null || pending !== null || (inForce !== null && inForce <= accepted.amps)) return state;
  const isSettled = now - accepted.at >= settleSeconds * 1000;
  const isAfter = reading !== null && reading.at - accepted.at >= visibleSeconds * 1000;
  const after = isAfter ? reading : null;
  const isVisible = after !== null && after.amps <= accepted.amps + readingTolerance;
  return isVisible || (after === null && isSettled) ? { ...state, inForce: accepted.amps } : state;
}

function setAside(state: Standing, now: number): Standing {
  const { accepted, pending, reading } = state;
  if (accepted === null || reading === null) return state;
  const isLate = now - accepted.at >= settleSeconds * 1000;
  const limit = Math.max(accepted.amps, pending?.amps ?? 0);
  return isLate && reading.amps > limit + readingTolerance ? { ...state, isSetAside: true } : state;
}

/**
 * Returns the highest current that a connector may draw now, whatever messages are lost from here on. The fallback, and the one before
 * until a change is confirmed, are always part of it, because the station applies them by itself.
 */
export function boundOf(state: Standing, connector: Connector, now: number): number {
  const { maxAmps, fallbackAmps, control } = connector;
  const { inForce, fallback, isSetAside } = state;
  if (control === 'none' || isSetAside || refusesControl(state) || inForce === null || fallback === null) {
    return Math.max(maxAmps, freshAmps(state, now));
  }
  return Math.max(inForce, fallbackAmps, fallback, freshAmps(state, now));
}

/** Returns true if the station rejects all messages: it is counted as one without control until it accepts one. */
export function refusesControl({ rejections }: Standing): boolean {
  return rejections >= maxRejections;
}

/** Returns true if the newest reading describes the present. */
export function isFresh({ reading }: Standing, now: number): boolean {
  return reading !== null && now - reading.at <= freshSeconds * 1000;
}

/** Returns true if the newest reading shows more than the limit, after the car had time to follow it. */
export function exceedsLimit(state: Standing, now: number): boolean {
  const { accepted, pending, reading } = state;
  if (accepted === null || reading === null || !isFresh(state, now)) return false;
  const isAfter = reading.at - accepted.at >= visibleSeconds * 1000;
  return isAfter && reading.amps > Math.max(accepted.amps, pending?.amps ?? 0) + readingTolerance;
}

/** Returns the newest measured current, or 0 if the reading is old. */
export function freshAmps(standing: Standing, now: number): number {
  return isFresh(standing, now) ? (standing.reading?.amps ?? 0) : 0;
}
