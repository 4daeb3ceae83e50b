import { idlePeriodsUntil, idleSeconds, type IdleTime } from '#shared/domain/charging/idle.ts';
import {
  type ConnectorPower,
  durationImplausible,
  energyImplausible,
  isEnergyPlausible,
  longestSeconds,
  plausibleEnergyWh,
} from '#shared/domain/charging/plausibility.ts';
import type { ReservedTime } from '#shared/domain/charging/reservation.ts';
import { approved, meterStartMissing } from '#shared/domain/charging/session.ts';
import {
  energyDoubts,
  energyEstimated,
  finalEnergy,
  meterFlags,
} from '#shared/domain/charging/final-energy.ts';
import { type MeterFrame, type SessionMeter } from '#shared/domain/charging/session-meter.ts';
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

/** Flag of a session without a price: no tariff was assigned to where it charged. */
export const noTariff = 'no-tariff';

/** Flags that settling a session replaces. Those of its price are added by `withPriceFlags`. */
export const settledFlags: ReadonlySet<string> = new Set([
  meterStartMissing,
  ...meterFlags,
  energyImplausible,
  durationImplausible,
  noTariff,
  approved,
  ...signatureFlagNames,
]);

const doubts: ReadonlySet<string> = new Set(energyDoubts);

/** Session that has ended and is not settled yet. */
export interface SessionToSettle
  extends IdleTime, ReservedTime, ConnectorPower, JudgedSignatures, MeterFrame {
  /** Energy so far. */
  energyWh: number;
  meter: SessionMeter;
  /** The start was not received: the session began with a later message. */
  isStartMissing: boolean;
  tariff: Tariff | null;
  /** The token that it began with was not accepted. */
  isRefused: boolean;
}

/** End of a session. */
interface SessionEnd {
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
 * Returns the final energy and price of a session, the price where it needs no readings. What makes the energy doubtful is flagged,
 * and its price is reviewed (`price-state.ts`): registers and readings (`session-meter.ts`), energy that does not fit power and time,
 * a session that lasted too long.
 */
export function settleSession(session: SessionToSettle, { endedAt, meterEndWh }: SessionEnd): SessionResult {
  const end = { atMs: endedAt.getTime(), registerWh: meterEndWh };
  const { energyWh, flags } = finalEnergy(session.meter, session, end);
  const found: string[] = [...flags];
  if (session.startWh === null) found.push(meterStartMissing);
  if (session.isStartMissing) found.push(energyEstimated);
  return settleEnergy(session, endedAt, energyWh, found);
}

/** Returns the price of a session with this energy. `flags`: what its readings showed. */
export function settleEnergy(
  session: SessionToSettle,
  endedAt: Date,
  energyWh: number,
  flags: readonly string[] = [],
): SessionResult {
  const { ratedPowerW, peakPowerW } = session;
  const idle = idleSeconds(idlePeriodsUntil(session, endedAt));
  const durationSeconds = Math.max(0, (endedAt.getTime() - session.startedAt.getTime()) / 1000);
  const usage = usageUntil({ ...session, energyWh }, endedAt);
  // A charger begins before it asks and ends when we refuse: to be refused costs nothing, not even a fee for the start.
  const isFree = session.isRefused && energyWh === 0;
  const tariff = isFree ? withoutPrices(session.tariff) : session.tariff;
  const { plausibleCostMinor } = plausibleMaximum({ ...session, tariff }, endedAt);
  const { cost, needsReadings, flag } = priceOf(tariff, usage);
  // Where nothing can be owed, the energy needs no review.
  const found = plausibleCostMinor === 0n ? flags.filter((name) => !doubts.has(name)) : [...flags];
  if (flag !== null) found.push(flag);
  if (!isEnergyPlausible({ energyWh, durationSeconds, idleSeconds: idle, ratedPowerW, peakPowerW })) {
    found.push(energyImplausible);
  }
  if (durationSeconds > longestSeconds) found.push(durationImplausible);
  found.push(...signatureFlags(session, energyWh));
  return { energyWh, cost, needsReadings, flags: [...new Set(found)], plausibleCostMinor };
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
