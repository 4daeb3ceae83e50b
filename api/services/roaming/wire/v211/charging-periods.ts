import type { ChargingPeriod } from '#api/services/roaming/charging-periods.ts';

/** Charging period of 2.1.1, which names no tariff. */
type Period = Pick<ChargingPeriod, 'start_date_time' | 'dimensions'>;

/** Converts charging periods. 2.1.1 has no periods of reservations: one without use is a period without charging time. */
export function chargingPeriods(periods: readonly ChargingPeriod[]): Period[] {
  const reserved = periods.filter(isReserved);
  const charged = periods.filter((period) => !isReserved(period));
  if (charged.length > 0 || reserved.length === 0) {
    return charged.map(({ start_date_time, dimensions }) => ({ start_date_time, dimensions }));
  }
  return reserved
    .slice(0, 1)
    .map(({ start_date_time }) => ({ start_date_time, dimensions: [{ type: 'TIME', volume: 0 }] }));
}

const isReserved = ({ dimensions }: ChargingPeriod) =>
  dimensions.some(({ type }) => type === 'RESERVATION_TIME');
