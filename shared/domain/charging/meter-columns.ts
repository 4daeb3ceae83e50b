import type { PhaseRule } from '#shared/domain/fleet/meter-override.ts';
import { type Units, unitsOf } from './meter-units.ts';
import type { RegisterKind } from './register-origin.ts';

/** Columns of a row that sampled values have. A row keeps one of the energy columns. */
export type Column =
  | 'energyWh'
  | 'netWh'
  | 'intervalWh'
  | 'powerW'
  | 'currentA'
  | 'voltageV'
  | 'socPercent'
  | 'temperatureC';

export interface ColumnRule {
  column: Column;
  /** Combines values given per phase into one. */
  combine: PhaseRule;
  units: Units;
  defaultUnit: string;
}

export const same = (value: number): number => value;
const kilo = (value: number): number => value * 1000;

export const energyUnits = unitsOf({ Wh: same, kWh: kilo });

const energyRule = (column: Column): ColumnRule => ({
  column,
  combine: 'sum',
  units: energyUnits,
  defaultUnit: 'Wh',
});

/** Measurands with a column, and how their values become one. A Map, because chargers choose the names. */
export const columnRules = new Map<string, ColumnRule>(
  Object.entries({
    'Energy.Active.Import.Register': energyRule('energyWh'),
    'Energy.Active.Net': energyRule('netWh'),
    'Energy.Active.Import.Interval': energyRule('intervalWh'),
    'Power.Active.Import': {
      column: 'powerW',
      combine: 'sum',
      units: unitsOf({ W: same, kW: kilo }),
      defaultUnit: 'W',
    },
    'Current.Import': { column: 'currentA', combine: 'max', units: unitsOf({ A: same }), defaultUnit: 'A' },
    Voltage: { column: 'voltageV', combine: 'mean', units: unitsOf({ V: same }), defaultUnit: 'V' },
    SoC: {
      column: 'socPercent',
      combine: 'mean',
      units: unitsOf({ Percent: same, '%': same }),
      defaultUnit: 'Percent',
    },
    Temperature: {
      column: 'temperatureC',
      combine: 'max',
      units: unitsOf({
        Celsius: same,
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

/** Columns of energy with the kind of their values. */
export const energyKinds: Partial<Record<Column, RegisterKind>> = {
  energyWh: 'import',
  netWh: 'net',
  intervalWh: 'interval',
};
