import { burstMs, maxPowerOf, plausibleRiseWh } from './plausibility.ts';
import {
  beginCount,
  countReading,
  inEarlierUnit,
  type RegisterCount,
  type RegisterReading,
  roundedWh,
  showsReset,
  stepOf,
  type UnitReading,
} from './register-count.ts';
import { round } from './meter-units.ts';
import { firstOrigin, kindOf, type RegisterKind, type RegisterOrigin } from './register-origin.ts';

/**
 * Model of a session's meter: what its readings say about its energy. Live values, limits, idle detection, the stop, the price, the
 * chart and the review use it. The gateway adds reading by reading and the pricer all stored readings, with equal results.
 * Plain data, kept with its session.
 */
export interface SessionMeter {
  /** Registers by origin. Only the one with the highest precedence counts. */
  registers: Readonly<Record<RegisterOrigin, RegisterCount>>;
  /** An energy value was set aside, because it could not be read. */
  hasSetAside?: true;
}

/** Facts of a session by which its readings are judged. */
export interface MeterFrame {
  startedAt: Date;
  /** Register in Wh that the start reported; null: none. */
  startWh: number | null;
  /** Rating of the connector in W; null: not known. */
  ratedPowerW: number | null;
}

/** Energy of one reading. Null: not measured. */
export interface MeterReading {
  atMs: number;
  origin: RegisterOrigin;
  /** Value of a register in Wh, of an interval in Wh, or of power in W, as `origin` says. */
  value: number | null;
  /** Wh in the unit that the charger sent; null: it sent none. */
  scale: number | null;
  isSetAside: boolean;
}

