import {
  findOverride,
  type MeterOverride,
  type PhaseRule,
  type TransactionRegister,
} from '#shared/domain/fleet/meter-override.ts';
import {
  type Column,
  type ColumnRule,
  columnRules,
  defaultMeasurand,
  energyKinds,
  energyUnits,
  same,
} from './meter-columns.ts';
import { conversionOf, readNumber, round } from './meter-units.ts';
import { meterLocations, rankOf, type RegisterKind, registerOrigin } from './register-origin.ts';

/**
 * One sampled value before it is put into a wide row: SampledValue of OCPP 1.6 (§7.43) as sent, so that nothing is copied for it. What
 * is left out has the defaults of both versions.
 */
export interface SampledValue {
  /** A number, or text where it is signed data or no number. */
  value: number | string;
  measurand?: string | undefined;
  unit?: string | undefined;
  phase?: string | undefined;
  location?: string | undefined;
  context?: string | undefined;
  /** `SignedData`: proof of the meter to be kept, not a number. */
  format?: string | undefined;
}

/** Values of the phases L1, L2 and L3; null: not measured. */
export type PhaseValues = [number | null, number | null, number | null];

/**
 * One reading: the wide row that ClickHouse keeps. Wh, W, A, V, %, °C; null where the charger did not say. Everything that prices or
 * displays a session is read from the columns; `extra` has the values as sent that have no column of their own.
 */
export interface MeterSample {
  time: Date;
  receivedAt: Date;
  /** The time as the charger sent it, where `time` had to replace it; not stored. */
  saidTime: string | null;
  context: string;
  /** Register. */
  energyWh: number | null;
  powerW: number | null;
  /** Highest of the phases. */
  currentA: number | null;
  voltageV: number | null;
  socPercent: number | null;
  temperatureC: number | null;
  currentSumA: number | null;
  phaseCurrentsA: PhaseValues;
  /** To neutral. */
  phaseVoltagesV: PhaseValues;
  /** Energy since the reading before, of a charger that reports no register. */
  intervalWh: number | null;
  /** Location and kind of the energy; power: the reading has none. */
  energyLocation: string;
  energyKind: RegisterKind;
  /** The charger named the session's transaction. */
  isNamed: boolean;
  /** Wh in the unit of the register; null: the charger sent no unit, and it was read as Wh. Not stored. */
  energyScale: number | null;
  /** An energy value was set aside, because it could not be read. Not stored. */
  isEnergySetAside: boolean;
  extra: Readonly<Record<string, string>>;
  flags: string[];
}

/** Readings of one instant that price a session. Null: not measured. */
export interface MeterPoint {
  atMs: number;
  /** Origin of the energy (`register-origin.ts`). */
  origin: string;
  registerWh: number | null;
  intervalWh: number | null;
  powerW: number | null;
  /** A, summed over the phases. */
  currentA: number | null;
}

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
  const override = findOverride(overrides, name, undefined);
  const convert = energyUnits.get(override?.unit ?? 'Wh') ?? same;
  const wh = round(convert(said * (override?.factor ?? 1)));
  return isRegister(wh, said) ? wh : null;
}

/** Format of a value that is signed. */
export const signedData = 'SignedData';

/** The context that a sampled value has when it names none. */
export const defaultContext = 'Sample.Periodic';

/** Index of a phase in `PhaseValues`, by itself or to neutral, and whether it is measured to the next phase instead. */
const phases: ReadonlyMap<string, { index: 0 | 1 | 2; isToNext: boolean }> = new Map(
  ([0, 1, 2] as const).flatMap((index): [string, { index: 0 | 1 | 2; isToNext: boolean }][] => {
    const [one, next] = [index + 1, ((index + 1) % 3) + 1];
    return [
      [`L${one}`, { index, isToNext: false }],
      [`L${one}N`, { index, isToNext: false }],
      [`L${one}L${next}`, { index, isToNext: true }],
    ];
  }),
);

/** Value of a measurand with the place where it was measured. */
interface PlacedValue {
  rule: ColumnRule;
  combine: PhaseRule;
  location: string;
  /** Null: a value of all phases together. */
  phase: { index: 0 | 1 | 2; isToNext: boolean } | null;
  number: number;
  /** See `MeterSample.energyScale`. */
  scale: number | null;
}

/** A row while it is made of its values. */
interface Draft {
  sample: MeterSample;
  /** Values per phase, and those measured elsewhere than at the outlet; null: none. */
  placed: PlacedValue[] | null;
  /** Values without a column; null: none. */
  extra: Record<string, string> | null;
}

