import { round } from './meter-units.ts';
import { burstMs, maxPowerOf, plausibleRiseWh } from './plausibility.ts';
import { countReading, type RegisterCount, roundedWh, showsReset, stepOf } from './register-count.ts';
import { firstOrigin, isRegister, kindOf, type RegisterKind } from './register-origin.ts';
import { beganWhOf, type MeterFrame, type SessionMeter } from './session-meter.ts';

/** End of a session. */
interface MeterEnd {
  atMs: number;
  /** Register in Wh of the stop; null: none. */
  registerWh: number | null;
}

/** Flag of energy that may be more or less than what was charged, since readings are missing. */
export const energyEstimated = 'energy-estimated';

/** Reasons why the energy of a session may be wrong, which are flags of the session and cause a review. */
export const energyDoubts = [
  'energy-unmeasured',
  'energy-from-power',
  energyEstimated,
  'energy-values-set-aside',
  'register-differs',
] as const;

/** Flag of a session in which a register fell. */
const registerFell = 'register-fell';

/** Flag of a session in which the register was reset: its energy was counted from reading to reading. */
const meterReset = 'meter-reset';

/** Flags of a session by its registers. */
export const meterFlags = [
  ...energyDoubts,
  registerFell,
  meterReset,
  'meter-stop-missing',
  'meter-backwards',
] as const;
type MeterFlag = (typeof meterFlags)[number];

/** Energy of a session in Wh with its flags. */
export interface MeteredEnergy {
  energyWh: number;
  flags: MeterFlag[];
}

/** Register that counts, with the energy from the start of the session to its first reading. */
interface CountingRegister {
  kind: RegisterKind;
  count: RegisterCount;
  beganWh: number;
  /** The register of the start continues in it; true where the start reported none. */
  isOwn: boolean;
  /** True for a register that was reset between the start and its first reading. */
  fellAtStart: boolean;
}

/** Returns the register of the highest precedence; null: nothing was measured. */
function countingRegister(meter: SessionMeter, frame: MeterFrame): CountingRegister | null {
  const origin = firstOrigin(meter.registers);
  const count = meter.registers[origin ?? ''];
  if (origin === null || count === undefined) return null;
  const kind = kindOf(origin);
  const beganWh = beganWhOf(kind, count.first, frame);
  const fellAtStart =
    isRegister(kind) &&
    beganWh !== null &&
    frame.startWh !== null &&
    count.first.value < frame.startWh - roundedWh;
  return { kind, count, beganWh: beganWh ?? 0, isOwn: beganWh !== null, fellAtStart };
}

/**
 * Returns true when the register of a session can have reached that of a stop: no less than its last reading, and no more than the
 * connector delivers since. A stop without a register can belong to any session.
 */
export function canReach(meter: SessionMeter, frame: MeterFrame, { atMs, registerWh }: MeterEnd): boolean {
  if (registerWh === null) return true;
  const found = countingRegister(meter, frame);
  const isComparable = found !== null && isRegister(found.kind) && found.isOwn;
  const atStart = frame.startWh === null ? null : { value: frame.startWh, atMs: frame.startedAt.getTime() };
  const last = isComparable ? found.count.last : atStart;
  if (last === null) return true;
  const riseWh = registerWh - last.value;
  const plausibleWh = plausibleRiseWh(atMs - last.atMs, maxPowerOf(frame.ratedPowerW));
  return riseWh >= -roundedWh && riseWh <= plausibleWh;
}

function energyOf({ beganWh, count }: CountingRegister): number {
  return round(beganWh + count.energyWh);
}

/**
 * Returns the energy of a session that ended. The stop decides where its register can belong to the session: neither a reading nor an
 * earlier end bounds it. Without it the readings count. What may be wrong by more than one step between two readings is flagged with
 * an `EnergyDoubt`.
 */
export function finalEnergy(meter: SessionMeter, frame: MeterFrame, end: MeterEnd): MeteredEnergy {
  const found = countingRegister(meter, frame);
  const energy = judge(found, frame, end);
  const flags = new Set<MeterFlag>(energy.flags);
  if (found !== null && (found.fellAtStart || (found.count.falls ?? 0) > 0)) flags.add(registerFell);
  const isFromReadings = frame.startWh === null || end.registerWh === null;
  if (isFromReadings && meter.hasSetAside === true) flags.add('energy-values-set-aside');
  return { energyWh: round(energy.energyWh), flags: [...flags] };
}

function judge(found: CountingRegister | null, frame: MeterFrame, end: MeterEnd): MeteredEnergy {
  // A meter that could not be read is 0 at both ends: then the readings tell more.
  const isUnread =
    end.registerWh === 0 &&
    frame.startWh === 0 &&
    found !== null &&
    (found.kind === 'power' || found.count.last.value <= roundedWh);
  const registerWh = isUnread ? null : end.registerWh;
  if (registerWh === null) {
    const { energyWh, flags } = ofReadings(found, frame, end);
    if (!isUnread) flags.push('meter-stop-missing');
    return { energyWh, flags };
  }
  if (found === null || !isRegister(found.kind) || !found.isOwn) {
    return ofStop(found, registerWh, frame, end);
  }
  return ofStopAndReadings(found, registerWh, frame, end);
}