/** End of a session. */
export interface MeterEnd {
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
export type EnergyDoubt = (typeof energyDoubts)[number];

/** Flag of a session in which a register fell. */
export const registerFell = 'register-fell';

/** Flag of a session in which the register was reset: its energy was counted from reading to reading. */
export const meterReset = 'meter-reset';

/** Flags of a session by its registers. */
export const meterFlags = [
  ...energyDoubts,
  registerFell,
  meterReset,
  'meter-stop-missing',
  'meter-backwards',
] as const;
export type MeterFlag = (typeof meterFlags)[number];

/** Energy of a session in Wh with its flags. */
export interface MeteredEnergy {
  energyWh: number;
  flags: MeterFlag[];
}

/** Meter of a session without readings. */
export const noReadings: SessionMeter = { registers: {} };

/** Maximum number of registers of a session: a charger has a few. */
const maxRegisters = 8;

/** Adds a reading. One that is older than the last of its register changes no register. */
export function addReading(meter: SessionMeter, reading: MeterReading, frame: MeterFrame): SessionMeter {
  const { origin, atMs, value, scale } = reading;
  const marked =
    reading.isSetAside && meter.hasSetAside !== true ? { ...meter, hasSetAside: true as const } : meter;
  if (value === null) return marked;
  const kind = kindOf(origin);
  // Power counts where nothing else was measured.
  if (kind === 'power' && hasRegister(meter)) return marked;
  const known = marked.registers[origin];
  if (known === undefined && isStart(reading, frame)) return marked;
  if (known === undefined && Object.keys(meter.registers).length >= maxRegisters) return marked;
  const counted =
    known === undefined
      ? begun(kind, { value, atMs, scale }, frame)
      : countReading(known, kind, { value, atMs }, maxPowerOf(frame.ratedPowerW));
  const isScaled = scale !== null && counted.scale !== scale;
  if (counted === known && !isScaled) return marked;
  // The readings before had no unit: they may have been in this one, unless they continue the start.
  const isUncertain =
    isScaled && scale !== 1 && known !== undefined && known.scale === undefined && known.hasStart !== true;
  const scaled = isScaled
    ? { ...counted, scale, ...(isUncertain && { isUncertain: true as const }) }
    : counted;
  return { ...marked, registers: { ...marked.registers, [origin]: scaled } };
}

/** Returns true for the register of the start itself: it is of no use by itself, and others may follow it. */
function isStart({ atMs, value }: MeterReading, { startedAt, startWh }: MeterFrame): boolean {
  return startWh !== null && value === startWh && atMs <= startedAt.getTime();
}

/** Begins to count a register: from the start where it continues that, else from its first reading. */
function begun(kind: RegisterKind, reading: UnitReading, frame: MeterFrame): RegisterCount {
  const { startWh, startedAt, ratedPowerW } = frame;
  if (!isRegister(kind) || startWh === null || beganWhOf(kind, reading, frame) === null) {
    return beginCount(kind, reading);
  }
  const start = beginCount(kind, { value: startWh, atMs: startedAt.getTime(), scale: null });
  return countReading({ ...start, hasStart: true }, kind, reading, maxPowerOf(ratedPowerW));
}

function hasRegister({ registers }: SessionMeter): boolean {
  const origin = firstOrigin(registers);
  return origin !== null && kindOf(origin) !== 'power';
}

/** Wh in the unit that a register may have where the start tells Wh and its readings no unit. */
const kilowattHour = 1000;

/**
 * Returns a reading without a unit in the unit that its register had earlier in the session, or in kWh where the register of the
 * start tells it, if Wh would make it fall.
 */
export function inUnit(meter: SessionMeter, reading: MeterReading, frame: MeterFrame): MeterReading {
  const { origin, value, scale, atMs } = reading;
  if (value === null || scale !== null || !isRegister(kindOf(origin))) return reading;
  const known = meter.registers[origin];
  const { startWh, startedAt } = frame;
  const atStart = startWh === null ? null : { value: startWh, atMs: startedAt.getTime() };
  const last = known?.last ?? atStart;
  const earlier = known === undefined ? kilowattHour : known.scale;
  if (last === null || earlier === undefined) return reading;
  const inOther = inEarlierUnit(last, earlier, { value, scale, atMs }, maxPowerOf(frame.ratedPowerW));
  return inOther.value === value ? reading : { ...reading, ...inOther };
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
 * Returns the energy in Wh from the register of the start to the first reading of a register; null: it does not continue the register
 * of the start.
 */
function beganWhOf(
  kind: RegisterKind,
  { value, atMs }: RegisterReading,
  { startedAt, startWh, ratedPowerW }: MeterFrame,
): number | null {
  const ms = Math.max(0, atMs - startedAt.getTime());
  if (kind === 'power') return (Math.max(0, value) * ms) / 3_600_000;
  if (kind === 'interval' || startWh === null) return 0;
  const riseWh = value - startWh;
  const plausibleWh = plausibleRiseWh(ms, maxPowerOf(ratedPowerW));
  const burstWh = plausibleRiseWh(Math.max(ms, burstMs), maxPowerOf(ratedPowerW));
  if (riseWh >= -roundedWh && riseWh <= burstWh) return Math.max(0, riseWh);
  // A register that fell to r has counted at least r.
  return riseWh < 0 && value <= plausibleWh ? value : null;
}

/** Returns the energy in Wh that the readings so far show; null: none was measured. */
export function energySoFar(meter: SessionMeter, frame: MeterFrame): number | null {
  const origin = firstOrigin(meter.registers);
  const count = meter.registers[origin ?? ''];
  if (origin === null || count === undefined) return null;
  return round((beganWhOf(kindOf(origin), count.first, frame) ?? 0) + count.energyWh);
}

/** Returns the first value in Wh of the register that counts: the start of a session that reported none. Null: there is none. */
export function firstRegisterWh({ registers }: SessionMeter): number | null {
  const origin = firstOrigin(registers);
  return origin !== null && isRegister(kindOf(origin)) ? (registers[origin]?.first.value ?? null) : null;
}

/** Returns the count of the register that counts; null: nothing was measured. */
export function countOf({ registers }: SessionMeter): RegisterCount | null {
  return registers[firstOrigin(registers) ?? ''] ?? null;
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
  const energy = judged(found, frame, end);
  const flags = new Set<MeterFlag>(energy.flags);
  if (found !== null && (found.fellAtStart || (found.count.falls ?? 0) > 0)) flags.add(registerFell);
  const isFromReadings = frame.startWh === null || end.registerWh === null;
  if (isFromReadings && meter.hasSetAside === true) flags.add('energy-values-set-aside');
  return { energyWh: round(energy.energyWh), flags: [...flags] };
}

function judged(found: CountingRegister | null, frame: MeterFrame, end: MeterEnd): MeteredEnergy {
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

const isRegister = (kind: RegisterKind) => kind === 'import' || kind === 'net';

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