/** Flag of a row that was corrected by an override of its charger's model. */
const overriddenFlag = 'meter-overridden';

/** Location of a value that names none. */
const outlet = meterLocations[0];

/**
 * Folds the sampled values of one instant into wide rows, one per context. A value without phase wins over values per phase; those
 * are summed (energy, power), averaged (voltage) or the highest is taken (current). A value at the outlet wins over those measured
 * elsewhere; of temperatures elsewhere the highest is taken. Of the energy values the one of the highest rank counts
 * (`register-origin.ts`). Nothing is refused: a value without a column, a known unit or a readable number is kept in `extra` and
 * flagged. A value that `overrides` corrected is flagged too.
 */
export function toMeterSamples(
  values: readonly SampledValue[],
  at: Pick<MeterSample, 'time' | 'receivedAt' | 'saidTime'> & { flags: readonly string[] },
  overrides: readonly MeterOverride[],
): MeterSample[] {
  // One row as a rule, and rarely more than two.
  const rows: Draft[] = [];
  for (const value of values) {
    const { measurand = defaultMeasurand, context = defaultContext } = value;
    let row = rows[0];
    if (row?.sample.context !== context) row = rows.find(({ sample }) => sample.context === context);
    if (row === undefined) {
      row = { sample: emptySample(context, at), placed: null, extra: null };
      rows.push(row);
    }
    place(
      value,
      measurand,
      row,
      overrides.length === 0 ? undefined : findOverride(overrides, measurand, value.unit),
    );
  }
  return rows.map(complete);
}

/** Extra values of a reading without any; without a prototype, because chargers choose the names. */
const noExtra: Readonly<Record<string, string>> = Object.freeze(
  Object.create(null) as Record<string, string>,
);

/** Phases of a reading that has none. */
const noPhases = Object.freeze([null, null, null]) as unknown as PhaseValues;

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
    currentSumA: null,
    phaseCurrentsA: noPhases,
    phaseVoltagesV: noPhases,
    intervalWh: null,
    energyLocation: outlet,
    energyKind: 'power',
    isNamed: true,
    energyScale: null,
    isEnergySetAside: false,
    extra: noExtra,
    flags: at.flags.length === 0 ? [] : [...at.flags],
  };
}

function place(
  value: SampledValue,
  measurand: string,
  row: Draft,
  override: MeterOverride | undefined,
): void {
  const { sample } = row;
  const rule = columnRules.get(measurand);
  if (rule === undefined || value.format === signedData) return keepExtra(value, measurand, row);

  if (override !== undefined) flag(sample, overriddenFlag);
  const unit = override?.unit ?? value.unit ?? null;
  const convert = conversionOf(rule.units, unit ?? rule.defaultUnit);
  const said = readNumber(value.value, override?.factor);
  const number = convert === undefined || said === null ? null : convert(said);
  const isEnergy = energyKinds[rule.column] !== undefined;
  if (number === null || convert === undefined || (isEnergy && !isRegister(number, value.value))) {
    flag(sample, convert === undefined ? 'unit-unknown' : 'value-unreadable');
    sample.isEnergySetAside ||= isEnergy;
    return keepExtra(value, measurand, row);
  }
  // The state of charge is that of the car, wherever it is measured.
  const location = rule.column === 'socPercent' ? outlet : (value.location ?? outlet);
  const scale = unit === null ? null : convert(1);
  const { column } = rule;
  if (location === outlet && value.phase === undefined) {
    if (isEnergy) setEnergy(sample, column, round(number), location, scale);
    else sample[column as 'powerW'] = round(number);
    // The columns of a register are of import.
    if (column === 'netWh' || column === 'intervalWh') keepExtra(value, measurand, row);
    return;
  }
  keepExtra(value, measurand, row);
  const phase =
    value.phase === undefined ? null : phases.get(value.phase.toUpperCase().replaceAll(/[^LN\d]/g, ''));
  if (phase === undefined) return;
  row.placed ??= [];
  row.placed.push({ rule, combine: override?.phases ?? rule.combine, location, phase, number, scale });
}

/** Sets the energy of a row. Of two values the one whose origin has the higher precedence stays. */
function setEnergy(
  sample: MeterSample,
  column: Column,
  number: number,
  location: string,
  scale: number | null,
): void {
  const kind = energyKinds[column] ?? 'import';
  const isFirst = kind === 'import' && location === outlet;
  if (!isFirst && rankOfEnergy(location, kind) > rankOfEnergy(sample.energyLocation, sample.energyKind))
    return;
  sample.energyWh = kind === 'interval' ? null : number;
  sample.intervalWh = kind === 'interval' ? number : null;
  sample.energyLocation = location;
  sample.energyKind = kind;
  sample.energyScale = scale;
}

