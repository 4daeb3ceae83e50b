import { latestLive } from '#shared/domain/commands/charger-messages.ts';
import { idlePowerW } from '#shared/domain/charging/idle.ts';
import type { MeterSample } from '#shared/domain/charging/meter-sample.ts';
import { roundedWh } from '#shared/domain/charging/register-count.ts';
import { registerOrigin } from '#shared/domain/charging/register-origin.ts';
import type { CountedEnergy, LiveValues, MeterReport } from '#shared/domain/charging/session.ts';
import {
  addReading,
  countOf,
  energySoFar,
  firstRegisterWh,
  inUnit,
  type MeterFrame,
  type MeterReading,
  type SessionMeter,
} from '#shared/domain/charging/session-meter.ts';
import type { LiveRecord } from '#shared/postgres/charging/session-writes/live-values.ts';
import type { RunningSession } from '#shared/postgres/charging/running-sessions.statements.ts';
import type { Context } from './context.ts';

/** Flag of a reading without a unit that was read in the unit of the readings before. */
const unitAssumed = 'unit-assumed';

/** Adds readings to the meter of their session, and records its newest live values. */
export function noteLive(context: Context<'live'>, session: RunningSession, report: MeterReport): void {
  const before = session.meter;
  for (const sample of inOrder(report.samples)) addSample(session, sample);
  const live = latestLive(report);
  if (live === null) return;
  const known = context.stores.live.get(session.uuid);
  if (known !== undefined && known.time > live.time) return;
  const powerW = powerOf(session, report, live);
  const charging = chargesNow(session, live, powerW, before) ?? known;
  context.stores.live.set(session.uuid, {
    sessionUuid: session.uuid,
    energyWh: energySoFar(session.meter, session) ?? 0,
    meter: session.meter,
    meterStartWh: session.startWh === null ? firstRegisterWh(session.meter) : null,
    powerW: powerW ?? known?.powerW ?? null,
    peakPowerW:
      powerW === null ? (known?.peakPowerW ?? null) : highestPower(report.samples, known?.peakPowerW ?? null),
    socPercent: live.socPercent ?? known?.socPercent ?? null,
    isCharging: charging?.isCharging ?? null,
    isChargingSince: charging?.isChargingSince ?? null,
    time: live.time,
  });
}

/** Adds a reading to the meter, after it has got the unit that its register had before. */
function addSample(session: RunningSession, sample: MeterSample): void {
  const said = readingOf(sample);
  const reading = inUnit(session.meter, said, session);
  if (reading !== said) {
    sample.energyWh = reading.value;
    sample.flags.push(unitAssumed);
  }
  session.meter = addReading(session.meter, reading, session);
}

function readingOf(sample: MeterSample): MeterReading {
  const { energyKind } = sample;
  return {
    atMs: sample.time.getTime(),
    origin: registerOrigin(sample.isNamed, sample.energyLocation, energyKind),
    value: energyKind === 'power' ? sample.powerW : (sample.energyWh ?? sample.intervalWh),
    scale: sample.energyScale,
    isSetAside: sample.isEnergySetAside,
  };
}

/** Returns the power of readings; null where it is not measured, or readings that name the transaction have it. */
function powerOf(session: RunningSession, report: MeterReport, { powerW }: LiveValues): number | null {
  if (powerW === null) return null;
  // The readings of a report name the transaction, or none does.
  const isNamed = report.samples[0]?.isNamed === true;
  if (isNamed) session.hasNamedPower = true;
  return isNamed || !session.hasNamedPower ? powerW : null;
}

function inOrder(samples: readonly MeterSample[]): readonly MeterSample[] {
  return samples.length === 1 ? samples : samples.toSorted((a, b) => a.time.getTime() - b.time.getTime());
}

function highestPower(samples: readonly MeterSample[], before: number | null): number | null {
  let highest = before;
  for (const { powerW } of samples) {
    if (powerW !== null && (highest === null || powerW > highest)) highest = powerW;
  }
  return highest;
}

/** Returns the energy of readings with the time of the last one; null: none was read. */
function countedEnergy(meter: SessionMeter, frame: MeterFrame): CountedEnergy | null {
  const count = countOf(meter);
  return count === null ? null : { energyWh: energySoFar(meter, frame) ?? 0, atMs: count.last.atMs };
}

type Charging = Pick<LiveRecord, 'isCharging' | 'isChargingSince'>;

/**
 * Returns true when a session charges, by its power or, without power, by the rise of its register; null when unknown.
 */
function chargesNow(
  session: RunningSession,
  live: LiveValues,
  powerW: number | null,
  before: SessionMeter,
): Charging | null {
  if (powerW !== null) return chargesByPower(session, live, powerW);
  const from = countedEnergy(before, session) ?? atStart(session);
  const now = countedEnergy(session.meter, session);
  if (from === null || now === null || now.atMs <= from.atMs) return null;
  return { isCharging: averageW(from, now) >= idlePowerW, isChargingSince: new Date(from.atMs) };
}

/** The register of the start is the first reading. */
function atStart({ startWh, startedAt }: RunningSession): CountedEnergy | null {
  return startWh === null ? null : { energyWh: 0, atMs: startedAt.getTime() };
}

/**
 * Returns true when a session charges by its power. Zero power counts as a faulty measurement while the register
 * alongside it rises by more than `roundedWh`, one step of the register (always 0, reversed meter, or kW sent as W).
 */
function chargesByPower(session: RunningSession, live: LiveValues, powerW: number): Charging {
  const hasPower = powerW >= idlePowerW;
  if (hasPower) session.powerless = null;
  if (hasPower || live.energyRegisterWh === null) return { isCharging: hasPower, isChargingSince: live.time };
  const since = session.powerless;
  const now = { energyWh: energySoFar(session.meter, session) ?? 0, atMs: live.time.getTime() };
  const isWrong =
    since !== null && now.energyWh - since.energyWh > roundedWh && averageW(since, now) >= idlePowerW;
  if (since === null || isWrong) session.powerless = now;
  return { isCharging: isWrong, isChargingSince: isWrong ? new Date(since.atMs) : live.time };
}

function averageW(from: CountedEnergy, to: CountedEnergy): number {
  return (to.energyWh - from.energyWh) / ((to.atMs - from.atMs) / 3_600_000);
}
