import { type ReportedStatus, statusOfReports } from '#shared/domain/fleet/ocpi-evse.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import type { ExcludedTime, ExclusionCause } from './exclusion.ts';

/** Change in the history of an EVSE, at a time in ms since 1970. Connector 0 is the station as a whole. */
export type EvseChange =
  | { kind: 'status'; at: number; connector: number; status: ReportedStatus }
  | { kind: 'removal'; at: number; connector: number }
  | { kind: 'socket'; at: number; isConnected: boolean };

/** Part of the history of an EVSE in which nothing changes. */
export interface EvseInterval extends Interval {
  /** Latest reported status, also without a socket. */
  status: ReportedStatus;
  /** True while the charger has a socket, or before its first known one. */
  isConnected: boolean;
  /** True within the opening hours. */
  isOpen: boolean;
  /** Cause that an operator entered. Null: none. */
  cause: ExclusionCause | null;
}

/** Facts of an EVSE besides its changes. All times are ordered and without overlaps. */
export interface EvseCircumstances {
  /** Opening hours. Null: always open. */
  open: readonly Interval[] | null;
  excluded: readonly ExcludedTime[];
}

/**
 * Returns the history of an EVSE in a window without gaps. Changes are in order of time; changes before the window are its
 * beginning. Time before the first report is UNKNOWN.
 */
export function evseIntervals(
  changes: Iterable<EvseChange>,
  window: Interval,
  { open, excluded }: EvseCircumstances,
): EvseInterval[] {
  const intervals: EvseInterval[] = [];
  const opening = open === null ? null : new Boundaries(open);
  const exclusion = new Boundaries(excluded);
  let from = window.from;
  const state = new ConnectorStates();
  const fill = (end: number) => {
    while (from < end) {
      const to = Math.min(end, opening?.next(from) ?? end, exclusion.next(from));
      append(intervals, {
        from,
        to,
        status: state.status,
        isConnected: state.isConnected,
        isOpen: opening === null || opening.current !== null,
        cause: exclusion.current?.cause ?? null,
      });
      from = to;
    }
  };
  for (const change of changes) {
    if (change.at >= window.to) break;
    fill(change.at);
    state.apply(change);
  }
  fill(window.to);
  return intervals;
}

/** Returns a history as if the location were always open. */
export function withoutOpeningHours(intervals: readonly EvseInterval[]): EvseInterval[] {
  const merged: EvseInterval[] = [];
  for (const interval of intervals) append(merged, { ...interval, isOpen: true });
  return merged;
}

/** Adds an interval, or extends the last one if nothing changes. */
function append(intervals: EvseInterval[], next: EvseInterval): void {
  const last = intervals.at(-1);
  const isSame =
    last !== undefined &&
    last.status === next.status &&
    last.isConnected === next.isConnected &&
    last.isOpen === next.isOpen &&
    last.cause === next.cause;
  if (isSame) last.to = next.to;
  else intervals.push(next);
}

/** Walks through ordered times. */
class Boundaries<Time extends Interval> {
  readonly #times: readonly Time[];
  #index = 0;
  current: Time | null = null;

  constructor(times: readonly Time[]) {
    this.#times = times;
  }

  /** Moves to an instant, and returns the next one at which `current` changes. */
  next(at: number): number {
    let time = this.#times[this.#index];
    while (time !== undefined && time.to <= at) {
      this.#index += 1;
      time = this.#times[this.#index];
    }
    this.current = time !== undefined && time.from <= at ? time : null;
    if (time === undefined) return Infinity;
    return this.current === null ? time.from : time.to;
  }
}

/** Latest reports of an EVSE, its station and socket. */
class ConnectorStates {
  readonly #connectors = new Map<number, ReportedStatus>();
  #station: ReportedStatus = 'UNKNOWN';
  status: ReportedStatus = 'UNKNOWN';
  isConnected = true;

  apply(change: EvseChange): void {
    if (change.kind === 'socket') {
      this.isConnected = change.isConnected;
      return;
    }
    if (change.kind === 'removal') this.#connectors.delete(change.connector);
    else if (change.connector === 0) this.#station = change.status;
    else this.#connectors.set(change.connector, change.status);
    this.status = statusOfReports(this.#station, this.#connectors.values());
  }
}
