/** The registers of 1.6 that are no measurands: of StartTransaction and StopTransaction, in Wh. */
export const transactionRegisters = ['meterStart', 'meterStop'] as const;

export type TransactionRegister = (typeof transactionRegisters)[number];

/** How values that are given per phase become one. */
export const phaseRules = ['sum', 'max', 'mean'] as const;

export type PhaseRule = (typeof phaseRules)[number];

/** How the meter of a charger model says something in another way than the standard's, and what it means. */
export interface MeterOverride {
  /** What is said wrong: a measurand that has a column of its own, or a `TransactionRegister`. */
  measurand: string;
  /** Only of firmware whose version begins so; null: of every. */
  firmware: string | null;
  /** Only of values that name this unit (empty: none); null: whatever they name. */
  saidUnit: string | null;
  /** What the unit is in truth; null: as said. */
  unit: string | null;
  /** What the number is to be multiplied by. */
  factor: number;
  /** What the values per phase make together; null: as the measurand demands. */
  phases: PhaseRule | null;
}

/** What chargers are taken at their word. */
export const noOverrides: readonly MeterOverride[] = [];

/** Those of a model's overrides that are for a firmware version; null: it was never told. */
export function overridesFor(
  overrides: readonly MeterOverride[],
  firmwareVersion: string | null,
): readonly MeterOverride[] {
  return overrides.filter(
    ({ firmware }) => firmware === null || (firmwareVersion ?? '').startsWith(firmware),
  );
}

/** The first override that fits what was said; undefined: it is what it says. */
export function findOverride(
  overrides: readonly MeterOverride[],
  said: { measurand: string; unit: string | null },
): MeterOverride | undefined {
  return overrides.find(
    ({ measurand, saidUnit }) =>
      measurand === said.measurand && (saidUnit === null || saidUnit === (said.unit ?? '')),
  );
}
