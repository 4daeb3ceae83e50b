import type { SampledValue } from '#gateway/test/field-notes/support/dialect.ts';
import type { Version } from '#gateway/test/support/rig.ts';
import type { PriceState } from '#shared/pricing/price-state.ts';

/** Message of a charger, in minutes after the start of its session. */
export type Step =
  /** Reading of the session's transaction. */
  | { at: number; values: readonly SampledValue[] }
  /** Reading that does not include the session's transaction. 1.6 sends `id`, and without it no id; 2.0.1 has no such field. */
  | { at: number; unnamed: readonly SampledValue[]; id?: unknown }
  /** Stop of the session, or of another transaction of this id. Null: no register. */
  | { at: number; stop: number | null; values?: readonly SampledValue[]; id?: string | number }
  /** Expected values at this point of the session. */
  | { shows: Shown };

/** Values of a session while it runs. */
export interface Shown {
  status?: 'ACTIVE' | 'STOPPING' | 'COMPLETED';
  /** Limit for which the product stops the session. By default none. */
  limitPassed?: 'MaxEnergy';
  energyWh?: number;
  powerW?: number | null;
}

/** Session of a charger in the field, with its expected bill. */
export interface Row {
  name: string;
  /** Null: both versions. */
  version?: Version;
  /** Tariff by current instead of 0.40 EUR/kWh. */
  isByCurrent?: true;
  connectors?: number;
  /** Rating of the connectors in W. Null: none is known. */
  ratedPowerW: number | null;
  maxEnergyWh?: number;
  /** Register in Wh. Null: none. */
  meterStart: number | null;
  /** Values of the start in 2.0.1, instead of the register. */
  startValues?: readonly SampledValue[];
  steps: readonly Step[];
  /** Expected bill. `costMinor`: cents with VAT. */
  bill: {
    energyWh: number;
    costMinor: number;
    priceState: PriceState;
    /** Flags that the session has. */
    flags?: readonly string[];
    /** Flags that it does not have. */
    without?: readonly string[];
  };
  /** Fault of the product that this row shows. */
  todo?: string;
}

export const rated = 22_000;

/** Returns a register in Wh, as the charger sends it. */
export const register = (wh: number | string, more: Partial<SampledValue> = {}): SampledValue => ({
  value: String(wh),
  measurand: 'Energy.Active.Import.Register',
  unit: 'Wh',
  ...more,
});

export const power = (w: number | string, more: Partial<SampledValue> = {}): SampledValue => ({
  value: String(w),
  measurand: 'Power.Active.Import',
  unit: 'W',
  ...more,
});

/** Returns one current per phase. */
export const currents = (
  value: string,
  phases: readonly string[],
  more: Partial<SampledValue> = {},
): SampledValue[] =>
  phases.map((phase) => ({ value, measurand: 'Current.Import', unit: 'A', phase, ...more }));

/** Minutes of the readings of a usual session. */
export const everyTen = [10, 20, 30, 40, 50] as const;

/** Returns a step per 10 minutes; `index` counts from 1. */
export const each = (step: (at: number, index: number) => Step): Step[] =>
  everyTen.map((at, index) => step(at, index + 1));