const rankOfEnergy = (location: string, kind: RegisterKind) => rankOf(registerOrigin(true, location, kind));

/** Completes a row with the values that were measured per phase or elsewhere than at the outlet. */
function complete({ sample, placed, extra }: Draft): MeterSample {
  if (extra !== null) sample.extra = extra;
  if (placed !== null) {
    const rules = new Set(placed.map(({ rule }) => rule));
    for (const rule of rules) {
      fold(
        sample,
        rule.column,
        placed.filter((value) => value.rule === rule),
      );
    }
  }
  sample.currentSumA ??= sample.currentA;
  return sample;
}

/** Sets a column from values of one measurand. */
function fold(sample: MeterSample, column: Column, values: readonly PlacedValue[]): void {
  const location = firstLocation(values);
  // The outlet reported a value of all phases together.
  if (location !== outlet && column in sample && sample[column as 'powerW'] !== null) return;
  if (column === 'temperatureC' && location !== outlet) {
    sample.temperatureC = round(Math.max(...values.map(({ number }) => number)));
    return;
  }
  const here = inOneUnit(values.filter((value) => value.location === location));
  const perPhase = phasesOf(here, false);
  const toNext = phasesOf(here, true);
  if (column === 'currentA') {
    sample.phaseCurrentsA = rounded(perPhase);
    sample.currentSumA = combinePhases('sum', perPhase ?? toNext);
  }
  if (column === 'voltageV') sample.phaseVoltagesV = rounded(perPhase);
  const [first] = here;
  const whole = here.findLast(({ phase }) => phase === null)?.number;
  const number =
    whole === undefined ? combinePhases(first?.combine ?? 'sum', perPhase ?? toNext) : round(whole);
  if (number === null) return;
  // A sum without one of its phases would be too low.
  if (whole === undefined && sample.isEnergySetAside && energyKinds[column] !== undefined) return;
  if (energyKinds[column] !== undefined) setEnergy(sample, column, number, location, first?.scale ?? null);
  else sample[column as 'powerW'] ??= number;
}

/** Returns values of one reading, those without a unit in that of the others. */
function inOneUnit(values: readonly PlacedValue[]): readonly PlacedValue[] {
  const scale = values.find((value) => value.scale !== null)?.scale ?? 1;
  if (scale === 1) return values;
  return values.map((value) =>
    value.scale === null ? { ...value, number: value.number * scale, scale } : value,
  );
}

/** Returns the location whose values count: that of the highest precedence. */
function firstLocation(values: readonly PlacedValue[]): string {
  const used = values.map(({ location }) => location);
  return meterLocations.find((location) => used.includes(location)) ?? used[0] ?? outlet;
}

/** Returns the values by phase, the last one of each, or null. */
function phasesOf(values: readonly PlacedValue[], isToNext: boolean): PhaseValues | null {
  let found: PhaseValues | null = null;
  for (const { phase, number } of values) {
    if (phase === null || phase.isToNext !== isToNext) continue;
    found ??= [null, null, null];
    found[phase.index] = number;
  }
  return found;
}

function rounded(values: PhaseValues | null): PhaseValues {
  if (values === null) return noPhases;
  return values.map((value) => (value === null ? null : round(value))) as PhaseValues;
}

function combinePhases(combine: PhaseRule, values: PhaseValues | null): number | null {
  const measured = values?.filter((value) => value !== null) ?? [];
  if (measured.length === 0) return null;
  const sum = measured.reduce((total, value) => total + value, 0);
  if (combine === 'sum') return round(sum);
  return round(combine === 'max' ? Math.max(...measured) : sum / measured.length);
}

function keepExtra(
  { value, unit, phase, location, format }: SampledValue,
  measurand: string,
  row: Draft,
): void {
  let key = measurand;
  if (format === signedData) key += ' signed';
  if (location !== undefined) key += `@${location}`;
  if (phase !== undefined) key += `.${phase}`;
  if (unit !== undefined) key += ` ${unit}`;
  row.extra ??= Object.create(null) as Record<string, string>;
  row.extra[key] = String(value);
}

function flag(sample: MeterSample, name: string): void {
  if (!sample.flags.includes(name)) sample.flags.push(name);
}
