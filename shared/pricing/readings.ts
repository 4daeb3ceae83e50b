import type { MeterPoint } from '#shared/domain/charging/meter-sample.ts';
import { firstOrigin, isNamed, kindOf } from '#shared/domain/charging/register-origin.ts';
import {
  addReading,
  energySoFar,
  type MeterFrame,
  type MeterReading,
  noReadings,
} from '#shared/domain/charging/session-meter.ts';
import type { UsageReading } from './usage.ts';

/**
 * Readings that price a session, from its meter's values in order of time. Energy is that of the register that counts
 * (`session-meter.ts`), as for the session itself. A current that the charger sent without the session's transaction counts where it
 * sent none with it.
 */
export function usageReadings(points: readonly MeterPoint[], frame: MeterFrame): UsageReading[] {
  const readings = points.map(readingOf);
  const all = readings.reduce((meter, reading) => addReading(meter, reading, frame), noReadings);
  const counting = firstOrigin(all.registers);
  const isCurrentNamed = points.some(({ origin, currentA }) => currentA !== null && isNamed(origin));
  let meter = noReadings;
  return points.map((point, index) => {
    const { atMs, origin } = point;
    const at = new Date(atMs);
    const currentA = isCurrentNamed && !isNamed(origin) ? null : point.currentA;
    const reading = readings[index]!;
    if (origin !== counting || reading.value === null) return { at, energyWh: null, currentA };
    meter = addReading(meter, reading, frame);
    return { at, energyWh: energySoFar(meter, frame), currentA };
  });
}

function readingOf({ atMs, origin, registerWh, intervalWh, powerW }: MeterPoint): MeterReading {
  const kind = kindOf(origin);
  const value = kind === 'power' ? powerW : (registerWh ?? intervalWh);
  return { atMs, origin, value, scale: null, isSetAside: false };
}