/** Energy of a session whose readings are of the register of its stop. */
function ofStopAndReadings(
  found: CountingRegister,
  registerWh: number,
  frame: MeterFrame,
  { atMs }: MeterEnd,
): MeteredEnergy {
  const { count, kind } = found;
  const maxPowerW = maxPowerOf(frame.ratedPowerW);
  const stopped = { ...found, count: countReading(count, kind, { value: registerWh, atMs }, maxPowerW) };
  const riseWh = registerWh - count.last.value;
  const tailWh = plausibleRiseWh(atMs - count.last.atMs, maxPowerW);
  const isFallWrong = count.fall !== null && stopped.count.fall === null && !showsReset(stopped.count);
  const burstWh = plausibleRiseWh(Math.max(atMs - count.last.atMs, burstMs), maxPowerW);
  const isReachable = isFallWrong || (riseWh >= -roundedWh && riseWh <= burstWh);
  const differenceWh = frame.startWh === null ? -1 : registerWh - frame.startWh;
  const readWh = energyOf(found);
  // A stop can show that a fall before it was one wrong reading; one that falls itself shows no reset yet.
  const fellAtStop = riseWh < -roundedWh;
  const wasReset = found.fellAtStart || showsReset(fellAtStop ? count : stopped.count);
  if (!wasReset && (differenceWh > 0 || (differenceWh === 0 && readWh <= roundedWh))) {
    return { energyWh: differenceWh, flags: isReachable ? [] : ['register-differs'] };
  }
  // Start and stop are of a register that was not reset, and agree with the readings.
  const isBeside = differenceWh >= readWh - roundedWh && differenceWh <= readWh + tailWh;
  if (wasReset && !isReachable && isBeside) return { energyWh: differenceWh, flags: [] };
  const { energyWh, flags } = ofReadings(stopped, frame, { atMs, registerWh }, stepOf(count));
  const isReset = wasReset || showsReset(stopped.count);
  if (isReset) flags.push(meterReset);
  if (!isReachable && !(isReset && fellAtStop && frame.startWh !== null)) flags.push('register-differs');
  return { energyWh, flags };
}

/** Energy of a session without readings of the register of its stop. */
function ofStop(
  found: CountingRegister | null,
  registerWh: number,
  frame: MeterFrame,
  end: MeterEnd,
): MeteredEnergy {
  if (frame.startWh === null) return ofReadings(found, frame, end);
  const differenceWh = registerWh - frame.startWh;
  const readWh = found === null ? 0 : energyOf(found);
  // Both ends equal, such as 0: the meter could not be read.
  if (differenceWh > 0 || (differenceWh === 0 && readWh <= roundedWh))
    return { energyWh: differenceWh, flags: [] };
  if (differenceWh === 0) return { energyWh: readWh, flags: ['register-differs'] };
  const plausibleWh = plausibleRiseWh(end.atMs - frame.startedAt.getTime(), maxPowerOf(frame.ratedPowerW));
  const sinceResetWh = registerWh <= plausibleWh ? registerWh : 0;
  return { energyWh: Math.max(readWh, sinceResetWh), flags: ['meter-backwards', energyEstimated] };
}

/** Returns true where the last reading before the end fell: nothing shows whether it was wrong. */
function isLastFall({ fall, last }: RegisterCount, tailMs: number): boolean {
  return tailMs > 0 && fall?.fellMs === last.atMs;
}

/** Energy that readings show until the end. `stepMs`: usual time between two of them. */
function ofReadings(
  found: CountingRegister | null,
  frame: MeterFrame,
  { atMs }: MeterEnd,
  stepMs?: number,
): MeteredEnergy {
  if (found === null) return { energyWh: 0, flags: ['energy-unmeasured'] };
  const { kind, count, isOwn } = found;
  const startedAtMs = frame.startedAt.getTime();
  const energyWh = energyOf(found);
  if (kind === 'power') return { energyWh, flags: ['energy-from-power'] };
  const knowsStart = kind === 'interval' || (frame.startWh !== null && isOwn);
  if (!knowsStart && count.readings === 1) return { energyWh, flags: ['energy-unmeasured'] };
  const headMs = knowsStart && kind !== 'interval' ? 0 : count.first.atMs - startedAtMs;
  const tailMs = Math.max(0, atMs - count.last.atMs);
  const unknownMs = kind === 'interval' ? Math.max(headMs, tailMs) : headMs + tailMs;
  const isEstimated =
    unknownMs > (stepMs ?? stepOf(count)) ||
    count.leftOut !== undefined ||
    count.isUncertain === true ||
    (count.fall !== null && (count.fall.isUncertain || isLastFall(count, tailMs))) ||
    (count.falls ?? 0) > 1;
  return { energyWh, flags: isEstimated ? [energyEstimated] : [] };
}
