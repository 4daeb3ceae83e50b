import { currents, each, rated, register, type Row } from '#gateway/test/real-chargers/row.ts';
import type { SampledValue } from '#gateway/test/field-notes/support/dialect.ts';

const threePhases = ['L1', 'L2', 'L3'];

/** Session of 6 kWh with these currents. */
const sixKwh = (name: string, values: readonly SampledValue[], more: Partial<Row> = {}): Row => ({
  name,
  isByCurrent: true,
  ratedPowerW: rated,
  meterStart: 1000,
  steps: [
    ...each((at, index) => ({ at, values: [register(1000 + index * 1000), ...values] })),
    { at: 60, stop: 7000 },
  ],
  bill: { energyWh: 6000, costMinor: 600, priceState: 'SETTLED' },
  ...more,
});

const low = { bill: { energyWh: 6000, costMinor: 60, priceState: 'SETTLED' } } as const;
const only16 = { version: 'ocpp1.6' } as const;

/** Currents are added over the phases, however their phase, number and location are written (OCPI 2.2.1 §11.4.6). */
export const f4: readonly Row[] = [
  sixKwh('adds L1, L2 and L3', currents('16.0', threePhases)),
  sixKwh('adds L1-N, L2-N and L3-N', currents('16.0', ['L1-N', 'L2-N', 'L3-N'])),
  sixKwh('adds phases to neutral where no rating is known', currents('16.0', ['L1-N', 'L2-N', 'L3-N']), {
    ratedPowerW: null,
  }),
  sixKwh('adds numbers with a leading space', currents(' 16.0', threePhases), only16),
  sixKwh('adds numbers with a decimal comma', currents('16,0', threePhases), only16),
  sixKwh('adds currents at the body', currents('16.0', threePhases, { location: 'Body' })),
  sixKwh(
    'adds phases to neutral at the inlet',
    currents('16.0', ['L1-N', 'L2-N', 'L3-N'], { location: 'Inlet' }),
  ),
  sixKwh('reads a unit in lower case', currents('16.0', threePhases, { unit: 'a' }), only16),
  sixKwh('takes a current of all phases as it is', [{ value: '48', measurand: 'Current.Import', unit: 'A' }]),
  sixKwh('stays below the limit at 10 A per phase', currents('10.0', ['L1-N', 'L2-N', 'L3-N']), low),
  sixKwh('stays below the limit at 16 A in one phase', currents('16.0', ['L1-N']), low),
];
