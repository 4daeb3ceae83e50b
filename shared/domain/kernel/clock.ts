import { parseDateTime } from './date-time.ts';

/** Milliseconds that a charger's clock can run ahead of ours before its time is corrected. */
const futureToleranceMs = 5 * 60 * 1000;

/**
 * Half a year: a charger can be offline for a winter and send its queue then. A clock that lost its battery
 * shows 1970, or the build time of its firmware.
 */
const keptAtMostMs = 180 * 24 * 60 * 60 * 1000;

/** Time from a charger, limited to plausible bounds, with a flag for its fault. */
export interface ChargerTime {
  time: Date;
  flag: TimeFlag | null;
  /** The text of a time that was replaced; null when it was kept, or when there was none. */
  said: string | null;
}

export const timeFlags = ['time-missing', 'time-unreadable', 'time-past', 'time-future'] as const;
export type TimeFlag = (typeof timeFlags)[number];

/** Returns whether one of these flags says that a time is not the charger's own. */
export function isTimeDoubtful(flags: readonly string[]): boolean {
  return timeFlags.some((flag) => flags.includes(flag));
}

/**
 * Reads a charger's timestamp (rule 10 of the architecture: time is recorded twice). A time without zone
 * is taken as UTC, which both OCPP versions ask for. Impossible clocks are replaced by `receivedAt`.
 */
export function chargerTime(said: string | undefined, receivedAt: Date): ChargerTime {
  if (said === undefined || said === '') return { time: receivedAt, flag: 'time-missing', said: null };
  const ms = parseDateTime(said);
  if (ms === null) return { time: receivedAt, flag: 'time-unreadable', said };
  if (ms < receivedAt.getTime() - keptAtMostMs) return { time: receivedAt, flag: 'time-past', said };
  if (ms > receivedAt.getTime() + futureToleranceMs) return { time: receivedAt, flag: 'time-future', said };
  return { time: new Date(ms), flag: null, said: null };
}

/**
 * Maximum age in ms of a current state: covers a queue of a few minutes, but not a clock that stands in 2016.
 */
const noticeToleranceMs = 15 * 60 * 1000;

/**
 * Returns the time of a state that was current when sent, such as a connector's. A clock that is far behind
 * would make it look older than the stored state, so `receivedAt` also replaces times long past.
 */
export function noticeTime(said: string | undefined, receivedAt: Date): Date {
  const { time } = chargerTime(said, receivedAt);
  return receivedAt.getTime() - time.getTime() > noticeToleranceMs ? receivedAt : time;
}
