import type {
  ChargingProfile,
  CompositeSchedule,
  SchedulePeriod,
} from '#shared/domain/charging/charging-profile.ts';
import { wireTime } from './wire-time.ts';

/** Period in the format of both versions. */
interface WirePeriod {
  startPeriod: number;
  limit: number;
  numberPhases?: number;
}

/** Returns the schedule of a profile in the format of both versions. */
export function wireSchedule({
  durationSeconds,
  startsAt,
  rateUnit,
  minChargingRate,
  periods,
}: ChargingProfile) {
  return {
    chargingRateUnit: rateUnit,
    chargingSchedulePeriod: periods.map(({ startSeconds, limit, phases }): WirePeriod => ({
      startPeriod: startSeconds,
      limit,
      ...(phases !== null && { numberPhases: phases }),
    })),
    ...(durationSeconds !== null && { duration: durationSeconds }),
    ...(startsAt !== null && { startSchedule: wireTime(startsAt) }),
    ...(minChargingRate !== null && { minChargingRate }),
  };
}

/** Returns the fields of a profile that both versions share. */
export function wireProfile({ stackLevel, kind, recurrency, validFrom, validTo }: ChargingProfile) {
  return {
    stackLevel,
    chargingProfileKind: kind,
    ...(recurrency !== null && { recurrencyKind: recurrency }),
    ...(validFrom !== null && { validFrom: wireTime(validFrom) }),
    ...(validTo !== null && { validTo: wireTime(validTo) }),
  };
}

/** Translates a composite schedule that a charger reported. */
export function compositeSchedule(
  startsAt: string | undefined,
  schedule: { duration?: number; chargingRateUnit: 'A' | 'W'; chargingSchedulePeriod: WirePeriod[] },
): CompositeSchedule {
  return {
    startsAt: startsAt ?? null,
    durationSeconds: schedule.duration ?? null,
    rateUnit: schedule.chargingRateUnit,
    periods: schedule.chargingSchedulePeriod.map(({ startPeriod, limit, numberPhases }): SchedulePeriod => ({
      startSeconds: startPeriod,
      limit,
      phases: numberPhases ?? null,
    })),
  };
}
