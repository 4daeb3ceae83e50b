import { type Static, Type } from 'typebox';
import { sessionFields } from '#api/routes/ocpi/standard/session.ts';
import { DateTime, Decimal, Flag, Integer, Named } from '#api/routes/schema.ts';
import { hours } from '#api/services/roaming/wire/numbers.ts';
import { type PartnerSessionReading, sessionObject } from '#api/services/roaming/wire/v221/session.ts';

/** Session of the documented surface: the session of the standard with fields for drivers. */
export const Session = Named('OcpiSession', {
  ...sessionFields,
  total_time: Decimal('Duration in hours, until now while the session is running.'),
  total_parking_time: Decimal('Time without charging in hours, a part of `total_time`.'),
  max_cost: Type.Optional(Decimal('Cost with VAT at which the session is stopped.')),
  max_power: Type.Optional(Decimal('Highest measured power in kW.')),
  current_power: Type.Optional(Decimal('Current power in kW.')),
  idle_fees: Decimal('Part of the total cost, with VAT.'),
  idle_rate_per_minute: Type.Optional(Decimal('Price per minute without VAT.')),
  max_duration: Type.Optional(Integer('Duration in minutes after which the session is stopped.')),
  grace_period_minutes: Type.Optional(Integer('Free idle time in minutes.')),
  is_in_idle_state: Flag('True while the session occupies the connector without charging.'),
  idle_start_time_utc: Type.Optional(DateTime('Start of the idle period.')),
  grace_period_end_time_utc: Type.Optional(DateTime('Time from which the idle period costs.')),
  charging_ended_at: Type.Optional(DateTime('Time charging ended. Absent while the session is charging.')),
});

/** Converts a session for the documented surface. */
export function sessionView(reading: PartnerSessionReading): Static<typeof Session> {
  const { session, idle, limits, cost, durationSeconds } = reading;
  const { tariff, powerW, peakPowerW, idleStartedAt } = session;
  const fee = tariff?.idle;
  return {
    ...sessionObject(reading),
    total_time: hours(durationSeconds),
    total_parking_time: hours(idle.idleSeconds),
    ...(limits.maxCost !== null && { max_cost: limits.maxCost }),
    ...(peakPowerW !== null && { max_power: peakPowerW / 1000 }),
    ...(powerW !== null && { current_power: powerW / 1000 }),
    idle_fees: cost?.idleFee ?? 0,
    ...(fee !== undefined && {
      idle_rate_per_minute: Number(fee.price_per_minute),
      grace_period_minutes: fee.grace_minutes,
    }),
    ...(limits.maxDurationMinutes !== null && { max_duration: Math.ceil(limits.maxDurationMinutes) }),
    is_in_idle_state: idle.isIdle,
    ...(idleStartedAt !== null && { idle_start_time_utc: idleStartedAt.toISOString() }),
    ...(idle.gracePeriodEndsAt !== null && {
      grace_period_end_time_utc: idle.gracePeriodEndsAt.toISOString(),
    }),
    ...(idle.chargingEndedAt !== null && { charging_ended_at: idle.chargingEndedAt.toISOString() }),
  };
}
