import type { CompositeSchedule } from '#shared/domain/charging/charging-profile.ts';
import type { ActiveChargingProfile } from '#shared/domain/roaming/ocpi-profile.ts';

/**
 * Converts a charger's schedule in effect to OCPI (2.2.1 §14.6.1). `askedAt`: the time of the request, for
 * chargers that report no time.
 */
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
