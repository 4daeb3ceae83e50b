import { each, power, rated, register, type Row, type Step } from '#gateway/test/real-chargers/row.ts';

/** Readings of the session, with those of a lifetime register between them. */
const besides = (lifetimeWh: number, id?: unknown): Step[] =>
  each((at, index) => ({ at, values: [register(index * 1000)] })).flatMap((step, index) => [
    step,
    { at: (index + 1) * 10 + 5, unnamed: [register(lifetimeWh + index * 1000 + 500)], id },
  ]);

/** Readings without the transaction do not change the register of those with it. */
export const f3: readonly Row[] = [
  {
    name: 'neither counts a lifetime register nor stops at the limit that it would pass',
    ratedPowerW: rated,
    maxEnergyWh: 15_000,
    meterStart: 0,
    steps: [...besides(21_000), { shows: { status: 'ACTIVE', energyWh: 5000 } }, { at: 60, stop: 6600 }],
    bill: { energyWh: 6600, costMinor: 264, priceState: 'SETTLED' },
  },
  {
    name: 'bills the own register where the stop has none',
    ratedPowerW: rated,
    meterStart: 0,
    steps: [...besides(21_000), { shows: { energyWh: 5000 } }, { at: 55, stop: null }],
    bill: { energyWh: 5000, costMinor: 200, priceState: 'SETTLED' },
  },
  {
    name: 'bills the own register where no rating is known',
    ratedPowerW: null,
    maxEnergyWh: 15_000,
    meterStart: 0,
    steps: [...besides(21_000), { shows: { energyWh: 5000 } }, { at: 55, stop: null }],
    bill: { energyWh: 5000, costMinor: 200, priceState: 'SETTLED' },
  },
  {
    name: 'leaves out a lifetime register of 843 kWh with the id 0',
    ratedPowerW: null,
    meterStart: 0,
    steps: [...besides(843_000, 0), { shows: { energyWh: 5000 } }, { at: 60, stop: 6000 }],
    bill: { energyWh: 6000, costMinor: 240, priceState: 'SETTLED' },
  },
  {
    name: 'leaves out a lifetime register that is sent every 15 minutes before the own one',
    ratedPowerW: rated,
    meterStart: 0,
    steps: [
      ...[15, 30, 45].flatMap((at, index): Step[] => [
        { at: at - 1, unnamed: [register(843_000 + index * 4500)] },
        { at, values: [register((index + 1) * 4500), power(18_000)] },
      ]),
      { shows: { energyWh: 13_500, powerW: 18_000 } },
      { at: 50, stop: null },
    ],
    bill: { energyWh: 13_500, costMinor: 540, priceState: 'SETTLED' },
  },
  {
    name: 'leaves out a main meter at the inlet in the same reading',
    ratedPowerW: rated,
    meterStart: 0,
    steps: [
      ...each((at, index) => ({
        at,
        values: [register(index * 1000), register(21_000 + index * 1000, { location: 'Inlet' })],
      })),
      { shows: { energyWh: 5000 } },
      { at: 55, stop: null },
    ],
    bill: { energyWh: 5000, costMinor: 200, priceState: 'SETTLED' },
  },
];
