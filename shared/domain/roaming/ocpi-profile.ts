/**
 * Charging profile in effect for a session, as its charger computes it, in OCPI's names (2.2.1 §14.6.1,
 * ActiveChargingProfile).
 */
export interface ActiveChargingProfile {
  start_date_time: string;
  charging_profile: OcpiChargingProfile;
}

/** §14.6.3, ChargingProfile. */
interface OcpiChargingProfile {
  start_date_time?: string;
  /** Seconds. */
  duration?: number;
  charging_rate_unit: 'W' | 'A';
  min_charging_rate?: number;
  charging_profile_period: { start_period: number; limit: number }[];
}
