import type {
  ChargingProfile,
  CompositeSchedule,
  ProfilePurpose,
  SchedulePeriod,
} from '#shared/domain/charging/charging-profile.ts';
import { featuresOf, type OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { UnsendableCommand } from './unsendable.ts';
import { wireTime } from './wire-time.ts';

/** Period in the format of all versions. */
interface WirePeriod {
  startPeriod: number;
  /** A period of 2.1 may have a set point instead. */
  limit?: number;
  numberPhases?: number;
}

/** Returns the schedule of a profile in the format of all versions. */
export function wireSchedule({
  durationSeconds,
  startsAt,
  rateUnit,
  minChargingRate,
  periods,
}: ChargingProfile) {
  return {
    chargingRateUnit: rateUnit,
    chargingSchedulePeriod: periods.map(({ startSeconds, limit, phases }) => ({
      startPeriod: startSeconds,
      limit,
      ...(phases !== null && { numberPhases: phases }),
    })),
    ...(durationSeconds !== null && { duration: durationSeconds }),
    ...(startsAt !== null && { startSchedule: wireTime(startsAt) }),
    ...(minChargingRate !== null && { minChargingRate }),
  };
}

/**
 * Returns the fields of a profile that all versions share.
 * @throws {UnsendableCommand} for a Dynamic profile, in a version without them.
 */
export function wireProfile(
  version: OcppVersion,
  { stackLevel, kind, recurrency, validFrom, validTo, updateIntervalSeconds }: ChargingProfile,
) {
  if (kind === 'Dynamic' && !featuresOf(version).hasDynamicProfiles)
    throw new UnsendableCommand(`OCPP ${version} has no Dynamic charging profiles`);
  return {
    stackLevel,
    // Only a version with Dynamic profiles is sent one, which its validator confirms.
    chargingProfileKind: kind as Exclude<typeof kind, 'Dynamic'>,
    ...(updateIntervalSeconds !== null && { dynUpdateInterval: updateIntervalSeconds }),
    ...(recurrency !== null && { recurrencyKind: recurrency }),
    ...(validFrom !== null && { validFrom: wireTime(validFrom) }),
    ...(validTo !== null && { validTo: wireTime(validTo) }),
  };
}

/**
 * Returns the name of a purpose in a version.
 * @throws {UnsendableCommand} for priority charging, in a version without it.
 */
export function wirePurpose<Name extends string>(
  version: OcppVersion,
  names: Record<Exclude<ProfilePurpose, 'PriorityCharging'>, Name>,
  purpose: ProfilePurpose,
): Name {
  if (purpose !== 'PriorityCharging') return names[purpose];
  if (!featuresOf(version).hasDynamicProfiles)
    throw new UnsendableCommand(`OCPP ${version} has no profiles for priority charging`);
  // Only a version with priority charging is sent this purpose, which its validator confirms.
  return purpose as string as Name;
}

/** Translates a composite schedule that a charger reported; null when a period has no limit. */
export function compositeSchedule(
  startsAt: string | undefined,
  schedule: { duration?: number; chargingRateUnit: 'A' | 'W'; chargingSchedulePeriod: WirePeriod[] },
): CompositeSchedule | null {
  const periods: SchedulePeriod[] = [];
  for (const { startPeriod, limit, numberPhases } of schedule.chargingSchedulePeriod) {
    if (limit === undefined) return null;
    periods.push({ startSeconds: startPeriod, limit, phases: numberPhases ?? null });
  }
  return {
    startsAt: startsAt ?? null,
    durationSeconds: schedule.duration ?? null,
    rateUnit: schedule.chargingRateUnit,
    periods,
  };
}
