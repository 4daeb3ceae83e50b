/** Measurands that charts show, with the expression that reads one from a row of `meter_samples`; null: not reported. */
export const measurands = {
  power_w: 'power_w',
  current_a: 'current_a',
  current_l1_a: phaseValue('Current\\\\.Import', 'L1', 'A'),
  current_l2_a: phaseValue('Current\\\\.Import', 'L2', 'A'),
  current_l3_a: phaseValue('Current\\\\.Import', 'L3', 'A'),
  voltage_v: 'voltage_v',
  voltage_l1_v: phaseValue('Voltage', 'L1', 'V'),
  voltage_l2_v: phaseValue('Voltage', 'L2', 'V'),
  voltage_l3_v: phaseValue('Voltage', 'L3', 'V'),
  soc_percent: 'soc_percent',
  temperature_c: 'temperature_c',
} as const;

export type Measurand = keyof typeof measurands;

export const measurandNames = Object.keys(measurands) as Measurand[];

/**
 * Returns the expression of a value per phase. It stands in `extra` by a name that ends with its phase, to neutral or without, and its
 * unit.
 */
function phaseValue(measurand: string, phase: string, unit: string): string {
  const pattern = `^${measurand}(@Outlet)?\\\\.${phase}(-N)?( ${unit})?$`;
  return `toFloat64OrNull(arrayFirst((value, name) -> match(name, '${pattern}'), mapValues(extra), mapKeys(extra)))`;
}
