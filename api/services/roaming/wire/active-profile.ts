import type { CompositeSchedule } from '#shared/domain/charging/charging-profile.ts';
import type { ActiveChargingProfile } from '#shared/domain/roaming/ocpi-profile.ts';

/** What a charger says applies, as OCPI has it (2.2.1 §14.6.1); `askedAt`: when, for chargers that tell no time. */
export function activeProfile(
  { startsAt, durationSeconds, rateUnit, periods }: CompositeSchedule,
  askedAt: Date,
): ActiveChargingProfile {
  const start = new Date(startsAt ?? askedAt).toISOString();
  return {
    start_date_time: start,
    charging_profile: {
      start_date_time: start,
      ...(durationSeconds !== null && { duration: durationSeconds }),
      charging_rate_unit: rateUnit,
      charging_profile_period: periods.map(({ startSeconds, limit }) => ({
        start_period: startSeconds,
        limit,
      })),
    },
  };
}
