import { isClickHouseDown } from '#shared/clickhouse/client.ts';
import { readMeterPoints } from '#shared/clickhouse/meter-points.ts';
import { needsReadings } from '#shared/pricing/rating.ts';
import { usageReadings } from '#shared/pricing/readings.ts';
import { looksAtFlow } from '#shared/pricing/restrictions.ts';
import { type SettledSession, usageUntil } from '#shared/pricing/settle-session.ts';
import type { UsageReading } from '#shared/pricing/usage.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** What must be known of a session to read what it is priced by. */
export interface ReadableSession
  extends Pick<
    SettledSession,
    'startedAt' | 'meterStartWh' | 'energyWh' | 'tariff' | 'idlePeriods' | 'idleStartedAt' | 'idleCause'
  > {
  uuid: string;
  chargerId: number;
}

/** Fine enough for a price that is told while a session runs; its final one is told from every reading. */
const soFarMs = 60_000;

/**
 * The readings of those running sessions whose price so far needs them, in one query, by the session's uuid. While
 * ClickHouse is out of reach there are none, and the price says that energy was taken to have flowed evenly.
 */
export async function runningReadings(
  { clickhouse }: Pick<ServiceDeps, 'clickhouse'>,
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
    const points = await readMeterPoints(clickhouse, wanted, { everyMs: soFarMs, current });
    return new Map(
      wanted.map((session) => [session.uuid, usageReadings(points.get(session.uuid) ?? [], session)]),
    );
  } catch (error) {
    if (!isClickHouseDown(error)) throw error;
    return new Map();
  }
}
