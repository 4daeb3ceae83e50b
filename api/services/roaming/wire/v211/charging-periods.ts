import type { ChargingPeriod } from '#api/services/roaming/charging-periods.ts';

/** Converts charging periods, which name no tariff in 2.1.1. */
export function chargingPeriods(
  periods: readonly ChargingPeriod[],
): Pick<ChargingPeriod, 'start_date_time' | 'dimensions'>[] {
  return periods.map(({ start_date_time, dimensions }) => ({ start_date_time, dimensions }));
}
