import { type Static, Type } from 'typebox';
import { rateUnits } from '#shared/domain/charging/charging-profile.ts';
import type { SessionProfile } from '#shared/domain/roaming/ocpi-command.ts';
import { ResponseUrl } from './command.ts';
import { OcpiDateTime, ocpiTime } from '#api/services/roaming/wire/date-time.ts';

const maxSeconds = 31 * 24 * 60 * 60;
const Seconds = Type.Integer({ minimum: 0, maximum: maxSeconds });
const Limit = Type.Number({ minimum: 0, maximum: 10_000_000, description: 'In the unit, to a tenth' });

/** Charging limits of a session over time (OCPI 2.2.1 §14.6.3, ChargingProfile). */
const ChargingProfile = Type.Object({
  start_date_time: Type.Optional(OcpiDateTime('without it the profile begins with the session')),
  duration: Type.Optional(Type.Integer({ minimum: 1, maximum: maxSeconds, description: 'Seconds' })),
  charging_rate_unit: Type.Unsafe<(typeof rateUnits)[number]>({ type: 'string', enum: [...rateUnits] }),
  min_charging_rate: Type.Optional(Limit),
  charging_profile_period: Type.Array(Type.Object({ start_period: Seconds, limit: Limit }), {
    minItems: 1,
    maxItems: 1000,
    description: '1 to 1000 periods',
  }),
});

/** §14.5.5, SetChargingProfile. */
export const SetChargingProfile = Type.Object({
  charging_profile: ChargingProfile,
  response_url: ResponseUrl,
});

/**
 * A profile as its partner sent it.
 * @throws {DomainError} VALIDATION_FAILED (2001) for a time that is in no calendar.
 */
export function sessionProfile(sent: Static<typeof ChargingProfile>): SessionProfile {
  const { start_date_time: start } = sent;
  return {
    startsAt: start === undefined ? null : ocpiTime('start_date_time', start).toISOString(),
    durationSeconds: sent.duration ?? null,
    rateUnit: sent.charging_rate_unit,
    minChargingRate: sent.min_charging_rate ?? null,
    periods: sent.charging_profile_period.map(({ start_period: startSeconds, limit }) => ({
      startSeconds,
      limit,
      phases: null,
    })),
  };
}
