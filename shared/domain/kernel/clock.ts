import { hasZone, parseDateTime } from './date-time.ts';

/** Milliseconds that a charger's clock can run ahead of ours before its time is corrected. */
const futureToleranceMs = 5 * 60 * 1000;

/**
 * Half a year: a charger can be offline for a winter and send its queue then. A clock that lost its battery
 * shows 1970, or the build time of its firmware.
 */
const keptAtMostMs = 180 * 24 * 60 * 60 * 1000;

/** Receipt of a message, by which its times are read. */
export interface Receipt {
  at: Date;
  /** ms by which the charger's times without a zone are ahead of UTC. */
  localOffsetMs: number;
}

/** Flag of a time in the charger's local time, which it wrote without a zone: it was corrected. */
export const localTimeFlag = 'time-local';

/** Time from a charger, limited to plausible bounds, with a flag for its fault. */
export interface ChargerTime {
  time: Date;
  flag: TimeFlag | typeof localTimeFlag | null;
  /** The text of a time that was replaced; null if it was kept or absent. */
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
 * is the charger's local time where that is known (`local-time.ts`), else UTC, which both OCPP versions ask for. Impossible clocks are
 * replaced by the time of receipt.
 */
export function chargerTime(said: string | undefined, { at, localOffsetMs }: Receipt): ChargerTime {
  if (said === undefined || said === '') return { time: at, flag: 'time-missing', said: null };
  const written = parseDateTime(said);
  if (written === null) return { time: at, flag: 'time-unreadable', said };
  const isLocal = localOffsetMs !== 0 && !hasZone(said);
  const ms = isLocal ? written - localOffsetMs : written;
  if (ms < at.getTime() - keptAtMostMs) return { time: at, flag: 'time-past', said };
  if (ms > at.getTime() + futureToleranceMs) return { time: at, flag: 'time-future', said };
  return { time: new Date(ms), flag: isLocal ? localTimeFlag : null, said: null };
}

/**
 * Maximum age in ms of a current state: covers a queue of a few minutes, but not a clock that stands in 2016.
 */
const noticeToleranceMs = 15 * 60 * 1000;

/**
 * Returns the time of a state that was current when sent, such as a connector's. A clock that is far behind
 * would make it look older than the stored state, so the time of receipt also replaces times long past.
 */
export function noticeTime(said: string | undefined, receipt: Receipt): Date {
  const { time } = chargerTime(said, receipt);
  return receipt.at.getTime() - time.getTime() > noticeToleranceMs ? receipt.at : time;
}
