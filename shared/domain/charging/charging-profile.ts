/** Scope of a charging profile (1.6 §7.10, 2.0.1 K01): the charger, every session, one session, or each one that has priority (2.1 K21). */
export const profilePurposes = ['StationMax', 'TxDefault', 'Tx', 'PriorityCharging'] as const;
export type ProfilePurpose = (typeof profilePurposes)[number];

/** Dynamic: a single limit that changes while the profile applies (2.1 K28). */
export const profileKinds = ['Absolute', 'Recurring', 'Relative', 'Dynamic'] as const;
type ProfileKind = (typeof profileKinds)[number];

/** Profiles from this identifier on belong to load management, which sends them often. They are not stored. */
export const firstLoadProfileId = 2_000_000_000;

export const recurrencies = ['Daily', 'Weekly'] as const;
type Recurrency = (typeof recurrencies)[number];

/** Ampere for each phase, or watt in all. */
export const rateUnits = ['A', 'W'] as const;
export type RateUnit = (typeof rateUnits)[number];

/** From `startSeconds` after the start of its schedule on, until the next one. */
export interface SchedulePeriod {
  startSeconds: number;
  /** In the schedule's unit, to a tenth. */
  limit: number;
  /** Null: three (both versions' default). */
  phases: number | null;
}

/** Charging profile of either OCPP version: limits over time. */
export interface ChargingProfile {
  profileId: number;
  /** Priority among profiles of one purpose: the highest applies. */
  stackLevel: number;
  purpose: ProfilePurpose;
  kind: ProfileKind;
  /** Recurrence of a Recurring schedule. */
  recurrency: Recurrency | null;
  validFrom: Date | null;
  validTo: Date | null;
  /** Transaction of a Tx profile. */
  transactionId: string | null;
  /** Start of the schedule. Null: the start of the session (Relative), or at once. */
  startsAt: Date | null;
  durationSeconds: number | null;
  rateUnit: RateUnit;
  minChargingRate: number | null;
  /** Seconds after which the charger requests the limit of a Dynamic profile. Null: it waits for changes. */
  updateIntervalSeconds: number | null;
  periods: readonly SchedulePeriod[];
  /** Seconds without a connection after which the charger discards the profile (2.1 only). Undefined or null: it keeps it. */
  maxOfflineSeconds?: number | null;
}

/** Fields of a schedule period that may change in a Dynamic profile, in the unit of its schedule (2.1, ChargingScheduleUpdateType). */
export const dynamicLimitFields = [
  'limit',
  'limit_L2',
  'limit_L3',
  'dischargeLimit',
  'dischargeLimit_L2',
  'dischargeLimit_L3',
  'setpoint',
  'setpoint_L2',
  'setpoint_L3',
  'setpointReactive',
  'setpointReactive_L2',
  'setpointReactive_L3',
] as const;
export type DynamicLimit = Partial<Record<(typeof dynamicLimitFields)[number], number>>;

/** Returns the fields of a schedule period that may change in a Dynamic profile. */
export function dynamicLimitOf(period: object): DynamicLimit {
  const names: readonly string[] = dynamicLimitFields;
  return Object.fromEntries(Object.entries(period).filter(([name]) => names.includes(name)));
}

/** Limits in effect from `startsAt` on, which the charger computes from all its profiles. */
export interface CompositeSchedule {
  startsAt: string | null;
  durationSeconds: number | null;
  rateUnit: RateUnit;
  periods: SchedulePeriod[];
}

/** Criteria of the profiles to clear, which must match all of them. */
export interface ProfileCriteria {
  profileId: number | null;
  /** 0: the charger as a whole; null: wherever. */
  evse: number | null;
  purpose: ProfilePurpose | null;
  stackLevel: number | null;
}

/**
 * Returns the reason why a profile cannot be sent, as a sentence, or null. Checks the rules that both
 * versions add to the form of a schedule.
 * @param evse 0: the charger as a whole.
 */
export function profileProblem(profile: ChargingProfile, evse: number): string | null {
  const { purpose, kind, recurrency, startsAt, periods, validFrom, validTo, minChargingRate } = profile;
  if (profile.profileId >= firstLoadProfileId)
    return `identifiers from ${firstLoadProfileId} on belong to load management`;
  const dynamicProblem = problemOfDynamic(profile);
  if (dynamicProblem !== null) return dynamicProblem;
  if (purpose === 'StationMax' && evse !== 0) return 'StationMax limits the charger as a whole: connector 0';
  if (purpose === 'Tx' && evse === 0) return 'Tx limits a session, which is at a connector';
  if ((kind === 'Recurring') !== (recurrency !== null))
    return 'recurrency is of Recurring profiles, which need it';
  if (kind === 'Relative' && startsAt !== null)
    return 'a Relative schedule begins with its session: no startsAt';
  if (kind === 'Recurring' && startsAt === null) return 'a Recurring schedule needs startsAt';
  if (validFrom !== null && validTo !== null && validFrom >= validTo)
    return 'validFrom must be before validTo';
  if (periods[0]?.startSeconds !== 0) return 'the first period must start at 0';
  if (!periods.every(({ limit }) => isTenths(limit)) || !isTenths(minChargingRate ?? 0)) {
    return 'limits have one decimal at most';
  }
  const isRising = periods.every(
    ({ startSeconds }, i) => i === 0 || startSeconds > (periods[i - 1]?.startSeconds ?? 0),
  );
  return isRising ? null : 'each period must start after the one before';
}

/** Checks the rules for the limit of a Dynamic profile (2.1 K28.FR.03, .04). */
function problemOfDynamic({
  kind,
  startsAt,
  updateIntervalSeconds,
  periods,
}: ChargingProfile): string | null {
  if (kind !== 'Dynamic')
    return updateIntervalSeconds === null ? null : 'only Dynamic profiles have updateIntervalSeconds';
  if (startsAt !== null) return 'a Dynamic schedule begins at once: omit startsAt';
  return periods.length === 1 ? null : 'a Dynamic profile has one period';
}

/** Returns true for a limit in steps of 0.1, as all versions write limits; a double is hardly ever one exactly. */
export function isTenths(value: number): boolean {
  return Math.abs(value * 10 - Math.round(value * 10)) < 1e-6;
}
