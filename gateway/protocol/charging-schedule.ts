import type {
  ChargingProfile,
  CompositeSchedule,
  SchedulePeriod,
} from '#shared/domain/charging/charging-profile.ts';
import { wireTime } from './wire-time.ts';

/** A period as both versions write it. */
interface WirePeriod {
  startPeriod: number;
  limit: number;
  numberPhases?: number;
}

/** The schedule of a profile as both versions write it. */
export function wireSchedule({
  durationSeconds,
  startsAt,
  rateUnit,
  minChargingRate,
  periods,
}: ChargingProfile) {
  return {
    chargingRateUnit: rateUnit,
    chargingSchedulePeriod: periods.map(
      ({ startSeconds, limit, phases }): WirePeriod => ({
        startPeriod: startSeconds,
        limit,
        ...(phases !== null && { numberPhases: phases }),
      }),
    ),
    ...(durationSeconds !== null && { duration: durationSeconds }),
    ...(startsAt !== null && { startSchedule: wireTime(startsAt) }),
    ...(minChargingRate !== null && { minChargingRate }),
  };
}

/** What of a profile both versions write the same way. */
export function wireProfile({ stackLevel, kind, recurrency, validFrom, validTo }: ChargingProfile) {
  return {
    stackLevel,
    chargingProfileKind: kind,
    ...(recurrency !== null && { recurrencyKind: recurrency }),
    ...(validFrom !== null && { validFrom: wireTime(validFrom) }),
    ...(validTo !== null && { validTo: wireTime(validTo) }),
  };
}

/** A composite schedule that a charger told. */
export function compositeSchedule(
  startsAt: string | undefined,
  schedule: { duration?: number; chargingRateUnit: 'A' | 'W'; chargingSchedulePeriod: WirePeriod[] },
): CompositeSchedule {
  return {
    startsAt: startsAt ?? null,
    durationSeconds: schedule.duration ?? null,
    rateUnit: schedule.chargingRateUnit,
    periods: schedule.chargingSchedulePeriod.map(
      ({ startPeriod, limit, numberPhases }): SchedulePeriod => ({
        startSeconds: startPeriod,
        limit,
        phases: numberPhases ?? null,
      }),
    ),
  };
}
