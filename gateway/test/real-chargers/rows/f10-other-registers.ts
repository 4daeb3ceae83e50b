import { each, power, rated, register, type Row, type Step } from '#gateway/test/real-chargers/row.ts';
import type { SampledValue } from '#gateway/test/field-notes/support/dialect.ts';

const interval = (wh: number, more: Partial<SampledValue> = {}): SampledValue =>
  register(wh, { measurand: 'Energy.Active.Import.Interval', ...more });
const net = (wh: number, more: Partial<SampledValue> = {}): SampledValue =>
  register(wh, { measurand: 'Energy.Active.Net', ...more });

/** Session of 2.0.1 without an import register at its start. */
const row201 = (name: string, more: Omit<Row, 'name' | 'version' | 'meterStart' | 'ratedPowerW'>): Row => ({
  name,
  version: 'ocpp2.0.1',
  ratedPowerW: rated,
  meterStart: null,
  ...more,
});

const sixKwh = { energyWh: 6000, costMinor: 240, priceState: 'SETTLED' } as const;
const intervals = (more: Partial<SampledValue> = {}): Step[] =>
  each((at) => ({ at, values: [interval(1000, more)] }));

/** Interval and net registers count where no import register is sent. Without any register, nothing is settled at 0. */
export const f10: readonly Row[] = [
  row201('adds intervals', {
    steps: [...intervals(), { shows: { energyWh: 5000 } }, { at: 60, stop: null, values: [interval(1000)] }],
    bill: sixKwh,
  }),
  row201('adds intervals in kWh', {
    steps: [
      ...each((at) => ({ at, values: [interval(1, { unit: 'kWh' })] })),
      { at: 60, stop: null, values: [interval(1, { unit: 'kWh' })] },
    ],
    bill: sixKwh,
  }),
  row201('adds intervals at the body', {
    steps: [
      ...intervals({ location: 'Body' }),
      { at: 60, stop: null, values: [interval(1000, { location: 'Body' })] },
    ],
    bill: sixKwh,
  }),
  row201('adds intervals alongside power', {
    steps: [
      ...each((at) => ({ at, values: [interval(1000), power(6000)] })),
      { shows: { energyWh: 5000, powerW: 6000 } },
      { at: 60, stop: null, values: [interval(1000)] },
    ],
    bill: sixKwh,
  }),
  row201('counts a net register', {
    startValues: [net(10_000)],
    steps: [
      ...each((at, index) => ({ at, values: [net(10_000 + index * 1000)] })),
      { shows: { energyWh: 5000 } },
      { at: 60, stop: null, values: [net(16_000)] },
    ],
    bill: sixKwh,
  }),
  row201('reads units in another case', {
    startValues: [register(10, { unit: 'KWH' })],
    steps: [
      ...each((at, index) => ({ at, values: [register(10 + index, { unit: 'KWH' })] })),
      { at: 60, stop: null, values: [register(16, { unit: 'KWH' })] },
    ],
    bill: sixKwh,
  }),
  row201('reviews a session of which only power was measured', {
    steps: [
      { at: 0, values: [power(6000)] },
      ...each((at) => ({ at, values: [power(6000)] })),
      { at: 60, stop: null, values: [power(6000)] },
    ],
    bill: { ...sixKwh, priceState: 'REVIEW', flags: ['energy-from-power'] },
  }),
  row201('reviews a session of which nothing was measured', {
    steps: [{ at: 60, stop: null }],
    bill: { energyWh: 0, costMinor: 0, priceState: 'REVIEW', flags: ['energy-unmeasured'] },
  }),
  row201('reviews a session whose values have an unknown unit', {
    startValues: [register(10, { unit: 'Furlong' })],
    steps: [
      ...each((at, index) => ({ at, values: [register(10 + index, { unit: 'Furlong' })] })),
      { at: 60, stop: null, values: [register(16, { unit: 'Furlong' })] },
    ],
    bill: { energyWh: 0, costMinor: 0, priceState: 'REVIEW', flags: ['energy-values-set-aside'] },
  }),
];
