import type { ReportedStatus } from '#shared/domain/fleet/ocpi-evse.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import { bucketsOf } from '#shared/domain/kernel/calendar.ts';
import type { EvseInterval } from './evse-intervals.ts';
import { type ExclusionCause, exclusionCauses } from './exclusion.ts';

/** Ways in which a time counts. */
export const countings = ['up', 'down', 'not-measured'] as const;
export type Counting = (typeof countings)[number];

/** Rules by which the history of an EVSE becomes a share. */
export interface AvailabilityDefinition {
  /** Period that a report names: a calendar year, or the last of twelve months. */
  period: 'year' | 'month';
  isPublicOnly: boolean;
  /** Lowest power of the measured EVSEs. Null: all are measured. */
  minPowerW: number | null;
  counting: Readonly<Record<ReportedStatus, Counting>>;
  /** Time without a socket. Null: as the latest report. */
  offline: Counting | null;
  isOpeningHoursOnly: boolean;
  /** Causes whose outages do not count, with their maximum in ms per calendar year. Null: without a limit. */
  exclusions: Readonly<Partial<Record<ExclusionCause, number | null>>>;
  /** Required share in percent. */
  targetPercent: number;
  /** True: the share has to be greater than the target. False: the target is enough. */
  mustExceedTarget: boolean;
  /** Denominator of a share: the measured time of all EVSEs, or the minutes of a year of each EVSE. */
  basis: 'measured' | 'year';
}

const hourMs = 3_600_000;
const usable = { AVAILABLE: 'up', CHARGING: 'up', RESERVED: 'up' } as const;
const broken = { INOPERATIVE: 'down', OUTOFORDER: 'down' } as const;
const unlimited = { maintenance: null, vandalism: null, grid: null, customer: null, weather: null };

/** Definitions of regulators. */
export const regulatedDefinitions = {
  /** Public Charge Point Regulations 2023, part 3. An offline charger is UNKNOWN in OCPI, and UNKNOWN is not measured. */
  uk: {
    period: 'year',
    isPublicOnly: true,
    minPowerW: 50_000,
    counting: { ...usable, ...broken, UNKNOWN: 'not-measured' },
    offline: 'not-measured',
    isOpeningHoursOnly: true,
    exclusions: {},
    targetPercent: 99,
    mustExceedTarget: false,
    basis: 'measured',
  },
  /** 23 CFR 680.116(b): a port is up when it is online and available or in use. */
  us: {
    period: 'month',
    isPublicOnly: false,
    minPowerW: null,
    counting: { ...usable, ...broken, UNKNOWN: 'down' },
    offline: 'down',
    isOpeningHoursOnly: false,
    exclusions: unlimited,
    targetPercent: 97,
    mustExceedTarget: true,
    basis: 'year',
  },
  /** Programme of the California Energy Commission (AB 2061). */
  california: {
    period: 'year',
    isPublicOnly: false,
    minPowerW: null,
    counting: { ...usable, ...broken, UNKNOWN: 'down' },
    offline: 'down',
    isOpeningHoursOnly: false,
    exclusions: { ...unlimited, vandalism: 10 * 24 * hourMs, maintenance: 72 * hourMs },
    targetPercent: 97,
    mustExceedTarget: false,
    basis: 'measured',
  },
} as const satisfies Record<string, AvailabilityDefinition>;
export type Regulation = keyof typeof regulatedDefinitions;

/** Times of an EVSE in a period, in ms. They add up to the period. */
export interface AvailabilitySums {
  up: number;
  /** Outages, without those that exclusions cover. */
  down: number;
  /** Outages that do not count, by cause. */
  excluded: Record<ExclusionCause, number>;
  notMeasured: number;
  /** Time outside opening hours, if it does not count. */
  closed: number;
}

/** Returns sums of nothing. */
export function noSums(): AvailabilitySums {
  const excluded = { maintenance: 0, vandalism: 0, grid: 0, customer: 0, weather: 0 };
  return { up: 0, down: 0, excluded, notMeasured: 0, closed: 0 };
}

/** Returns how an interval counts, without regard to exclusions. */
export function countingOf(
  { status, isConnected, isOpen }: Pick<EvseInterval, 'status' | 'isConnected' | 'isOpen'>,
  { counting, offline, isOpeningHoursOnly }: AvailabilityDefinition,
): Counting | 'closed' {
  if (isOpeningHoursOnly && !isOpen) return 'closed';
  if (!isConnected && offline !== null) return offline;
  return counting[status];
}

