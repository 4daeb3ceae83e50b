import { each, rated, register, type Row } from '#gateway/test/real-chargers/row.ts';

const startWh = 4_076_334;
const flags = ['register-fell'];

/** Readings of a register that restarted at the start of the session. */
const sixReadings = [10, 20, 30, 40, 50, 60].map((at, index) => ({
  at,
  values: [register((index + 1) * 1000)],
}));

/** A register that dropped to r has counted at least r since. */
export const f9: readonly Row[] = [
  {
    name: 'counts a register that restarts with the session',
    ratedPowerW: rated,
    meterStart: startWh,
    steps: [...sixReadings, { shows: { energyWh: 6000 } }, { at: 60, stop: null }],
    bill: { energyWh: 6000, costMinor: 240, priceState: 'SETTLED', flags },
  },
  {
    name: 'counts it where no rating is known',
    ratedPowerW: null,
    meterStart: startWh,
    steps: [...sixReadings, { shows: { energyWh: 6000 } }, { at: 60, stop: null }],
    bill: { energyWh: 6000, costMinor: 240, priceState: 'SETTLED', flags },
  },
  {
    name: 'counts it where less than a step passes between the last reading and a stop without a register',
    ratedPowerW: rated,
    meterStart: startWh,
    steps: [...sixReadings, { at: 65, stop: null }],
    bill: { energyWh: 6000, costMinor: 240, priceState: 'SETTLED', flags },
  },
  {
    name: 'counts it with a stop of the restarted register',
    ratedPowerW: rated,
    meterStart: startWh,
    steps: [...sixReadings, { shows: { energyWh: 6000 } }, { at: 61, stop: 6100 }],
    bill: { energyWh: 6100, costMinor: 244, priceState: 'SETTLED', flags },
  },
  {
    name: 'bills a valid stop of the register of the start',
    ratedPowerW: rated,
    meterStart: startWh,
    steps: [...sixReadings, { shows: { energyWh: 6000 } }, { at: 61, stop: startWh + 6000 }],
    bill: { energyWh: 6000, costMinor: 240, priceState: 'SETTLED' },
  },
  {
    name: 'counts a register that restarts between two readings',
    ratedPowerW: rated,
    meterStart: startWh,
    steps: [
      ...each((at, index) => ({
        at,
        values: [register(index <= 2 ? startWh + index * 1000 : (index - 2) * 1000)],
      })),
      { shows: { energyWh: 5000 } },
      { at: 60, stop: 4000 },
    ],
    bill: { energyWh: 6000, costMinor: 240, priceState: 'SETTLED', flags },
  },
];
