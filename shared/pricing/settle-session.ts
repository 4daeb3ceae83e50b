import { idlePeriodsUntil, idleSeconds, type IdleTime } from '#shared/domain/charging/idle.ts';
import {
  type ConnectorPower,
  durationImplausible,
  energyImplausible,
  isEnergyPlausible,
  longestSeconds,
  plausibleEnergyWh,
} from '#shared/domain/charging/plausibility.ts';
import { countRegister, type RegisterCount, showsReset } from '#shared/domain/charging/register-count.ts';
import type { ReservedTime } from '#shared/domain/charging/reservation.ts';
import { approved, meterStartMissing, sessionEnergy } from '#shared/domain/charging/session.ts';
import {
  type JudgedSignatures,
  signatureFlagNames,
  signatureFlags,
} from '#shared/domain/charging/signed-meter-value.ts';
import type { Cost } from './cost.ts';
import { priceSession } from './price-session.ts';
import { needsReadings } from './rating.ts';
import { reservationUntil } from './reservation.ts';
import type { Tariff } from './tariff.ts';
import type { SessionUsage, UsageReading } from './usage.ts';

/** Flag of a session in which the register was reset: its energy was counted from reading to reading. */
const meterReset = 'meter-reset';

/** Flag of a session without a price: no tariff was assigned to where it charged. */
export const noTariff = 'no-tariff';

/** Flags that settling a session replaces. Those of its price are added by `withPriceFlags`. */
export const settledFlags: ReadonlySet<string> = new Set([
  meterStartMissing,
  'meter-stop-missing',
  'meter-backwards',
  meterReset,
  energyImplausible,
  durationImplausible,
  noTariff,
  approved,
  ...signatureFlagNames,
]);

/** Session that has ended and is not settled yet. */
export interface SessionToSettle extends IdleTime, ReservedTime, ConnectorPower, JudgedSignatures {
  startedAt: Date;
  /** Register in Wh; null when the start had none. */
  meterStartWh: number | null;
  /** Readings of the running session. */
  energyWh: number;
  registerCount: RegisterCount | null;
  tariff: Tariff | null;
  /** The token that it began with was not accepted. */
  isRefused: boolean;
}

/** End of a session. */
export interface SessionEnd {
  endedAt: Date;
  /** Register in Wh; null when unknown. */
  meterEndWh: number | null;
}

/** Final energy and price of a session. */
export interface SessionResult {
  energyWh: number;
  /** Null: no tariff was assigned, or the price needs readings. */
  cost: Cost | null;
  /** The price can only be made from readings. */
  needsReadings: boolean;
  flags: string[];
  /** Price of the highest plausible energy in the longest plausible time, with VAT; null: no tariff was assigned. */
  plausibleCostMinor: bigint | null;
}

/**
 * Returns the final energy and price of a session, the price where it needs no readings. Registers that cannot be subtracted are
 * flagged, and the energy of the readings while the session ran (`session.energyWh`) counts. Energy that does not fit power and
 * time, and a session that lasted too long, is flagged: its price is reviewed (`price-state.ts`).
 */
export function settleSession(session: SessionToSettle, end: SessionEnd): SessionResult {
  const { ratedPowerW, peakPowerW } = session;
  const idle = idleSeconds(idlePeriodsUntil(session, end.endedAt));
  const durationSeconds = Math.max(0, (end.endedAt.getTime() - session.startedAt.getTime()) / 1000);
  const isPlausible = (wh: number) =>
    isEnergyPlausible({ energyWh: wh, durationSeconds, idleSeconds: idle, ratedPowerW, peakPowerW });
  const measured = measuredEnergy(session, end, isPlausible);
  const energyWh = measured.energyWh ?? session.energyWh;
  const usage = usageUntil({ ...session, energyWh }, end.endedAt);
  // A charger begins before it asks and ends when we refuse: to be refused costs nothing, not even a fee for the start.
  const isFree = session.isRefused && energyWh === 0;
  const tariff = isFree ? withoutPrices(session.tariff) : session.tariff;
  const { cost, needsReadings, flag } = priceOf(tariff, usage);
  const flags = [measured.flag, flag].filter((found) => found !== null);
  if (!isPlausible(energyWh)) flags.push(energyImplausible);
  if (durationSeconds > longestSeconds) flags.push(durationImplausible);
  flags.push(...signatureFlags(session, energyWh));
  const { plausibleCostMinor } = plausibleMaximum({ ...session, tariff }, end.endedAt);
  return { energyWh, cost, needsReadings, flags, plausibleCostMinor };
}

