import type { MeterPoint } from '#shared/domain/charging/meter-sample.ts';
import { beginCount, countRegister } from '#shared/domain/charging/register-count.ts';
import type { UsageReading } from './usage.ts';

/**
 * Readings that price a session, from its meter's values in order of time. Energy is counted as for the session
 * itself, whose register may be unknown at the start or reset in between.
 */
export function usageReadings(
  points: readonly MeterPoint[],
  session: { startedAt: Date; meterStartWh: number | null },
): UsageReading[] {
  let count = beginCount(session.meterStartWh, session.startedAt);
  return points.map(({ atMs, registerWh, currentA }) => {
    const at = new Date(atMs);
    if (registerWh === null) return { at, energyWh: null, currentA };
    count = countRegister(count, { registerWh, atMs });
    return { at, energyWh: count.energyWh, currentA };
  });
}
