/** Measurands that charts show: columns of `meter_samples`. Null: not reported. */
export const measurandNames = [
  'power_w',
  'current_a',
  'current_l1_a',
  'current_l2_a',
  'current_l3_a',
  'voltage_v',
  'voltage_l1_v',
  'voltage_l2_v',
  'voltage_l3_v',
  'soc_percent',
  'temperature_c',
] as const;

export type Measurand = (typeof measurandNames)[number];