/**
 * Sums the history of an EVSE. `years` are the calendar years of the period: what a cause has beyond its limit in one of them
 * counts as an outage.
 */
export function sumAvailability(
  intervals: readonly EvseInterval[],
  definition: AvailabilityDefinition,
  years: readonly Interval[],
): AvailabilitySums {
  const sums = noSums();
  const { exclusions } = definition;
  for (const year of years) {
    const left = { ...exclusions };
    for (const interval of intervals) {
      const ms = Math.min(interval.to, year.to) - Math.max(interval.from, year.from);
      if (ms <= 0) continue;
      const counting = countingOf(interval, definition);
      if (counting === 'up') sums.up += ms;
      else if (counting === 'closed') sums.closed += ms;
      else if (counting === 'not-measured') sums.notMeasured += ms;
      else if (interval.cause === null) sums.down += ms;
      else {
        const limit = left[interval.cause];
        const covered = limit === undefined ? 0 : Math.min(ms, limit ?? ms);
        if (typeof limit === 'number') left[interval.cause] = limit - covered;
        sums.excluded[interval.cause] += covered;
        sums.down += ms - covered;
      }
    }
  }
  return sums;
}

/** Returns the calendar years of a window in a time zone, cut to it. */
export function yearsOf(window: Interval, timeZone: string): Interval[] {
  const months = bucketsOf(window, 'month', timeZone);
  return [...Map.groupBy(months, ({ date }) => date.slice(0, 4)).values()].map((some) => ({
    from: some[0]?.from ?? window.from,
    to: some.at(-1)?.to ?? window.to,
  }));
}

/** Adds up sums. */
export function addSums(all: Iterable<AvailabilitySums>): AvailabilitySums {
  const total = noSums();
  for (const { up, down, excluded, notMeasured, closed } of all) {
    total.up += up;
    total.down += down;
    total.notMeasured += notMeasured;
    total.closed += closed;
    for (const cause of exclusionCauses) total.excluded[cause] += excluded[cause];
  }
  return total;
}

const measuredMs = ({ up, down, excluded }: AvailabilitySums) =>
  exclusionCauses.reduce((total, cause) => total + excluded[cause], up + down);

/** Returns the share of measured time that counts as up, from 0 to 1. Null: nothing was measured. */
export function availabilityShare(sums: AvailabilitySums): number | null {
  const measured = measuredMs(sums);
  return measured === 0 ? null : (measured - sums.down) / measured;
}

/** Returns the share of the time, without closed hours, that was measured, from 0 to 1. Null: always closed. */
export function measuredShare(sums: AvailabilitySums): number | null {
  const measured = measuredMs(sums);
  const counted = measured + sums.notMeasured;
  return counted === 0 ? null : measured / counted;
}

/** Minutes of the year in 23 CFR 680.116(b), also in a leap year. */
const yearMinutes = 525_600;

/** Returns the uptime of a port over twelve months by 23 CFR 680.116(b), from 0 to 1: `(525,600 - (outage - excluded)) / 525,600`. */
export function portUptime({ down }: AvailabilitySums): number {
  return Math.max(0, (yearMinutes - down / 60_000) / yearMinutes);
}

/** Returns the share of an EVSE from 0 to 1. Null: nothing was measured. */
export function portShare(
  sums: AvailabilitySums,
  { basis }: Pick<AvailabilityDefinition, 'basis'>,
): number | null {
  return basis === 'year' ? portUptime(sums) : availabilityShare(sums);
}

/** Returns the share of EVSEs together from 0 to 1: of their measured time, or the mean of their uptimes. Null: nothing was measured. */
export function totalShare(
  all: readonly AvailabilitySums[],
  { basis }: Pick<AvailabilityDefinition, 'basis'>,
): number | null {
  if (basis === 'measured') return availabilityShare(addSums(all));
  if (all.length === 0) return null;
  return all.reduce((total, sums) => total + portUptime(sums), 0) / all.length;
}

/** Returns whether a share reaches the target. Null: nothing was measured. */
export function meetsTarget(
  share: number | null,
  { targetPercent, mustExceedTarget }: Pick<AvailabilityDefinition, 'targetPercent' | 'mustExceedTarget'>,
): boolean | null {
  if (share === null) return null;
  const target = targetPercent / 100;
  return mustExceedTarget ? share > target : share >= target;
}
