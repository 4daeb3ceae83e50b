import {
  findOverride,
  type MeterOverride,
  type PhaseRule,
  type TransactionRegister,
} from '#shared/domain/fleet/meter-override.ts';

/** One sampled value as either OCPP version sends it, before it is put into a wide row. */
export interface SampledValue {
  /** As sent: a number, or text where it is signed data or no number. */
  value: number | string;
  measurand: string;
  unit: string | null;
  phase: string | null;
  location: string | null;
  context: string;
  /** The value is signed data of the meter: proof to be kept, not a number. */
  isSigned: boolean;
}

/**
 * One reading: the wide row that ClickHouse keeps. Wh, W, A, V, %, °C; null where the charger did not say.
 * What has no column of its own is kept in `extra`, as sent.
 */
export interface MeterSample {
  time: Date;
  receivedAt: Date;
  /** The time as the charger sent it, where `time` had to replace it; not stored. */
  saidTime: string | null;
  context: string;
  energyWh: number | null;
  powerW: number | null;
  currentA: number | null;
  voltageV: number | null;
  socPercent: number | null;
  temperatureC: number | null;
  extra: Readonly<Record<string, string>>;
  flags: string[];
}

/** Readings of one instant that price a session. Null: not measured. */
export interface MeterPoint {
  atMs: number;
  registerWh: number | null;
  /** A, summed over the phases. */
  currentA: number | null;
}

type Column = 'energyWh' | 'powerW' | 'currentA' | 'voltageV' | 'socPercent' | 'temperatureC';

interface ColumnRule {
  column: Column;
  /** Combines values given per phase into one. */
  combine: PhaseRule;
  units: ReadonlyMap<string, (value: number) => number>;
  defaultUnit: string;
}

const same = (value: number): number => value;
const kilo = (value: number): number => value * 1000;

/** Returns the conversion by unit. Uses a Map, because chargers send names such as `constructor`. */
function units(conversions: Record<string, (value: number) => number>): ColumnRule['units'] {
  return new Map(Object.entries(conversions));
}

const columnRules = new Map<string, ColumnRule>(
  Object.entries({
    'Energy.Active.Import.Register': {
      column: 'energyWh',
      combine: 'sum',
      units: units({ Wh: same, kWh: kilo }),
      defaultUnit: 'Wh',
    },
    'Power.Active.Import': {
      column: 'powerW',
      combine: 'sum',
      units: units({ W: same, kW: kilo }),
      defaultUnit: 'W',
    },
    'Current.Import': { column: 'currentA', combine: 'max', units: units({ A: same }), defaultUnit: 'A' },
    Voltage: { column: 'voltageV', combine: 'mean', units: units({ V: same }), defaultUnit: 'V' },
    SoC: {
      column: 'socPercent',
      combine: 'mean',
      units: units({ Percent: same, '%': same }),
      defaultUnit: 'Percent',
    },
    Temperature: {
      column: 'temperatureC',
      combine: 'max',
      units: units({
        Celsius: same,
        // Several chargers spell it so; OCPP 1.6 listed both spellings before its errata.
        Celcius: same,
        Fahrenheit: (value) => ((value - 32) * 5) / 9,
        K: (value) => value - 273.15,
      }),
      defaultUnit: 'Celsius',
    },
  }),
);

/** The measurand that a sampled value has when it names none (OCPP 1.6 §7.43, 2.0.1 SampledValueType). */
export const defaultMeasurand = 'Energy.Active.Import.Register';

/** The units in which what has a column of its own may be given, by measurand. */
export const measurandUnits: ReadonlyMap<string, readonly string[]> = new Map(
  [...columnRules].map(([measurand, { units }]) => [measurand, [...units.keys()]]),
);

/** A terawatt-hour: beyond it are the largest numbers that a field holds, not what a meter counted. */
const highestRegisterWh = 1e12;

/** -1 as a counter of 32 bits without a sign shows it. */
const unsignedMinusOne = 2 ** 32 - 1;

/** A register of -1, or another below 0, is how chargers say that the meter could not be read (field note 16). */
function isRegister(wh: number, said: number | string): boolean {
  return wh >= 0 && wh <= highestRegisterWh && wh !== unsignedMinusOne && Number(said) !== unsignedMinusOne;
}

/**
 * Returns the register in Wh from StartTransaction or StopTransaction of 1.6. Null for an impossible value.
 */
export function registerWh(
  said: number,
  name: TransactionRegister,
  overrides: readonly MeterOverride[],
): number | null {
  const override = findOverride(overrides, { measurand: name, unit: null });
  const convert = columnRules.get(defaultMeasurand)?.units.get(override?.unit ?? 'Wh') ?? same;
  const wh = round(convert(said * (override?.factor ?? 1)));
  return isRegister(wh, said) ? wh : null;
}

/** The context that a sampled value has when it names none. */
export const defaultContext = 'Sample.Periodic';

/** Line to line voltages say nothing of the voltage a car sees; they stay in `extra`. */
const combinablePhases = new Set(['L1', 'L2', 'L3', 'L1-N', 'L2-N', 'L3-N']);

interface PhaseValues {
  column: Column;
  combine: PhaseRule;
  values: number[];
}

/** A row while it is made of its values. */
interface Draft {
  sample: MeterSample;
  /** By measurand; null: no value per phase. */
  phases: Map<string, PhaseValues> | null;
  /** Values without a column; null: none. */
  extra: Record<string, string> | null;
  /** The highest temperature that was measured elsewhere than at the outlet. */
  elsewhereC: number | null;
}

/** Flag of a row that was corrected by an override of its charger's model. */
const overriddenFlag = 'meter-overridden';

