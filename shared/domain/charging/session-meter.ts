import { burstMs, maxPowerOf, plausibleRiseWh } from './plausibility.ts';
import {
  beginCount,
  countReading,
  inEarlierUnit,
  type RegisterCount,
  type RegisterReading,
  roundedWh,
  type UnitReading,
} from './register-count.ts';
import { round } from './meter-units.ts';
import {
  firstOrigin,
  isRegister,
  kindOf,
  type RegisterKind,
  type RegisterOrigin,
} from './register-origin.ts';

/**
 * Model of a session's meter: what its readings say about its energy. Live values, limits, idle detection, the stop
 * (`final-energy.ts`), the price and the review use it. The gateway adds reading by reading and the pricer all stored readings, with equal results.
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
  const registers: Record<RegisterOrigin, RegisterCount> = { ...marked.registers };
  registers[origin] = scaled;
  return marked.hasSetAside === true ? { registers, hasSetAside: true } : { registers };
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

/**
 * Returns the energy in Wh from the register of the start to the first reading of a register; null: it does not continue the register
 * of the start.
 */
export function beganWhOf(
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
  const count = origin === null ? undefined : meter.registers[origin];
  if (origin === null || count === undefined) return null;
  return round((beganWhOf(kindOf(origin), count.first, frame) ?? 0) + count.energyWh);
}

/** Returns the first value in Wh of the register that counts: the start of a session without a reported start, or null. */
export function firstRegisterWh({ registers }: SessionMeter): number | null {
  const origin = firstOrigin(registers);
  return origin !== null && isRegister(kindOf(origin)) ? (registers[origin]?.first.value ?? null) : null;
}

/** Returns the count of the register that counts; null: nothing was measured. */
export function countOf({ registers }: SessionMeter): RegisterCount | null {
  const origin = firstOrigin(registers);
  return origin === null ? null : (registers[origin] ?? null);
}
