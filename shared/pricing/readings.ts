import type { MeterPoint } from '#shared/domain/meter-sample.ts';
import { beginCount, countRegister } from '#shared/domain/register-count.ts';
import type { UsageReading } from './usage.ts';

/**
 * The readings that a session is priced by, from what its meter showed in order of time. Energy is counted as it is for
 * the session itself, whose register may not be known at the start or be reset in between.
 */
export function usageReadings(
  points: readonly MeterPoint[],
  session: { startedAt: Date; meterStartWh: number | null },
): UsageReading[] {
  let count = beginCount(session.meterStartWh, session.startedAt);
  let currentA: number | null = null;
  return points.flatMap((point) => {
    currentA = point.currentA ?? currentA;
    if (point.registerWh === null) return [];
    count = countRegister(count, { registerWh: point.registerWh, atMs: point.atMs });
    return [{ at: new Date(point.atMs), energyWh: count.energyWh, currentA }];
  });
}