/**
 * Folds the sampled values of one instant into wide rows, one per context. A value without phase wins over
 * values per phase; those are summed (energy, power), averaged (voltage) or the highest is taken (current). A
 * temperature at the outlet wins over those measured elsewhere, of which the highest is taken. Nothing is
 * refused: a value without a column, a known unit or a readable number is kept in `extra` and flagged. A
 * value that `overrides` corrected is flagged too.
 */
export function toMeterSamples(
  values: readonly SampledValue[],
  at: Pick<MeterSample, 'time' | 'receivedAt' | 'saidTime'> & { flags: readonly string[] },
  overrides: readonly MeterOverride[],
): MeterSample[] {
  // One row as a rule, and rarely more than two.
  const rows: Draft[] = [];
  for (const value of values) {
    let row = rows[0];
    if (row?.sample.context !== value.context) {
      row = rows.find(({ sample }) => sample.context === value.context);
    }
    if (row === undefined) {
      row = { sample: emptySample(value.context, at), phases: null, extra: null, elsewhereC: null };
      rows.push(row);
    }
    place(value, row, overrides.length === 0 ? undefined : findOverride(overrides, value));
  }
  return rows.map(completed);
}

function completed({ sample, phases, extra, elsewhereC }: Draft): MeterSample {
  if (phases !== null) {
    for (const { column, combine, values } of phases.values()) sample[column] ??= combined(combine, values);
  }
  if (extra !== null) sample.extra = extra;
  sample.temperatureC ??= elsewhereC;
  return sample;
}

/** Extra values of a reading without any; without a prototype, because chargers choose the names. */
const noExtra: Readonly<Record<string, string>> = Object.freeze(
  Object.create(null) as Record<string, string>,
);

function emptySample(
  context: string,
  at: Pick<MeterSample, 'time' | 'receivedAt' | 'saidTime'> & { flags: readonly string[] },
): MeterSample {
  return {
    time: at.time,
    receivedAt: at.receivedAt,
    saidTime: at.saidTime,
    context,
    energyWh: null,
    powerW: null,
    currentA: null,
    voltageV: null,
    socPercent: null,
    temperatureC: null,
    extra: noExtra,
    flags: [...at.flags],
  };
}

function place(value: SampledValue, row: Draft, override: MeterOverride | undefined): void {
  const { sample } = row;
  const rule = columnRules.get(value.measurand);
  // Only the outlet is what the driver gets; inlet, body, cable and EV readings stay beside it.
  const isOutlet = value.location === null || value.location === 'Outlet' || value.measurand === 'SoC';
  // Few chargers measure the temperature of the outlet; most measure that of their body.
  const hasColumn = isOutlet || value.measurand === 'Temperature';
  if (rule === undefined || !hasColumn || value.isSigned) return keepExtra(value, row);

  if (override !== undefined) flag(sample, overriddenFlag);
  const convert = rule.units.get(override?.unit ?? value.unit ?? rule.defaultUnit);
  const said = readNumber(value.value, override?.factor);
  const number = convert === undefined || said === null ? null : convert(said);
  if (number === null || (rule.column === 'energyWh' && !isRegister(number, value.value))) {
    flag(sample, convert === undefined ? 'unit-unknown' : 'value-unreadable');
    return keepExtra(value, row);
  }
  if (!isOutlet) {
    keepExtra(value, row);
    row.elsewhereC = Math.max(row.elsewhereC ?? -Infinity, round(number));
    return;
  }
  if (value.phase === null) {
    sample[rule.column] = round(number);
    return;
  }
  keepExtra(value, row);
  if (!combinablePhases.has(value.phase)) return;
  const phases = (row.phases ??= new Map());
  const seen = phases.get(value.measurand);
  if (seen !== undefined) seen.values.push(number);
  else {
    const { column } = rule;
    phases.set(value.measurand, {
      column,
      combine: override?.phases ?? rule.combine,
      values: [number],
    });
  }
}

function keepExtra(value: SampledValue, row: Draft): void {
  let key = value.measurand;
  if (value.isSigned) key += ' signed';
  if (value.location !== null) key += `@${value.location}`;
  if (value.phase !== null) key += `.${value.phase}`;
  if (value.unit !== null) key += ` ${value.unit}`;
  row.extra ??= Object.create(null) as Record<string, string>;
  row.extra[key] = String(value.value);
}

function combined(combine: PhaseRule, values: number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  if (combine === 'sum') return round(sum);
  return round(combine === 'max' ? Math.max(...values) : sum / values.length);
}

/**
 * Decimal, and nothing else that `Number` reads, such as 0x1F or an empty text. There is one way to read each digit:
 * two would be tried in every combination on a long text, and the whole shard would wait for it.
 */
const decimal = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;

function readNumber(value: number | string, factor = 1): number | null {
  if (typeof value === 'number') return finite(value * factor);
  if (isPlainDecimal(value)) return Number(value) * factor;
  // Some firmwares write a decimal comma.
  const text = value.trim();
  if (!decimal.test(text)) return null;
  return finite(Number(text.replace(',', '.')) * factor);
}

/** Maximum length of the values that are read without a pattern: nearly all are shorter. */
const plainDecimalLength = 15;

/** Returns true for digits with at most one point between them. */
function isPlainDecimal(text: string): boolean {
  const last = text.length - 1;
  if (last < 0 || last >= plainDecimalLength) return false;
  let points = 0;
  for (let index = 0; index <= last; index += 1) {
    const sign = text.charCodeAt(index);
    if (sign === 46 && index > 0 && index < last) points += 1;
    else if (sign < 48 || sign > 57) return false;
  }
  return points <= 1;
}

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}

/** Three decimals: a milliwatt-hour is far below what any meter resolves, and 0.1 + 0.2 stays 0.3. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function flag(sample: MeterSample, name: string): void {
  if (!sample.flags.includes(name)) sample.flags.push(name);
}
