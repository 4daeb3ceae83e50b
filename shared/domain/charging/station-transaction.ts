/** Limits of a transaction at a station (TransactionLimitType of OCPP 2.1). Absent: none. */
export interface StationLimits {
  /** With VAT, in the major unit of the session's currency. */
  maxCost?: number;
  /** Wh. */
  maxEnergy?: number;
  /** Seconds since the start of the transaction. */
  maxTime?: number;
  /** Percent. */
  maxSoC?: number;
}

/** The limits, as a station lists those that it supports (TxCtrlr.SupportedLimits). */
export const stationLimitNames = ['maxCost', 'maxEnergy', 'maxTime', 'maxSoC'] as const;
export type StationLimitName = (typeof stationLimitNames)[number];

/** Limits of a transaction, and what the station knows of them. */
export interface LimitState {
  /** Limits that we want to apply. */
  wanted: StationLimits;
  /** Value of TxCtrlr.SupportedLimits. Null: not reported. */
  supported: string | null;
  sent: StationLimits;
  reported: StationLimits;
}

/** Values that no transaction reaches: a limit is changed and never unset (E16.FR.17). */
const unlimited: Required<StationLimits> = {
  maxCost: 1_000_000_000,
  maxEnergy: 1_000_000_000,
  maxTime: 2_147_483_647,
  maxSoC: 100,
};

/** Returns true for the value that a removed limit is raised to. */
export const isUnlimited = (name: StationLimitName, value: number): boolean =>
  value === unlimited[name] && name !== 'maxSoC';

/** Returns the limits that a station supports. It is sent no others (E16.FR.12). */
export function supportedLimits(supported: string | null): readonly StationLimitName[] {
  const listed = (supported ?? '').split(',').map((name) => name.trim().toLowerCase());
  return stationLimitNames.filter((name) => listed.includes(name.toLowerCase()));
}

/**
 * Returns the limits to send with the next answer, or null for none. Each change is sent once (E16.FR.02), and again on a new
 * connection where the station has not confirmed it. A lower limit of the station's own stands (E16.FR.08).
 */
export function limitsToSend(
  { wanted, supported, sent, reported }: LimitState,
  isNewConnection: boolean,
): StationLimits | null {
  const due: StationLimits = {};
  for (const name of supportedLimits(supported)) {
    const known = sent[name];
    const value = wanted[name] ?? (known === undefined ? undefined : unlimited[name]);
    if (value === undefined) continue;
    const own = reported[name] === known ? undefined : reported[name];
    if (own !== undefined && own <= value) continue;
    const isUnconfirmed = isNewConnection && reported[name] === undefined;
    const isExceeded = own !== undefined && own > value;
    if (known !== value || isUnconfirmed || isExceeded) due[name] = value;
  }
  return Object.keys(due).length === 0 ? null : due;
}

/** Cost that a station calculated (CostDetailsType of OCPP 2.1). */
export interface StationCost {
  currency: string;
  /** In the major unit; null: not stated. */
  totalExclVat: number | null;
  totalInclVat: number | null;
  /** Reason why the station could not calculate the cost; null: it could. */
  failure: string | null;
  /** CostDetailsType as received. */
  details: unknown;
}

/** Parts of a transaction event that only stations of 2.1 send. */
export interface StationReport {
  limits: StationLimits | null;
  /** Limit that ended the energy transfer. */
  reached: StationLimitName | null;
  tariffId: string | null;
  cost: StationCost | null;
  /** True when the transaction goes on after a reset of the station, which has lost its profiles (E17). */
  isResumed: boolean;
}

/** Flag of a session whose station calculated another cost than ours: an operator decides, and ours is billed. */
export const stationCostDiffers = 'station-cost-differs';
