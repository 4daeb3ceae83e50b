import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { DuringWindow } from '#shared/postgres/charging/session-during.ts';
import type { SessionFilter } from '#shared/postgres/charging/session-records.ts';
import {
  type CutSession,
  findCutSessions,
  type SessionSummary,
  summarizeSessions,
} from '#shared/postgres/charging/session-summary.ts';
import type { UsageReading } from '#shared/pricing/usage.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import { readUsage } from './session-usage.ts';

/** Sums of sessions that charged in a window. */
export interface DuringSummary extends SessionSummary {
  /** Energy in Wh that they charged in the window. */
  energyDuringWh: number;
}

/** Every day begins on a quarter of an hour, so that a reading of each suffices to cut a session at midnight. */
const everyQuarterHour = { everyMs: 900_000, current: false };

/** Sessions whose readings are read at once: ClickHouse limits the size of a query. */
const sessionsAtOnce = 1000;

/**
 * Sums the sessions that charged in a window. Sessions that began before it or continued after it are cut by their readings.
 * @throws {DomainError} STORE_UNAVAILABLE.
 */
export async function summarizeDuring(
  deps: ServiceDeps,
  scope: SessionScope,
  filter: SessionFilter & { during: DuringWindow },
): Promise<DuringSummary> {
  const [summary, cut] = await Promise.all([
    summarizeSessions(deps.sql, scope, filter),
    findCutSessions(deps.sql, scope, filter),
  ]);
  const { from, to } = filter.during;
  let outsideWh = 0;
  for (let first = 0; first < cut.length; first += sessionsAtOnce) {
    const sessions = cut.slice(first, first + sessionsAtOnce);
    const usage = await fromClickHouse(readUsage(deps, sessions, everyQuarterHour));
    for (const session of sessions) {
      const readings = usage.get(session.uuid) ?? [];
      const within = energyAt(session, readings, to) - energyAt(session, readings, from);
      outsideWh += session.energyWh - within;
    }
  }
  return { ...summary, energyDuringWh: Math.max(0, summary.energyWh - outsideWh) };
}

/** Returns the energy in Wh that a session had charged at a time. Between two readings it grows evenly. */
function energyAt(
  { startedAt, countedAt, energyWh: total }: CutSession,
  readings: readonly UsageReading[],
  time: Date,
): number {
  if (time <= startedAt) return 0;
  if (time >= countedAt) return total;
  const known = [
    { at: startedAt, energyWh: 0 },
    ...readings.flatMap(({ at, energyWh }) =>
      energyWh === null || at <= startedAt || at >= countedAt
        ? []
        : [{ at, energyWh: Math.min(energyWh, total) }],
    ),
    { at: countedAt, energyWh: total },
  ];
  const next = known.findIndex(({ at }) => at > time);
  const [before, after] = [known[next - 1], known[next]];
  if (before === undefined || after === undefined) return total;
  const share = (time.getTime() - before.at.getTime()) / (after.at.getTime() - before.at.getTime());
  return before.energyWh + (after.energyWh - before.energyWh) * share;
}
