import type { ReservedTime } from '#shared/domain/charging/reservation.ts';
import { isClickHouseDown } from '#shared/clickhouse/client.ts';
import { needsReadings } from '#shared/pricing/rating.ts';
import { looksAtFlow } from '#shared/pricing/restrictions.ts';
import { type SessionToSettle, usageUntil } from '#shared/pricing/settle-session.ts';
import type { UsageReading } from '#shared/pricing/usage.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { readUsage } from './session-usage.ts';

/** Session fields that the reading of its meter points needs. */
interface ReadableSession
  extends
    Pick<
      SessionToSettle,
      'startedAt' | 'energyWh' | 'tariff' | 'idlePeriods' | 'idleStartedAt' | 'idleCause'
    >,
    ReservedTime {
  uuid: string;
  chargerId: number;
}

/** Resolution in ms of readings that price a running session; the final price uses every reading. */
const soFarMs = 60_000;

/**
 * Returns the readings of those running sessions whose price so far needs them, in one query, by the
 * session's uuid. While ClickHouse is unreachable it returns none, and the price is flagged as assuming an
 * even flow of energy.
 */
export async function runningReadings(
  deps: Pick<ServiceDeps, 'sql' | 'clickhouse'>,
  sessions: readonly (ReadableSession & { endedAt?: Date | null })[],
  now: Date,
): Promise<ReadonlyMap<string, UsageReading[]>> {
  const wanted = sessions.filter(
    (session) =>
      (session.endedAt ?? null) === null &&
      session.tariff !== null &&
      needsReadings(session.tariff, usageUntil(session, now)),
  );
  if (wanted.length === 0) return new Map();
  try {
    const current = wanted.some(({ tariff }) => tariff !== null && looksAtFlow(tariff.elements));
    return await readUsage(deps, wanted, { everyMs: soFarMs, current });
  } catch (error) {
    if (!isClickHouseDown(error)) throw error;
    return new Map();
  }
}