/** The most that a session can have used and cost when it ended at `endedAt`. */
export interface PlausibleMaximum {
  energyWh: number;
  /** With VAT, energy taken to have flowed evenly; null: no tariff was assigned. */
  plausibleCostMinor: bigint | null;
}

/** Returns the highest plausible energy of a session, and what the longest plausible session with it costs. */
export function plausibleMaximum(session: SessionToSettle, endedAt: Date): PlausibleMaximum {
  const { startedAt, tariff } = session;
  const seconds = Math.max(0, (endedAt.getTime() - startedAt.getTime()) / 1000);
  const energyWh = plausibleEnergyWh(seconds, session);
  if (tariff === null) return { energyWh, plausibleCostMinor: null };
  const until = new Date(startedAt.getTime() + Math.min(seconds, longestSeconds) * 1000);
  const { totalInclVatMinor } = priceSession(tariff, usageUntil({ ...session, energyWh }, until));
  return { energyWh, plausibleCostMinor: totalInclVatMinor };
}

function withoutPrices(tariff: Tariff | null): Tariff | null {
  if (tariff === null) return null;
  const { uuid, name, currency } = tariff;
  return { uuid, name, currency, elements: [] };
}

function priceOf(
  tariff: Tariff | null,
  usage: SessionUsage,
): Pick<SessionResult, 'cost' | 'needsReadings'> & { flag: string | null } {
  if (tariff === null) return { cost: null, needsReadings: false, flag: noTariff };
  if (needsReadings(tariff, usage)) return { cost: null, needsReadings: true, flag: null };
  return { cost: priceSession(tariff, usage), needsReadings: false, flag: null };
}

/** Returns the usage of a session until `until`: its end, or now. */
export function usageUntil(
  session: IdleTime & ReservedTime & Pick<SessionToSettle, 'startedAt' | 'energyWh'>,
  until: Date,
  readings: readonly UsageReading[] = [],
): SessionUsage {
  const reservation = reservationUntil(session, until);
  return {
    startedAt: session.startedAt,
    endedAt: until < session.startedAt ? session.startedAt : until,
    energyWh: session.energyWh,
    idlePeriods: idlePeriodsUntil(session, until),
    readings,
    ...(reservation !== null && { reservation }),
  };
}

/**
 * Returns the difference of the registers, or the sum of the increments where the register was reset. A stop above the
 * start overrules a reading above it, which counts as wrong.
 */
function measuredEnergy(
  session: SessionToSettle,
  { meterEndWh, endedAt }: SessionEnd,
  isPlausible: (energyWh: number) => boolean,
): { energyWh: number | null; flag: string | null } {
  const { registerCount } = session;
  const measured = sessionEnergy(session.meterStartWh, meterEndWh);
  const hasRisen = measured.flag === null && measured.energyWh > 0;
  if (registerCount !== null && (showsReset(registerCount) || !hasRisen)) {
    const reading = meterEndWh === null ? null : { registerWh: meterEndWh, atMs: endedAt.getTime() };
    const counted = reading === null ? registerCount : countRegister(registerCount, reading);
    const energyWh = Math.max(counted.energyWh, session.energyWh);
    // When only the stop indicates a reset, the start may be invalid too, such as 0 at both ends.
    if (showsReset(counted) && (showsReset(registerCount) || isPlausible(energyWh))) {
      return { energyWh, flag: meterReset };
    }
  }
  return measured.flag === null ? measured : { energyWh: null, flag: measured.flag };
}
