import type { LimitName } from '#shared/domain/charging/session.ts';
import type { LimitCheck, LimitedSession } from '#shared/postgres/charging/session-limits.statements.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import { needsReadings } from '#shared/pricing/rating.ts';
import { usageUntil } from '#shared/pricing/settle-session.ts';
import type { UsageReading } from '#shared/pricing/usage.ts';
import { shortOfBalance } from './wallet-limits.ts';

/*
 * States of the check of a running session that has a limit or is paid by a wallet. A price only rises, by time and by readings, so
 * a session that would pass no limit by the end of its wait needs no check before, unless something changes.
 *
 * | State   | Stored as                                        | Ends with                                              |
 * | ------- | ------------------------------------------------ | ------------------------------------------------------ |
 * | DUE     | no row in limit_checks, or a row with old values | a check: WAITING, NEAR, SETTLING or OVER               |
 * | WAITING | next_at in a minute, or at its longest duration  | next_at; a reading, another change, its wallet's: DUE  |
 * | NEAR    | next_at now: it may pass a limit in this minute  | the next run of the job: DUE                           |
 * | SETTLING| next_at in 5 s: its readings may not be stored   | as WAITING                                             |
 * | OVER    | a row with old values, or none                   | its stop; the next run, where a stop is due again: DUE |
 */

/** Longest time between two checks of a session of which nothing changes, in seconds. */
const waitSeconds = 60;

/** Time in seconds within which the readings of a change are stored in ClickHouse, and the wait until they are read again. */
const settledSeconds = 10;
const settlingSeconds = 5;

type Readings = ReadonlyMap<string, UsageReading[]>;
type SessionOver = LimitedSession & { passed: LimitName };

/** Returns the sessions that passed a limit, with the limit. */
export function sessionsOver(
  sessions: readonly LimitedSession[],
  readings: Readings,
  now: Date,
): SessionOver[] {
  const short = shortOfBalance(sessions, readings, now);
  return sessions.flatMap((session) => {
    const passed = session.passed ?? passedByPrice(session, readings, short, now);
    return passed === null ? [] : [{ ...session, passed }];
  });
}

/** Returns the checks to store of those sessions that passed no limit. */
export function nextChecks(
  sessions: readonly LimitedSession[],
  over: readonly SessionOver[],
  readings: Readings,
  now: Date,
): LimitCheck[] {
  const passed = new Set(over.map(({ id }) => id));
  const until = new Date(now.getTime() + waitSeconds * 1000);
  const short = shortOfBalance(sessions, readings, until);
  return sessions
    .filter(({ id }) => !passed.has(id))
    .map((session) => {
      const isNear = passedByPrice(session, readings, short, until) !== null;
      return { ...session, nextSeconds: isNear ? 0 : secondsToWait(session, now, until) };
    });
}

function secondsToWait(session: LimitedSession, now: Date, until: Date): number {
  const { tariff, maxDurationSeconds, startedAt, quietSeconds } = session;
  const isSettling =
    quietSeconds < settledSeconds && tariff !== null && needsReadings(tariff, usageUntil(session, until));
  const left =
    maxDurationSeconds === null
      ? waitSeconds
      : maxDurationSeconds - (now.getTime() - startedAt.getTime()) / 1000;
  return Math.max(0, Math.min(isSettling ? settlingSeconds : waitSeconds, left));
}

function passedByPrice(
  session: LimitedSession,
  readings: Readings,
  short: ReadonlySet<bigint>,
  at: Date,
): LimitName | null {
  if (isOverCost(session, readings.get(session.uuid), at)) return 'MaxCost';
  return short.has(session.id) ? 'WalletBalance' : null;
}

function isOverCost(
  session: LimitedSession,
  readings: readonly UsageReading[] | undefined,
  at: Date,
): boolean {
  const { tariff, maxCostMinor } = session;
  if (tariff === null || maxCostMinor === null) return false;
  return priceSession(tariff, usageUntil(session, at, readings)).totalInclVatMinor >= maxCostMinor;
}
