import { sumSessions } from '#shared/clickhouse/session-analytics.ts';
import type { SessionSums } from '#shared/domain/charging/session-sums.ts';
import { type ComparedDay, comparedDay } from '#shared/domain/kernel/calendar.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import { summarizeSessions } from '#shared/postgres/charging/session-summary.ts';
import {
  type AnalyzedNetwork,
  listAnalyzedNetworks,
} from '#shared/postgres/reporting/analytics.statements.ts';
import {
  countEndedInReview,
  countStarted,
  type RunningSums,
  sumRunning,
} from '#shared/postgres/reporting/today.statements.ts';
import { summarizeDuring } from '#api/services/charging/energy-during.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import { requireTimeZone } from '#api/services/kernel/time-zones.ts';
import { wholeSecond } from './analytics-window.ts';

/** Part of a day. */
export interface DayPart extends Interval {
  /** Sessions that started in it. */
  started: number;
  /** Sums of the sessions that ended in it, by network and currency. */
  sums: SessionSums[];
}

/** Sessions that charged in the part of a day up to the same time as now. */
interface ChargedSoFar {
  sessions: number;
  /** Energy that the sessions not in review charged in it. */
  energyWh: number;
  inReview: number;
}

/** A day, up to the same time as now. */
export interface DayFigures {
  date: string;
  soFar: DayPart;
  charged: ChargedSoFar;
  /** Number of sessions that ended so far and whose price is in review. */
  endedInReview: number;
  /** Hours of the day, of today until now. */
  hours: DayPart[];
}

/** Figures of today, yesterday and a week ago. */
interface TodayFigures {
  now: Date;
  timeZone: string;
  networks: AnalyzedNetwork[];
  running: RunningSums;
  today: DayFigures;
  yesterday: DayFigures;
  lastWeek: DayFigures;
}

const hourMs = 60 * 60_000;

/**
 * Returns the figures of today so far, of yesterday and of a week ago.
 * @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED for an unknown time zone, STORE_UNAVAILABLE.
 */
export async function readToday(
  deps: ServiceDeps,
  caller: Caller,
  query: { networkId: string | undefined; timeZone: string | undefined },
): Promise<TodayFigures> {
  requireTimeZone(query.timeZone, { part: 'query', field: 'timeZone' });
  const networks = await listAnalyzedNetworks(deps.sql, await networksOfCall(deps, caller, query.networkId));
  const timeZone = query.timeZone ?? commonTimeZone(networks);
  // A second that concurrent callers share.
  const now = wholeSecond(Date.now());
  const networkIds = networks.map(({ id }) => id);
  const figures = (daysBefore: number) =>
    dayFigures(deps, networkIds, now, comparedDay(now, daysBefore, timeZone));
  const [running, today, yesterday, lastWeek] = await Promise.all([
    sumRunning(deps.sql, networkIds),
    figures(0),
    figures(1),
    figures(7),
  ]);
  return { now: new Date(now), timeZone, networks, running, today, yesterday, lastWeek };
}

/** Returns the time zone of networks that have the same one, else UTC. */
export function commonTimeZone(networks: readonly AnalyzedNetwork[]): string {
  const [first, ...others] = new Set(networks.map(({ timeZone }) => timeZone));
  return first === undefined || others.length > 0 ? 'UTC' : first;
}

async function dayFigures(
  deps: ServiceDeps,
  networkIds: readonly number[],
  now: number,
  day: ComparedDay,
): Promise<DayFigures> {
  const soFar = { from: day.from, to: day.sameTime };
  const hours = hoursOf(day, now);
  const [[whole], parts, charged, endedInReview] = await Promise.all([
    partsOf(deps, networkIds, [soFar]),
    partsOf(deps, networkIds, hours),
    chargedIn(deps, networkIds, soFar),
    countEndedInReview(deps.sql, networkIds, soFar),
  ]);
  const part = whole ?? { ...soFar, started: 0, sums: [] };
  return { date: day.date, soFar: part, charged, endedInReview, hours: parts };
}

async function chargedIn(
  deps: ServiceDeps,
  networkIds: readonly number[],
  { from, to }: Interval,
): Promise<ChargedSoFar> {
  const scope = { networks: { all: false, networkIds }, userId: null } as const;
  const during = { from: new Date(from), to: new Date(to) };
  const [counted, { count: inReview }] = await Promise.all([
    summarizeDuring(deps, scope, { during, isInReview: false }),
    summarizeSessions(deps.sql, scope, { during, isInReview: true }),
  ]);
  return { sessions: counted.count, energyWh: counted.energyDuringWh, inReview };
}

/** The hours of a day that have begun, the last one cut to now. Every day begins on a quarter of an hour. */
function hoursOf(day: Interval, now: number): Interval[] {
  const end = Math.min(day.to, now);
  const hours: Interval[] = [];
  for (let from = day.from; from < end; from += hourMs)
    hours.push({ from, to: Math.min(from + hourMs, end) });
  return hours;
}

async function partsOf(
  { sql, clickhouse }: ServiceDeps,
  networkIds: readonly number[],
  intervals: Interval[],
): Promise<DayPart[]> {
  const buckets = intervals.filter(({ from, to }) => from < to);
  const [started, sums] = await Promise.all([
    countStarted(sql, networkIds, buckets),
    fromClickHouse(sumSessions(clickhouse, networkIds, buckets)),
  ]);
  const byBucket = Map.groupBy(sums, ({ bucket }) => bucket);
  return buckets.map((bucket, index) => ({
    ...bucket,
    started: started[index] ?? 0,
    sums: byBucket.get(index) ?? [],
  }));
}
