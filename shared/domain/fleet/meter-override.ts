/** The registers of 1.6 that are no measurands: of StartTransaction and StopTransaction, in Wh. */
export const transactionRegisters = ['meterStart', 'meterStop'] as const;

export type TransactionRegister = (typeof transactionRegisters)[number];

/** Rules that combine values given per phase into one. */
export const phaseRules = ['sum', 'max', 'mean'] as const;

export type PhaseRule = (typeof phaseRules)[number];

/** Correction of a value that the meter of a charger model reports differently from the standard. */
export interface MeterOverride {
  /** Measurand reported wrongly: one that has a column of its own, or a `TransactionRegister`. */
  measurand: string;
  /** Prefix of the firmware versions that it applies to. Null: all. */
  firmware: string | null;
  /** Unit of the values that it applies to (empty: none sent). Null: all. */
  saidUnit: string | null;
  /** Actual unit. Null: as reported. */
  unit: string | null;
  /** Factor that the number is multiplied by. */
  factor: number;
  /** Combination of the values per phase. Null: the measurand's own rule. */
  phases: PhaseRule | null;
}

/** Overrides of a model whose meter follows the standard. */
export const noOverrides: readonly MeterOverride[] = [];

/** Returns a model's overrides for a firmware version. `null`: the version is unknown. */
export function overridesFor(
  overrides: readonly MeterOverride[],
  firmwareVersion: string | null,
): readonly MeterOverride[] {
  return overrides.filter(
    ({ firmware }) => firmware === null || (firmwareVersion ?? '').startsWith(firmware),
  );
}

/** Returns the first override for a value, or undefined. */
export function findOverride(
  overrides: readonly MeterOverride[],
  said: string,
  unit: string | undefined,
): MeterOverride | undefined {
  return overrides.find(
    ({ measurand, saidUnit }) => measurand === said && (saidUnit === null || saidUnit === (unit ?? '')),
  );
}
